import { describe, expect, it } from "vitest";

import characters from "./characters.txt?raw";

const SOURCES = import.meta.glob(["../**/*.ts", "../**/*.svelte", "../**/*.json", "../../../src/punto/books/**/*.toml", "../../../src/punto/views/**/*.py", "!../**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

describe("the fonts", () => {
  it("have every Chinese character that a page can show: else run tools/fonts.py", () => {
    const shown = new Set(Object.values(SOURCES).flatMap((text) => String(text).match(/[⺀-鿿豈-﫿＀-￯]/gu) ?? []));
    expect(Object.keys(SOURCES).length).toBeGreaterThan(40);
    expect([...shown].filter((character) => !characters.includes(character))).toEqual([]);
  });
});
