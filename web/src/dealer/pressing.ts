// One key gives one act after the other, each another one: between two of them is the time that a person needs to see what
// the first one did. Whoever presses in between, by a key that bounces or a double click, has not seen it.

/** Milliseconds: to see that something else stands there, to read it, and to press. */
export const TIME_TO_SEE_MS = 700;

export class Pressing {
  private last = -Infinity;

  /** Whether a press now is meant for what stands there now. One that is not counts as none, and the time begins anew. */
  take(now: number): boolean {
    const isMeant = now - this.last >= TIME_TO_SEE_MS;
    this.last = now;
    return isMeant;
  }
}
