// The words of this page; apart from the others, so that only whoever opens it loads them.

import "../fonts/house.css";
import type english from "../../../src/punto/words/en/cage.json";
import { wordsIn } from "../words/language.svelte";
import type { WordsOf } from "../words/sentence";

/** Words that code looks up by a name that it was sent. */
type Named = Record<"acts" | "decided" | "ended" | "slipTexts", Record<string, string>>;
export type CageWords = Omit<WordsOf<typeof english>, keyof Named> & Named;

export const cageWords = await wordsIn<CageWords>(import.meta.glob<CageWords>("../../../src/punto/words/*/cage.json", { import: "default" }));
