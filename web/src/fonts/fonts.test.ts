import { describe, expect, it } from "vitest";

import characters from "./characters.txt?raw";
import rulesCss from "./rules.css?raw";

const PAGES = import.meta.glob(["../**/*.ts", "../**/*.svelte", "../../../src/punto/words/zh_*/*", "../../../src/punto/books/*.toml", "../../../src/punto/books/bets/*.toml", "!../**/*.test.ts", "!**/conditions.toml"], { query: "?raw", import: "default", eager: true });
const RULES = import.meta.glob(["../../../src/punto/words/zh_*/conditions.toml", "../../../src/punto/words/zh_*/books/*.toml"], { query: "?raw", import: "default", eager: true });

const linesOf = (folder: string) => Object.entries(RULES).filter(([path]) => path.includes(folder)).flatMap(([, text]) => String(text).split("\n")).filter((line) => !line.startsWith("#"));
const shownIn = (texts: unknown[]) => [...new Set(texts.flatMap((text) => String(text).match(/[⺀-鿿豈-﫿＀-￯]/gu) ?? []))];

/** What a face of rules.css holds for. */
function rangeOf(family: string): (character: string) => boolean {
  const face = rulesCss.split("@font-face").find((part) => part.includes(`"${family}"`)) ?? "";
  const runs = [...face.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].map(([, first, last]) => [parseInt(first!, 16), parseInt(last ?? first!, 16)] as const);
  return (character) => runs.some(([first, last]) => first <= character.codePointAt(0)! && character.codePointAt(0)! <= last);
}

describe("the fonts have every Chinese character that a page can show: else run tools/fonts.py", () => {
  it("in words, labels, titles and calls, in both weights", () => {
    expect(Object.keys(PAGES).length).toBeGreaterThan(40);
    const titles = linesOf("zh_").filter((line) => line.startsWith("title = "));
    expect(titles.length).toBe(10);
    expect(shownIn([...Object.values(PAGES), ...titles]).filter((character) => !characters.includes(character))).toEqual([]);
  });

  it.each([
    ["Punto SC", "zh_hans/"],
    ["Punto TC", "zh_hant/"],
  ])("in clauses and conditions: %s", (family, folder) => {
    const isThere = rangeOf(family);
    const shown = shownIn(linesOf(folder));
    expect(shown.length).toBeGreaterThan(200);
    expect(shown.filter((character) => !characters.includes(character) && !isThere(character))).toEqual([]);
  });
});
