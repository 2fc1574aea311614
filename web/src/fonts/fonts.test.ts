import { describe, expect, it } from "vitest";

import characters from "./characters.txt?raw";
import houseCss from "./house.css?raw";
import ownCss from "./slices.css?raw";

const PAGES = import.meta.glob(["../**/*.ts", "../**/*.svelte", "!../**/*.test.ts"], { query: "?raw", import: "default", eager: true });
const WORDS = import.meta.glob(["../../../src/punto/words/zh_*/*", "../../../src/punto/words/zh_*/books/catalogue.toml", "!**/conditions.toml"], { query: "?raw", import: "default", eager: true });
const OWN = [...Object.keys(import.meta.glob("../*/words.ts")).map((path) => `/${path.split("/").at(-2)}.json`), "/doctor.toml", "/problems.toml", "/book.toml", "/catalogue.toml"];
const BOOKS = import.meta.glob(["../../../src/punto/books/*.toml", "../../../src/punto/books/bets/*.toml"], { query: "?raw", import: "default", eager: true });
const RULES = import.meta.glob(["../../../src/punto/words/zh_*/conditions.toml", "../../../src/punto/words/zh_*/books/*.toml", "!**/books/catalogue.toml"], { query: "?raw", import: "default", eager: true });

const of = (files: Record<string, unknown>, folder: string) => Object.entries(files).filter(([path]) => path.includes(`/${folder}/`)).map(([, text]) => String(text));
const linesOf = (folder: string) => of(RULES, folder).flatMap((text) => text.split("\n")).filter((line) => !line.startsWith("#"));
const shownIn = (texts: unknown[]) => [...new Set(texts.flatMap((text) => String(text).match(/[⺀-鿿豈-﫿＀-￯]/gu) ?? []))];

const slicesCss = ownCss + houseCss;
const CJK = Array.from({ length: 0xffff - 0x2e80 }, (_, i) => String.fromCodePoint(0x2e80 + i));

/** What the file of a part of a font is asked for. */
function sliceOf(name: string): (character: string) => boolean {
  const face = slicesCss.split("@font-face").find((part) => part.includes(name)) ?? "";
  const runs = [...face.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].map(([, first, last]) => [parseInt(first!, 16), parseInt(last ?? first!, 16)] as const);
  return (character) => runs.some(([first, last]) => first <= character.codePointAt(0)! && character.codePointAt(0)! <= last);
}

describe.each([
  ["sc", "zh_hans", 0],
  ["tc", "zh_hant", 1],
])("the fonts have every Chinese character that a page can show, else run tools/fonts.py: %s", (script, folder, line) => {
  const [isRound, isRest] = [sliceOf(`noto-sans-${script}-round-400`), sliceOf(`noto-sans-${script}-table-400`)];
  const isTable = (character: string) => isRound(character) || isRest(character);
  const rest = characters.split("\n")[line]!;
  const page = { includes: (character: string) => rest.includes(character) || isTable(character) };
  const isFelt = sliceOf(`noto-sans-${script}-felt-400`);
  const labels = Object.values(BOOKS).flatMap((text) => [...String(text).matchAll(new RegExp(`${folder} = "([^"]*)"`, "g"))].map(([, label]) => label));

  it("in words, labels, titles and calls", () => {
    expect(Object.keys(PAGES).length).toBeGreaterThan(40);
    const titles = linesOf(folder).filter((text) => text.startsWith("title = "));
    expect([titles.length, labels.length > 40]).toEqual([5, true]);
    const common = Object.fromEntries(Object.entries(WORDS).filter(([path]) => !OWN.some((name) => path.endsWith(name))));
    const shown = shownIn([...Object.values(PAGES), ...of(common, folder), ...labels, ...titles]);
    expect(shown.filter((character) => !page.includes(character) && !isFelt(character))).toEqual([]);
  });

  it("in clauses and conditions", () => {
    const isRule = sliceOf(`noto-sans-${script}-rules-400`);
    const shown = shownIn(linesOf(folder));
    expect(shown.length).toBeGreaterThan(200);
    expect(shown.filter((character) => !page.includes(character) && !isFelt(character) && !isRule(character))).toEqual([]);
  });

  it("in the words of pages of their own", () => {
    const isRule = sliceOf(`noto-sans-${script}-rules-400`);
    const isHouse = sliceOf(`noto-sans-${script}-house-400`);
    const own = Object.fromEntries(Object.entries(WORDS).filter(([path]) => OWN.some((name) => path.endsWith(name))));
    const shown = shownIn(of(own, folder));
    expect(OWN.length).toBeGreaterThan(5);
    expect(shown.filter((character) => !page.includes(character) && !isFelt(character) && !isRule(character) && !isHouse(character))).toEqual([]);
  });

  it("in both weights: text in bold would have gaps", () => {
    // What is bold all the time lies in other files than what is not; together they have the same.
    for (const parts of [["felt", "round", "table"], ["rules"], ["house"]]) {
      const [normal, bold] = [400, 600].map((weight) => {
        const slices = parts.map((part) => sliceOf(`noto-sans-${script}-${part}-${weight}`));
        return CJK.filter((one) => slices.some((isIn) => isIn(one)));
      });
      expect(normal!.length).toBeGreaterThan(30);
      expect([parts, bold]).toEqual([parts, normal]);
    }
  });

  it("with a small file for what a round shows, and a smaller one for what is bold in it", () => {
    const [normal, bold] = [400, 600].map((weight) => CJK.filter(sliceOf(`noto-sans-${script}-round-${weight}`)).length);
    expect([normal! > 60, normal! < 150, bold! > 20, bold! < 60]).toEqual([true, true, true, true]);
  });

  it("with a small file for what an English page calls a second time", () => {
    const calls = of(WORDS, folder).find((text) => text.includes("bets-closed"))!.split("\n[reason]")[0];
    expect(shownIn([calls]).filter((character) => !isFelt(character))).toEqual([]);
    expect([...rest].filter((character) => isFelt(character) || isTable(character))).toEqual([]);
  });
});
