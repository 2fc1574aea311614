// The words of this page; apart from the others, so that only whoever opens it loads them.

import "../fonts/house.css";
import type english from "../../../src/punto/words/en/board.json";
import { wordsIn } from "../words/language.svelte";
import type { WordsOf } from "../words/sentence";

export type BoardWords = WordsOf<typeof english>;

export const boardWords = await wordsIn<BoardWords>(import.meta.glob<BoardWords>("../../../src/punto/words/*/board.json", { import: "default" }));
