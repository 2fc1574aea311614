// Refusals in the language of the page. The server's sentence is English; each other language has words for every reason.

import { Refused } from "../api/client";
import type { AreaView, PlayMeasure, PlayPeriod, RefusalText } from "../api/schema";
import { labelOf, language, say, words, wordsIn } from "./language.svelte";
import { money } from "./numbers";

const sentences = await wordsIn<Record<string, string> | undefined>(import.meta.glob<Record<string, string>>(["../../../src/punto/words/*/refusals.json", "!**/en/*"], { import: "default" }));

/** Parameters that name a betting area, or several with "or" between them. */
const AREAS = new Set(["ante", "area", "main", "needs", "wager"]);

/** A refusal to a reader; `areas` are those of the table that refused, whose names it may have in it. */
export function refusalWords(refusal: RefusalText, areas: readonly AreaView[] = []): string {
  const pattern = sentences()?.[refusal.reason];
  if (pattern === undefined) return sentence(named(refusal, areas));
  const text = pattern.replace(/\{(\w+)\}/g, (_, name: string) => shown(name, String(refusal.params[name] ?? ""), areas));
  return refusal.clause ? text + say(words().aside, { text: refusal.clause }) : text;
}

/** Why something did not go through: the refusal, or that the server could not be reached. */
export function problemWords(error: unknown, areas: readonly AreaView[] = []): string {
  return error instanceof Refused ? refusalWords(error.refusal, areas) : words().offline;
}

function shown(name: string, value: string, areas: readonly AreaView[]): string {
  if (name === "rank") return words().role[value] ?? value;
  if (name === "what" && value in words().limitWhat) return words().limitWhat[value as PlayMeasure];
  if (name === "period" && value in words().limitPeriod) return words().limitPeriod[value as PlayPeriod];
  if (name === "hand") return value === "player" ? words().player : value === "banker" ? words().banker : "";
  if (AREAS.has(name)) return labelsOf(value, areas).join(words().or);
  return /^\d+\.\d\d$/.test(value) ? money(Math.round(Number(value) * 100), language.code) : value;
}

/** The server's sentence with the names of betting areas, which are longer words before shorter ones that are part of them. */
function named({ sentence, params }: RefusalText, areas: readonly AreaView[]): string {
  const values = Object.entries(params).filter(([name]) => AREAS.has(name)).map(([, value]) => String(value));
  return values.sort((a, b) => b.length - a.length).reduce((text, value) => text.replace(value, () => labelsOf(value, areas).join(" or ")), sentence);
}

function labelsOf(value: string, areas: readonly AreaView[]): string[] {
  return value.split(" or ").map((one) => labelOf(areas.find((area) => area.area === one)?.label) || one);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
