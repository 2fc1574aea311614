// The words of this page; apart from the others, so that only whoever opens it loads them.

import "../fonts/house.css";
import type english from "../../../src/punto/words/en/pit.json";
import { wordsIn } from "../words/language.svelte";
import type { WordsOf } from "../words/sentence";

/** Words that code looks up by a name that it was sent. */
type Named = Record<"alertKinds" | "paces" | "terms" | "values" | "events" | "resolutions", Record<string, string>>;
export type PitWords = Omit<WordsOf<typeof english>, keyof Named> & Named;

export const pitWords = await wordsIn<PitWords>(import.meta.glob<PitWords>("../../../src/punto/words/*/pit.json", { import: "default" }));
