import { describe, expect, it } from "vitest";

import { consoleEn } from "./console/en";
import { en } from "./en";

const SOURCES = import.meta.glob(["../**/*.ts", "../**/*.svelte", "!../**/*.test.ts", "!./{en,zh-hans,zh-hant}.ts", "!./console/*"], { query: "?raw", import: "default", eager: true });
const CODE = Object.values(SOURCES).map(String).join("\n");

/** Words that no code names. Of a group it is enough that code looks one up by a name that it was sent. */
function unused(words: object, said: string): string[] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) => {
    const here = `(?<![\\w.])${said}\\.${key}\\b`;
    if (!new RegExp(here).test(CODE)) return [key];
    if (typeof value !== "object" || value === null || new RegExp(`${here}(\\?\\.)?\\[`).test(CODE)) return [];
    return Object.keys(value).filter((inner) => !new RegExp(`${here}\\.${inner}\\b`).test(CODE)).map((inner) => `${key}.${inner}`);
  });
}

describe("every word is used", () => {
  it("on the pages", () => {
    expect(Object.keys(SOURCES).length).toBeGreaterThan(40);
    expect(unused(en, "words(\\(\\))?")).toEqual([]);
  });

  it("on the console", () => {
    expect(unused(consoleEn, "(consoleWords\\(\\)|mine|console)")).toEqual([]);
  });
});
