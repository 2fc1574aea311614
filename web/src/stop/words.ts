// The words of stopping play; apart from the others, because pit and office share them.

import "../fonts/house.css";
import type english from "../../../src/punto/words/en/stop.json";
import { wordsIn } from "../words/language.svelte";
import type { WordsOf } from "../words/sentence";

export type StopWords = WordsOf<typeof english>;

export const stopWords = await wordsIn<StopWords>(import.meta.glob<StopWords>("../../../src/punto/words/*/stop.json", { import: "default" }));
