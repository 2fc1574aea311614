// How late somebody without an account sees things, in words.

import type { Words } from "../words/language.svelte";
import type { Gaps, Sentence } from "../words/sentence";

const MINUTE_S = 60;

/** Seconds, and minutes where they are whole ones and more than one. */
export function behindWords(seconds: number, words: Pick<Words, "watchingSeconds" | "watchingMinutes">, say: (sentence: Sentence, gaps: Gaps) => string): string {
  const minutes = seconds / MINUTE_S;
  return minutes > 1 && Number.isInteger(minutes) ? say(words.watchingMinutes, { n: minutes }) : say(words.watchingSeconds, { n: seconds });
}
