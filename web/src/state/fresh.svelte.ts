// Acts for which the server asks that the password was given lately: where it was not, it is asked for here, and the act goes on.

import { ask, Refused } from "../api/client";
import { problemWords } from "../words/refusals";

interface Fresh {
  /** What is to go on when the password was given; null where nothing waits. */
  waiting: { again: () => void; never: () => void } | null;
}

export const fresh = $state<Fresh>({ waiting: null });

/** Do something; whoever has not given the password lately is asked for it first. */
export async function freshly<T>(does: () => Promise<T>): Promise<T> {
  try {
    return await does();
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.reason !== "password-again") throw error;
    await new Promise<void>((again, never) => {
      fresh.waiting = { again, never: () => never(error) };
    });
    return await does();
  }
}

export async function giveAgain(password: string): Promise<string> {
  try {
    await ask("POST", "/sessions/current/authenticate", { password });
  } catch (error) {
    return problemWords(error);
  }
  fresh.waiting?.again();
  fresh.waiting = null;
  return "";
}

export function leave(): void {
  fresh.waiting?.never();
  fresh.waiting = null;
}
