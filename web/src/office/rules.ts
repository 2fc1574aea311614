// The rules of the house as they are shown and typed: amounts in major units, nothing for what is not set.

import { amountOf } from "../cage/amount";

export type RuleKind = "text" | "time" | "money" | "number" | "choice" | "flag" | "roles";

interface RuleForm {
  readonly kind: RuleKind;
  /** What it can be, where that is a choice. */
  readonly values?: readonly string[];
  /** Whether nothing can stand there. */
  readonly isOptional?: boolean;
}

const MONEY: RuleForm = { kind: "money", isOptional: true };
const NUMBER: RuleForm = { kind: "number" };
const MINUTES: RuleForm = { kind: "number", isOptional: true };

/** The rules in the order of the page, in groups; the profile has a place of its own. */
export const GROUPS: Record<string, Record<string, RuleForm>> = {
  house: { operator: { kind: "text", isOptional: true }, time_zone: { kind: "text" }, day_begins: { kind: "time" }, money: { kind: "choice", values: ["play", "real"], isOptional: true } },
  play: { shortest_betting_seconds: NUMBER, seat_kept_minutes: NUMBER, dispute_days: NUMBER, watch_delay_seconds: { kind: "number", isOptional: true } },
  cage: { shifts_required: { kind: "flag" }, rack_difference: MONEY, large_cash: MONEY, large_cash_period: { kind: "choice", values: ["day", "single"] } },
  record: { large_stake: MONEY, large_win: MONEY, large_day: MONEY },
};

/** The parts of a profile. */
export const PARTS: Record<string, RuleForm> = {
  "profile.shortest_round_seconds": NUMBER,
  "profile.clock_percent": NUMBER,
  "profile.player_idle_minutes": MINUTES,
  "profile.dealer_idle_minutes": MINUTES,
  "profile.advice": { kind: "choice", values: ["everybody", "staff", "nobody"] },
  "profile.limits_required": { kind: "flag" },
  "profile.reality_check_minutes": MINUTES,
  "profile.shortest_password": NUMBER,
  "profile.second_factor": { kind: "roles" },
};

export const PROFILES = ["open", "training", "strict"] as const;
const FORMS: Record<string, RuleForm> = { ...Object.assign({}, ...Object.values(GROUPS)), ...PARTS };

export function formOf(rule: string): RuleForm {
  return FORMS[rule] ?? { kind: "text" };
}

export type Typed = string | boolean | string[];
export type Told = Readonly<Record<string, unknown>>;

/** A value as it stands in its field. */
export function typedOf(rule: string, value: unknown): Typed {
  const { kind } = formOf(rule);
  if (kind === "flag") return value === true;
  if (kind === "roles") return [...(value as string[])];
  if (value === null || value === undefined) return "";
  return kind === "money" ? majorOf(Number(value)) : String(value);
}

function majorOf(minor: number): string {
  return minor % 100 === 0 ? String(minor / 100) : (minor / 100).toFixed(2);
}

/** The value of a field; undefined where it is not one. */
export function valueOf(rule: string, typed: Typed): unknown {
  const { kind, isOptional } = formOf(rule);
  if (typeof typed !== "string") return typed;
  const text = typed.trim();
  if (text === "") return isOptional ? null : undefined;
  if (kind === "money") return amountOf(text) ?? undefined;
  if (kind === "number") return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  return text;
}

/** The rules of a draft that are others than those that hold, as they are sent; null where a field is wrong. */
export function changesOf(draft: Readonly<Record<string, Typed>>, now: Told): Record<string, unknown> | null {
  const changes: Record<string, unknown> = {};
  for (const rules of Object.values(GROUPS)) {
    for (const rule of Object.keys(rules)) {
      const value = valueOf(rule, draft[rule] ?? "");
      if (value === undefined) return null;
      const held = now[rule] === "" ? null : (now[rule] ?? null);
      if (value !== held) changes[rule] = value;
    }
  }
  return changes;
}

/** A profile of one's own, as it is sent; null where a field is wrong. */
export function profileOf(name: string, draft: Readonly<Record<string, Typed>>): Record<string, unknown> | null {
  const parts = Object.keys(PARTS).map((rule) => [rule.replace("profile.", ""), valueOf(rule, draft[rule] ?? "")] as const);
  if (!/^[a-z0-9-]{1,40}$/.test(name) || parts.some(([, value]) => value === undefined)) return null;
  return { name, ...Object.fromEntries(parts.filter(([, value]) => value !== null)) };
}
