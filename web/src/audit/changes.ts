// What an act of the house changed, field by field, so that it can be read: amounts, moments and digests as everywhere.
// The file that can be downloaded has every value to the letter.

import type { HouseAct } from "../api/schema";
import { language, words } from "../words/language.svelte";
import { clockTime, money } from "../words/numbers";

/** Fields that are minor units, or have them by player. */
const AMOUNTS = new Set(["amount", "buy_in", "free", "stake", "staked", "threshold", "won", "returned", "net"]);
const MOMENT = /_ms$/;
const DIGEST = /^[0-9a-f]{32,}$/;
const DIGITS = 12; // Of a digest, as many as elsewhere on the pages.

function plain(name: string, value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number" && AMOUNTS.has(name)) return money(value, language.code);
  if (typeof value === "number" && MOMENT.test(name)) return clockTime(value, language.code);
  if (typeof value === "string" && DIGEST.test(value)) return `${value.slice(0, DIGITS)}…`;
  if (typeof value === "object" && AMOUNTS.has(name)) return Object.entries(value).map(([who, one]) => `${who} ${plain(name, one)}`).join(words().comma) || "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** What was there before and after; of something new, only what it has. */
export function changesOf({ before, after }: Pick<HouseAct, "before" | "after">): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const was = (name: string) => (before && name in before ? [plain(name, before[name])] : []);
  const is = (name: string) => (after && name in after ? [plain(name, after[name])] : []);
  const isEmpty = (name: string) => (before?.[name] ?? null) === null && (after?.[name] ?? null) === null;
  return names.filter((name) => !isEmpty(name)).map((name) => `${name.replace(MOMENT, "")} ${[...was(name), ...is(name)].join(" → ")}`).join(" · ");
}
