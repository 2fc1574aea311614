// Cards in an order that a person sets.

/** These with the one at a place moved to another; as they are where it cannot go there. */
export function moved<T>(all: readonly T[], from: number, to: number): readonly T[] {
  if (from === to || from < 0 || from >= all.length || to < 0 || to >= all.length) return all;
  const others = all.filter((_, i) => i !== from);
  return [...others.slice(0, to), all[from]!, ...others.slice(to)];
}

/** The place whose middle is nearest to a point. */
export function nearest(middles: readonly { x: number; y: number }[], x: number, y: number): number {
  const far = middles.map((one) => (one.x - x) ** 2 + (one.y - y) ** 2);
  return far.indexOf(Math.min(...far));
}
