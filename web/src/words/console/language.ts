// The words of the dealer's console; apart from the others, so that only whoever opens a console loads them.

import { language, type Code } from "../language.svelte";
import { consoleEn, type ConsoleWords } from "./en";
import { consoleZhHans } from "./zh-hans";
import { consoleZhHant } from "./zh-hant";

export const CONSOLE_WORDS: Record<Code, ConsoleWords> = { en: consoleEn, "zh-Hans": consoleZhHans, "zh-Hant": consoleZhHant };

export function consoleWords(): ConsoleWords {
  return CONSOLE_WORDS[language.code];
}
