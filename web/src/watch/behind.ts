// How late somebody without an account sees things, in words.

import type { Words } from "../words/language.svelte";
import type { Gaps, Sentence } from "../words/sentence";

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

type Late = Pick<Words, "watchingSeconds" | "watchingMinutes" | "watchingHours">;

/** Seconds; minutes and hours where they are whole ones, and more than a minute. */
export function behindWords(seconds: number, words: Late, say: (sentence: Sentence, gaps: Gaps) => string): string {
  if (seconds > MINUTE_S && seconds % HOUR_S === 0) return say(words.watchingHours, { n: seconds / HOUR_S });
  if (seconds > MINUTE_S && seconds % MINUTE_S === 0) return say(words.watchingMinutes, { n: seconds / MINUTE_S });
  return say(words.watchingSeconds, { n: seconds });
}
