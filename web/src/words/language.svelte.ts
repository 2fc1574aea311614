// Which language the pages speak: the last one chosen on this machine, else the browser's. Every language is a folder
// of src/punto/words; adding one is adding files there. Only the words of the spoken language are fetched: those of a page
// before it is drawn, and those of another language before it is spoken.

import type page from "../../../src/punto/words/en/page.json";
import { preferences } from "../state/preferences.svelte";
import { gapsFilled, type Gaps, type Sentence, type WordsOf } from "./sentence";

/** A language by its tag, as browsers write it: zh-Hans. */
export type Code = string;

/** Words that code looks up by a name that it was sent. */
type Named = Record<"ranks" | "payWords" | "role" | "squeezeKinds" | "patterns" | "housePages", Record<string, string>>;
export type Words = Omit<WordsOf<typeof page>, keyof Named> & Named;

export interface Language {
  code: Code;
  /** What it calls itself. */
  name: string;
  /** Its folder, which is its key in the labels that the server sends. */
  field: string;
  /** Tags of browsers whose readers read it, or the beginnings of them. */
  readers: string[];
}

const ENGLISH = "en";
const FELT = "zh-Hant";
/** The choice of no second language. */
export const NO_SECOND = "none";
const KEPT = "punto.language";

export const LANGUAGES = languagesIn(import.meta.glob<{ tag: string; name: string; readers: string }>("../../../src/punto/words/*/language.json", { import: "default", eager: true }));

export const language = $state<{ code: Code }>({ code: firstLanguage() });

/** The languages of these files, English first. */
export function languagesIn(files: Record<string, { tag: string; name: string; readers: string }>): Language[] {
  const all = Object.entries(byField(files)).map(([field, { tag, name, readers }]) => ({ code: tag, name, field, readers: readers.split(" ") }));
  return all.sort((a, b) => Number(b.field === ENGLISH) - Number(a.field === ENGLISH) || a.code.localeCompare(b.code));
}

/** Files by the folder that they are in. */
export function byField<File>(files: Record<string, File>): Record<string, File> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path.split("/").at(-2)!, file]));
}

/** The language of the page. */
export function spoken(): Language {
  return LANGUAGES.find(({ code }) => code === language.code) ?? LANGUAGES[0]!;
}

/** How the words of another language are fetched, of each kind of words that some page has asked for. */
const fetching: ((field: string) => Promise<unknown>)[] = [];

/** The words of one kind, from files of which each language has one: those of the spoken language are there when this is,
 *  and those of another before it is spoken. A module waits for it (`export const boardWords = await wordsIn(...)`), and so
 *  does whoever imports that module: a page is not drawn before its words are there. */
export async function wordsIn<Kind>(files: Record<string, () => Promise<Kind>>): Promise<() => Kind> {
  const all = byField(files);
  const kept: Record<string, Kind> = {};
  const fetchOne = async (field: string) => {
    const file = all[field];
    if (file && !(field in kept)) kept[field] = await file();
  };
  fetching.push(fetchOne);
  await fetchOne(spoken().field);
  return () => kept[spoken().field]!;
}

/** The same for words that are seldom needed: they are fetched with the first act of the viewer, or when they are first asked
 *  for, and stand in the page as soon as they are there. */
export function wordsLater<Kind>(files: Record<string, () => Promise<Kind>>): { now: () => Kind | undefined; fetch: () => Promise<void> } {
  const all = byField(files);
  const kept = $state.raw<{ words: Record<string, Kind> }>({ words: {} });
  let isWanted = false;
  const fetchOne = async (field: string) => {
    const file = all[field];
    if (!file || !isWanted || field in kept.words) return;
    const found = await file();
    kept.words = { ...kept.words, [field]: found };
  };
  fetching.push(fetchOne);
  const fetch = async () => {
    isWanted = true;
    await fetchOne(spoken().field).catch(() => undefined); // without a connection the server's own sentence stands
  };
  return {
    now: () => {
      const found = kept.words[spoken().field];
      if (found === undefined) void fetch();
      return found;
    },
    fetch,
  };
}

export const words = await wordsIn<Words>(import.meta.glob<Words>("../../../src/punto/words/*/page.json", { import: "default" }));

/** A sentence with its gaps filled in. */
export function say(sentence: Sentence, gaps: Gaps): string {
  return gapsFilled(sentence, gaps, language.code);
}

let chosen = language.code;

/** Speak another language as soon as its words are there: of two choices the last one holds, and without a connection the
 *  page goes on as it was. */
export async function speak(code: Code, { isKept = true } = {}): Promise<void> {
  chosen = code;
  const field = LANGUAGES.find((one) => one.code === code)?.field ?? ENGLISH;
  try {
    await Promise.all(fetching.map((fetchOne) => fetchOne(field)));
  } catch {
    return;
  }
  if (chosen !== code) return;
  language.code = code;
  if (typeof document !== "undefined") document.documentElement.lang = code;
  if (!isKept) return;
  try {
    localStorage.setItem(KEPT, code);
  } catch {
    // A browser that keeps nothing still speaks the language until it is closed.
  }
}

/** A name or a text of a book in every language; English where the book has no other. */
export interface Label {
  en: string;
  zh_hans?: string | null;
  zh_hant?: string | null;
}

export function labelOf(label: Label | null | undefined): string {
  return label ? ((label as unknown as Record<string, string | null | undefined>)[spoken().field] ?? label.en) : "";
}

/** The language in which the felt says things a second time: as chosen, else English on a page in any other language,
 *  and on an English one the first of the browser's languages that we have, else traditional Chinese as on felts. */
export function second(): Language | null {
  if (preferences.second === NO_SECOND) return null;
  const others = LANGUAGES.filter(({ code }) => code !== language.code);
  const usual = language.code === ENGLISH ? (browserLanguages().find((code) => code !== ENGLISH) ?? FELT) : ENGLISH;
  return others.find(({ code }) => code === preferences.second) ?? others.find(({ code }) => code === usual) ?? null;
}

/** The same in the second language; none where that has no other words for it. */
export function secondOf(label: Label | null | undefined): { text: string; lang: Code } | null {
  const other = second();
  const text = other && (label as unknown as Record<string, string | null | undefined> | null | undefined)?.[other.field];
  return text && text !== labelOf(label) ? { text, lang: other.code } : null;
}

/** The language of a text that a book has in English only, for its `lang`; none where the page's own holds. */
export function langOf(label: Label | null | undefined): "en" | undefined {
  return language.code !== ENGLISH && label && labelOf(label) === label.en ? "en" : undefined;
}

/** The language for a browser's tag: the one whose readers it names most exactly, else English. */
export function languageOf(tag: string, languages: readonly Language[] = LANGUAGES): Code {
  const fits = (reader: string) => `${tag.toLowerCase()}-`.startsWith(`${reader.toLowerCase()}-`);
  const found = languages.flatMap(({ code, readers }) => readers.filter(fits).map((reader) => ({ code, exact: reader.length })));
  return found.sort((a, b) => b.exact - a.exact)[0]?.code ?? ENGLISH;
}

function firstLanguage(): Code {
  try {
    const kept = localStorage.getItem(KEPT);
    if (kept && LANGUAGES.some(({ code }) => code === kept)) return kept;
  } catch {
    // Nothing is kept: the browser's own language is taken.
  }
  return languageOf(typeof navigator === "undefined" ? ENGLISH : navigator.language);
}

function browserLanguages(): Code[] {
  return typeof navigator === "undefined" ? [] : (navigator.languages ?? []).map((tag) => languageOf(tag));
}
