// The words of this page; apart from the others, so that only whoever opens it loads them.

import "../fonts/house.css";
import type english from "../../../src/punto/words/en/office.json";
import { wordsIn } from "../words/language.svelte";
import type { Sentence, WordsOf } from "../words/sentence";

/** Words that code looks up by a name that it was sent. */
type Named = Record<"rooms" | "inviteStates" | "ruleNames" | "ruleTexts" | "ruleGroups" | "ruleValues" | "profiles" | "profileTexts" | "checks" | "bookSections" | "concerns", Record<string, string>> & Record<"effects", Record<string, Sentence>>;
export type OfficeWords = Omit<WordsOf<typeof english>, keyof Named> & Named;

export const officeWords = await wordsIn<OfficeWords>(import.meta.glob<OfficeWords>("../../../src/punto/words/*/office.json", { import: "default" }));
