// The words of a shoe that is checked; apart from all others, because the file that anybody keeps has these alone.

import type english from "../../../src/punto/words/en/shoe.json";
import type { WordsOf } from "../words/sentence";

export type ShoeWords = WordsOf<typeof english>;

const FILES = import.meta.glob<ShoeWords>("../../../src/punto/words/*/shoe.json", { import: "default", eager: true });

/** By the folder of the language: `zh_hans`. */
export const SHOE_WORDS: Record<string, ShoeWords> = Object.fromEntries(Object.entries(FILES).map(([path, file]) => [path.split("/").at(-2)!, file]));
