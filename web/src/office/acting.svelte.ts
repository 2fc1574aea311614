// What is done in a room of the office: one thing at a time, with the password again where it was given too long ago;
// then the room looks at what there is now.

import { freshly } from "../state/fresh.svelte";
import { problemWords } from "../words/refusals";

export class Acting {
  isBusy = $state(false);
  problem = $state("");

  constructor(private readonly look: () => Promise<void>) {}

  /** Whether it was done; why not is said in `problem`. */
  async act(does: () => Promise<unknown>): Promise<boolean> {
    [this.isBusy, this.problem] = [true, ""];
    try {
      await freshly(does);
      await this.look();
      return true;
    } catch (error) {
      this.problem = problemWords(error);
      return false;
    } finally {
      this.isBusy = false;
    }
  }
}
