// The words of this page; apart from the others, so that only whoever opens it loads them.

import "../fonts/house.css";
import type english from "../../../src/punto/words/en/audit.json";
import { wordsIn } from "../words/language.svelte";
import type { WordsOf } from "../words/sentence";

/** Words that code looks up by a name that it was sent. */
type Named = Record<"movements" | "accounts" | "wrongs" | "results" | "statuses", Record<string, string>>;
export type AuditWords = Omit<WordsOf<typeof english>, keyof Named> & Named;

export const auditWords = await wordsIn<AuditWords>(import.meta.glob<AuditWords>("../../../src/punto/words/*/audit.json", { import: "default" }));
