// The words of what lies around the tables: lobby, log-in, account, rules, rounds and help. Whoever is at a table loads none of them.

import type english from "../../../src/punto/words/en/lobby.json";
import { wordsIn } from "./language.svelte";
import type { WordsOf } from "./sentence";

/** Words that code looks up by a name that it was sent. */
type Named = Record<"kinds", Record<string, string>>;
type LobbyWords = Omit<WordsOf<typeof english>, keyof Named> & Named;

export const lobbyWords = await wordsIn<LobbyWords>(import.meta.glob<LobbyWords>("../../../src/punto/words/*/lobby.json", { import: "default" }));
