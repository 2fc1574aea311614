// What an act of the house changed, field by field, so that it can be read: amounts, moments and digests as everywhere.
// The files that can be downloaded have every value to the letter.

import type { HouseAct, LimitUse } from "../api/schema";
import { askedOf } from "../words/asked";
import { language, say, words } from "../words/language.svelte";
import { clockTime, money } from "../words/numbers";
import { actWords, whoIs } from "./words";

/** Fields that are minor units, or have them by player. */
const AMOUNTS = new Set(["amount", "buy_in", "free", "stake", "staked", "threshold", "won", "returned", "net", "large_stake", "large_win", "large_day", "large_cash", "rack_difference", "minimum", "maximum", "differential", "sum"]);
/** Of no use to somebody who reads: what proves a row, and what makes a call unique. */
const LEFT_OUT = new Set(["mac", "key"]);
const ROLE_FIELDS = new Set(["role", "needs"]);
const MOMENT = /_ms$/;
const DIGEST = /^[0-9a-f]{32,}$/;
const TYPED = /^(".*"|\d{1,15}|true|false)$/;
const DIGITS = 12; // Of a digest, as many as elsewhere on the pages.

function plain(name: string, value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string" && TYPED.test(value)) return plain(name, JSON.parse(value)); // rules are kept as they are typed
  if (typeof value === "number" && AMOUNTS.has(name)) return money(value, language.code);
  if (typeof value === "number" && MOMENT.test(name)) return clockTime(value, language.code);
  if (typeof value === "string" && DIGEST.test(value)) return `${value.slice(0, DIGITS)}…`;
  if (typeof value === "boolean") return value ? actWords().yes : actWords().no;
  if (ROLE_FIELDS.has(name)) return words().role[String(value) as keyof ReturnType<typeof words>["role"]] ?? String(value);
  if (name === "body") return askedOf({ command: parsed(value) });
  if (name === "limits" && Array.isArray(value)) return value.map(limit).join(words().comma) || "–";
  if (Array.isArray(value)) return value.map((one) => plain(name, one)).join(words().comma) || "–";
  if (typeof value === "object") return Object.entries(value).map(([inner, one]) => `${AMOUNTS.has(name) ? inner : label(inner)} ${plain(AMOUNTS.has(name) ? name : inner, one)}`).join(words().comma) || "–";
  return String(value);
}

/** Who gave a role, with the moment, which is that of the act. */
const isByWhom = (value: readonly unknown[]): value is [string, number] => value.length === 2 && typeof value[0] === "string" && typeof value[1] === "number";
const parsed = (value: unknown) => (typeof value === "string" ? JSON.parse(value) : value) as Record<string, unknown>;

function limit(one: Pick<LimitUse, "what" | "period" | "amount">): string {
  return `${words().limitWhat[one.what]} ${words().limitPeriod[one.period]} ${one.what === "time" ? one.amount : money(one.amount, language.code)}`;
}

/** What a field is called. */
function label(name: string): string {
  const plainName = name.replace(MOMENT, "");
  return actWords().fields[plainName] ?? plainName.replaceAll("_", " ");
}

/** A role and by whom it was given; one that somebody has no more leads to nothing. */
function roleChange(name: string, before: unknown, after: unknown): string | null {
  const given = after ?? before;
  const role = Array.isArray(given) && isByWhom(given) ? words().role[name as keyof ReturnType<typeof words>["role"]] : undefined;
  if (!role) return null;
  if (after === undefined) return `${role} → –`;
  return before === undefined ? say(actWords().given, { role, who: whoIs(String((after as unknown[])[0])) }) : role;
}

/** What was there before and after; of something new, only what it has. */
export function changesOf({ before, after }: Pick<HouseAct, "before" | "after">): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const was = (name: string) => (before && name in before ? [plain(name, before[name])] : []);
  const is = (name: string) => (after && name in after ? [plain(name, after[name])] : []);
  const isEmpty = (name: string) => (before?.[name] ?? null) === null && (after?.[name] ?? null) === null;
  /** Of software that was not installed from a release, nothing says how it should be. */
  const isUnknown = (name: string) => name === "ok" && after?.["promised"] === false;
  return names
    .filter((name) => !isEmpty(name) && !isUnknown(name) && !LEFT_OUT.has(name))
    .map((name) => roleChange(name, before?.[name], after?.[name]) ?? `${label(name)} ${[...was(name), ...is(name)].join(" → ")}`)
    .join(" · ");
}
