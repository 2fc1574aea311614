import { describe, expect, it } from "vitest";

import consoleEn from "../../../src/punto/words/en/console.json";
import en from "../../../src/punto/words/en/page.json";
import auditEn from "../../../src/punto/words/en/audit.json";
import boardEn from "../../../src/punto/words/en/board.json";
import cageEn from "../../../src/punto/words/en/cage.json";
import lobbyEn from "../../../src/punto/words/en/lobby.json";
import oddsEn from "../../../src/punto/words/en/odds.json";
import officeEn from "../../../src/punto/words/en/office.json";
import pitEn from "../../../src/punto/words/en/pit.json";
import reportsEn from "../../../src/punto/words/en/reports.json";
import shoeEn from "../../../src/punto/words/en/shoe.json";
import stopEn from "../../../src/punto/words/en/stop.json";

/** The words of pages of their own, which code calls by the function of their page. */
const OWN: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ["audit", auditEn, "auditWords\\(\\)"],
  ["board", boardEn, "boardWords\\(\\)"],
  ["cage", cageEn, "cageWords\\(\\)"],
  ["lobby", lobbyEn, "lobbyWords\\(\\)"],
  ["odds", oddsEn, "oddsWords\\(\\)"],
  ["office", officeEn, "officeWords\\(\\)"],
  ["pit", pitEn, "pitWords\\(\\)"],
  ["reports", reportsEn, "reportsWords\\(\\)"],
  ["shoe", shoeEn, "shoeWords\\(\\)"],
  ["stop", stopEn, "stopWords\\(\\)"],
];

const SOURCES = import.meta.glob(["../**/*.ts", "../**/*.svelte", "!../**/*.test.ts"], { query: "?raw", import: "default", eager: true });
const CODE = Object.values(SOURCES).map(String).join("\n");

/** Words that no code names. Of a group it is enough that code looks one up by a name that it was sent. */
function unused(words: object, said: string): string[] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) => {
    const here = `(?<![\\w.])${said}\\.${key}\\b`;
    if (!new RegExp(here).test(CODE)) return [key];
    if (typeof value !== "object" || value === null || "by" in value || new RegExp(`${here}(\\?\\.)?\\[`).test(CODE)) return [];
    return Object.keys(value).filter((inner) => !new RegExp(`${here}\\.${inner}\\b`).test(CODE)).map((inner) => `${key}.${inner}`);
  });
}

/** The gaps of a sentence, or of all sentences of a group. */
function gapsOf(words: unknown): string[] {
  if (typeof words === "string") return [...words.matchAll(/\{(\w+)\}/g)].map(([, gap]) => gap!);
  const inner = Object.entries(words as object);
  return inner.flatMap(([key, value]: [string, unknown]) => (key === "by" ? [String(value)] : gapsOf(value)));
}

/** The gaps that code fills in of each sentence, with those that the sentence has. */
function filled(words: Record<string, unknown>, said: string): [string, string[], string[]][] {
  const calls = [...CODE.matchAll(new RegExp(`\\bsay\\(${said}\\.(\\w+)(?:\\[[^\\]]*\\])?, `, "g"))];
  return calls.map((call) => {
    const key = call.at(-1)!;
    return [key, namesIn(CODE.slice(call.index + call[0].length)).sort(), [...new Set(gapsOf(words[key]))].sort()];
  });
}

/** The names of the object that a text begins with: `{ n: one(2, 3), all }` has n and all. */
function namesIn(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  for (let i = 0, start = 1; i < text.length; i++) {
    const sign = text[i]!;
    if ("([{".includes(sign)) depth++;
    if (")]}".includes(sign)) depth--;
    if ((sign === "," && depth === 1) || depth === 0) {
      names.push(text.slice(start, i).split(":")[0]!.trim());
      start = i + 1;
    }
    if (depth === 0) break;
  }
  return names;
}

describe("every gap is filled in, and nothing else", () => {
  it.each<readonly [string, Record<string, unknown>, string, number]>([
    ["pages", en, "words(?:\\(\\))?", 50],
    ["console", consoleEn, "(?:consoleWords\\(\\)|mine|console)", 18],
    ...OWN.map(([name, words, said]) => [name, words, said, -1] as const),
  ])("on the %s", (_, words, said, least) => {
    const calls = filled(words, said);
    expect(calls.length).toBeGreaterThan(least);
    expect(calls.filter(([, given, gaps]) => given.join() !== gaps.join())).toEqual([]);
  });

  it("and no sentence with gaps is shown as it is", () => {
    const bare = Object.entries({ ...en, ...consoleEn }).filter(([, value]) => gapsOf(value).length > 0).map(([key]) => key);
    const shown = bare.filter((key) => new RegExp(`(?<!say\\()(?<![\\w.])(words(\\(\\))?|consoleWords\\(\\)|mine|console)\\.${key}\\b`).test(CODE));
    expect(shown).toEqual([]);
  });

  it.each(OWN)("and none of the words of %s", (_, words, said) => {
    const bare = Object.entries(words).filter(([, value]) => gapsOf(value).length > 0).map(([key]) => key);
    expect(bare.filter((key) => new RegExp(`(?<!say\\(|keys\\()(?<![\\w.])${said}\\.${key}\\b`).test(CODE))).toEqual([]);
  });
});

describe("every word is used", () => {
  it("on the pages", () => {
    expect(Object.keys(SOURCES).length).toBeGreaterThan(40);
    expect(unused(en, "words(\\(\\))?")).toEqual([]);
  });

  it("on the console", () => {
    expect(unused(consoleEn, "(consoleWords\\(\\)|mine|console)")).toEqual([]);
  });

  it.each(OWN)("on the page %s", (_, words, said) => {
    expect(unused(words, said)).toEqual([]);
  });
});
