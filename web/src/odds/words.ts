// The words of this page; apart from the others, so that only whoever opens it loads them.

import "../fonts/house.css";
import type english from "../../../src/punto/words/en/odds.json";
import { wordsIn } from "../words/language.svelte";
import type { WordsOf } from "../words/sentence";

/** Words that code looks up by a name that it was sent. */
type Named = Record<"choices" | "sections", Record<string, string>>;
export type OddsWords = Omit<WordsOf<typeof english>, keyof Named> & Named;

export const oddsWords = await wordsIn<OddsWords>(import.meta.glob<OddsWords>("../../../src/punto/words/*/odds.json", { import: "default" }));

/** What the best policy does: insure, keep open, pass; play or give up. */
export function choiceOf(name: string): string {
  return oddsWords().choices[name] ?? name;
}
