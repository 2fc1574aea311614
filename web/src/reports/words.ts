// The words of this page; apart from the others, so that only whoever opens it loads them. The command line and the
// files of reports have their heads from the same file.

import "../fonts/house.css";
import type english from "../../../src/punto/words/en/reports.json";
import { codeNames } from "../significant/words";
import { consoleWords } from "../words/console";
import { wordsIn } from "../words/language.svelte";
import type { WordsOf } from "../words/sentence";

/** Words that code looks up by a name that it was sent. */
type Named = Record<"kinds" | "kindTexts" | "rows" | "columns" | "totals" | "charts" | "codes" | "periods", Record<string, string>>;
export type ReportsWords = Omit<WordsOf<typeof english>, keyof Named> & Named;

export const reportsWords = await wordsIn<ReportsWords>(import.meta.glob<ReportsWords>("../../../src/punto/words/*/reports.json", { import: "default" }));

/** What a code of a report says: an irregularity, an alteration, or whose an account is. */
export function codeWords(code: string): string {
  return reportsWords().codes[code] ?? consoleWords().findings[code] ?? codeNames()[code] ?? code;
}
