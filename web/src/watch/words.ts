// The words of these pages; apart from the others, so that only whoever opens them loads them.

import "../fonts/house.css";
import type english from "../../../src/punto/words/en/watch.json";
import { wordsIn } from "../words/language.svelte";
import type { WordsOf } from "../words/sentence";

export type WatchWords = WordsOf<typeof english>;

export const watchWords = await wordsIn<WatchWords>(import.meta.glob<WatchWords>("../../../src/punto/words/*/watch.json", { import: "default" }));
