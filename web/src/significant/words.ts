// Words for acts of the house: what kind each is, whom or what it is about, and who did it. The audit and the report of
// alterations say them alike; apart from the others, so that only whoever opens one of those loads them.

import "../fonts/house.css";
import type english from "../../../src/punto/words/en/significant.json";
import { wordsIn } from "../words/language.svelte";
import type { WordsOf } from "../words/sentence";

/** Words that code looks up by a name that it was sent. */
type Named = Record<"codes" | "fields" | "ofHouse", Record<string, string>>;
export type ActWords = Omit<WordsOf<typeof english>, keyof Named> & Named;

export const actWords = await wordsIn<ActWords>(import.meta.glob<ActWords>("../../../src/punto/words/*/significant.json", { import: "default" }));

/** Whoever did something: what the house does by itself has names that nobody logs in by. */
export const whoIs = (name: string): string => actWords().ofHouse[name] ?? name;

/** What kinds of acts are called, by their codes. */
export const codeNames = (): Record<string, string> => actWords().codes;

/** Whom or what an act is about: of "roles/Lee" the name, as the kind of act has said the rest. */
export const aboutOf = (subject: string): string => whoIs(subject.split("/").slice(subject.startsWith("protection/") ? 2 : 1).join("/") || subject);
