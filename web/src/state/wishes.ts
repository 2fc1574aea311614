// Which hands somebody wants to squeeze at each table, kept on this machine: a wish survives a reload, as it is asked for anew in
// every round.

import type { Hand } from "../api/schema";

const KEPT = "punto.squeeze";
/** Tables of which wishes are kept; the one where something was wished longest ago is forgotten first. */
const TABLES = 20;
const HANDS: readonly string[] = ["player", "banker"] satisfies Hand[];

type Kept = [string, Hand[]][];

function read(storage: Storage): Kept {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? (kept as Kept).filter((one) => Array.isArray(one) && Array.isArray(one[1])) : [];
  } catch {
    return [];
  }
}

/** The hands that somebody wished to squeeze at a table. */
export function wishesAt(who: string, table: string, storage: Storage = localStorage): ReadonlySet<Hand> {
  return new Set(read(storage).find(([name]) => name === `${who} ${table}`)?.[1].filter((hand) => HANDS.includes(hand)));
}

export function keepWishes(who: string, table: string, wished: ReadonlySet<Hand>, storage: Storage = localStorage): void {
  const name = `${who} ${table}`;
  try {
    const others = read(storage).filter(([one]) => one !== name);
    storage.setItem(KEPT, JSON.stringify([...(wished.size ? [[name, [...wished]]] : []), ...others].slice(0, TABLES)));
  } catch {
    // Not kept; it holds until the page is closed.
  }
}
