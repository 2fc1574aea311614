// Which language the pages speak: the last one chosen on this machine, else the browser's.

import { en, type Words } from "./en";
import { zhHans } from "./zh-hans";
import { zhHant } from "./zh-hant";

export type Code = "en" | "zh-Hans" | "zh-Hant";

export const LANGUAGES: Record<Code, { words: Words; own: string; field: "en" | "zh_hans" | "zh_hant" }> = {
  en: { words: en, own: "English", field: "en" },
  "zh-Hans": { words: zhHans, own: "简体中文", field: "zh_hans" },
  "zh-Hant": { words: zhHant, own: "繁體中文", field: "zh_hant" },
};

const KEPT = "punto.language";

export const language = $state<{ code: Code }>({ code: firstLanguage() });

export function words(): Words {
  return LANGUAGES[language.code].words;
}

export function speak(code: Code): void {
  language.code = code;
  document.documentElement.lang = code;
  try {
    localStorage.setItem(KEPT, code);
  } catch {
    // A browser that keeps nothing still speaks the language until it is closed.
  }
}

/** A name or a text of a book in three languages; English where the book has no Chinese. */
export interface Label {
  en: string;
  zh_hans?: string | null;
  zh_hant?: string | null;
}

export function labelOf(label: Label | null | undefined): string {
  return label ? (label[LANGUAGES[language.code].field] ?? label.en) : "";
}

/** The same in the other language of the trade, Chinese on an English page and English on a Chinese one. */
export function secondOf(label: Label | null | undefined): { text: string; lang: "en" | "zh-Hant" } | null {
  const [text, lang] = language.code === "en" ? ([label?.zh_hant, "zh-Hant"] as const) : ([label?.en, "en"] as const);
  return text && text !== labelOf(label) ? { text, lang } : null;
}

/** The language of a text that a book has in English only, for its `lang`; none where the page's own holds. */
export function langOf(label: Label | null | undefined): "en" | undefined {
  return language.code !== "en" && label && labelOf(label) === label.en ? "en" : undefined;
}

export function languageOf(tag: string): Code {
  if (!/^zh\b/i.test(tag)) return "en";
  return /hant|tw|hk|mo/i.test(tag) ? "zh-Hant" : "zh-Hans";
}

function firstLanguage(): Code {
  try {
    const kept = localStorage.getItem(KEPT);
    if (kept && kept in LANGUAGES) return kept as Code;
  } catch {
    // Nothing is kept: the browser's own language is taken.
  }
  return languageOf(typeof navigator === "undefined" ? "en" : navigator.language);
}
