// What is done in a room of the office: one thing at a time, with the password again where it was given too long ago;
// then the room looks at what there is now.

import { Unreachable } from "../api/client";
import { freshly } from "../state/fresh.svelte";
import { problemWords } from "../words/refusals";
import { officeWords } from "./words";

export class Acting {
  isBusy = $state(false);
  problem = $state("");

  constructor(private readonly look: () => Promise<void>) {}

  /** Whether it was done; why not is said in `problem`. */
  async act(does: () => Promise<unknown>): Promise<boolean> {
    if (this.isBusy) return false; // pressed twice is meant once
    [this.isBusy, this.problem] = [true, ""];
    try {
      await freshly(does);
      await this.look();
      return true;
    } catch (error) {
      const isUnknown = error instanceof Unreachable;
      if (isUnknown) await this.look().catch(() => undefined); // it may have been done: what there is now says so
      this.problem = isUnknown ? officeWords().unanswered : problemWords(error);
      return false;
    } finally {
      this.isBusy = false;
    }
  }
}
