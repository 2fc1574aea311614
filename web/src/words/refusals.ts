// Refusals in the language of the page. The server's sentence is English; each reason has its words here in Chinese.

import type { RefusalText } from "../api/schema";
import { language } from "./language.svelte";
import hans from "./refusals.zh-hans.json";
import hant from "./refusals.zh-hant.json";

const CHINESE: Record<string, Record<string, string>> = { "zh-Hans": hans, "zh-Hant": hant };

export function refusalWords(refusal: RefusalText, code: string = language.code): string {
  const pattern = CHINESE[code]?.[refusal.reason];
  if (pattern === undefined) return sentence(refusal.sentence);
  const text = pattern.replace(/\{(\w+)\}/g, (_, name: string) => shown(refusal.params[name]));
  return refusal.clause ? `${text}（${refusal.clause}）` : text;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value.replace(/\.00$/, "") : String(value ?? "");
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
