// The words of the dealer's console; apart from the others, so that only whoever opens a console loads them.

import type english from "../../../src/punto/words/en/console.json";
import { wordsIn } from "./language.svelte";
import type { WordsOf } from "./sentence";

/** Words that code looks up by a name that it was sent. */
type Named = Record<"betStatus" | "sources" | "queueStates" | "queueHeld" | "faces" | "places" | "facts" | "findings" | "awaits" | "possible" | "effects" | "shelves" | "commands" | "slips", Record<string, string>>;
export type ConsoleWords = Omit<WordsOf<typeof english>, keyof Named> & Named;

export const consoleWords = await wordsIn<ConsoleWords>(import.meta.glob<ConsoleWords>("../../../src/punto/words/*/console.json", { import: "default" }));
