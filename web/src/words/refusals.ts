// Refusals in the language of the page. The server's sentence is English; each other language has words for every reason.

import { Refused, useWordsOfRefusals } from "../api/client";
import type { AreaView, PlayMeasure, PlayPeriod, RefusalText } from "../api/schema";
import { labelOf, language, say, words, wordsLater } from "./language.svelte";
import { money } from "./numbers";

const sentences = wordsLater<Record<string, string>>(import.meta.glob<Record<string, string>>(["../../../src/punto/words/*/refusals.json", "!**/en/*"], { import: "default" }));

/** Have the words there before something may be refused. */
export const fetchRefusals = sentences.fetch;
useWordsOfRefusals(fetchRefusals);

/** What a betting area is called. */
export type Named = Pick<AreaView, "area" | "label">;

/** Parameters that name a betting area, or several with "or" between them. */
const AREAS = new Set(["ante", "area", "main", "needs", "wager"]);

/** A refusal to a reader; `areas` are those of the table that refused, whose names it may have in it. */
export function refusalWords(refusal: RefusalText, areas: readonly Named[] = []): string {
  const pattern = sentences.now()?.[refusal.reason];
  if (pattern === undefined) return sentence(named(refusal, areas));
  const text = pattern.replace(/\{(\w+)\}/g, (_, name: string) => shown(name, String(refusal.params[name] ?? ""), areas));
  return refusal.clause ? text + say(words().aside, { text: refusal.clause }) : text;
}

/** Why something did not go through: the refusal, or that the server could not be reached. */
export function problemWords(error: unknown, areas: readonly Named[] = []): string {
  return error instanceof Refused ? refusalWords(error.refusal, areas) : words().unreachable;
}

function shown(name: string, value: string, areas: readonly Named[]): string {
  if (name === "rank") return words().role[value] ?? value;
  if (name === "what" && value in words().limitWhat) return words().limitWhat[value as PlayMeasure];
  if (name === "period" && value in words().limitPeriod) return words().limitPeriod[value as PlayPeriod];
  if (name === "hand") return value === "player" ? words().player : value === "banker" ? words().banker : "";
  if (AREAS.has(name)) return labelsOf(value, areas).join(words().or);
  return /^\d+\.\d\d$/.test(value) ? money(Math.round(Number(value) * 100), language.code) : value;
}

/** The server's sentence with the names of betting areas, which are longer words before shorter ones that are part of them. */
function named({ sentence, params }: RefusalText, areas: readonly Named[]): string {
  const values = Object.entries(params).filter(([name]) => AREAS.has(name)).map(([, value]) => String(value));
  return values.sort((a, b) => b.length - a.length).reduce((text, value) => text.replace(value, () => labelsOf(value, areas).join(" or ")), sentence);
}

function labelsOf(value: string, areas: readonly Named[]): string[] {
  return value.split(" or ").map((one) => labelOf(areas.find((area) => area.area === one)?.label) || one);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
