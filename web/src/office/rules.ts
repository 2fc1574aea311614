// The rules of the house as they are shown and typed: amounts in major units, nothing for what is not set.

import type { RuleForm } from "../api/schema";
import { amountOf, textOf } from "../cage/amount";

/** The group of the parts of a profile, which have a place of their own. */
export const PROFILE = "profile";

/** The forms of rules in the groups in which the server names them, without those of the profile. */
export function groupsOf(forms: readonly RuleForm[]): [string, RuleForm[]][] {
  const groups = new Map<string, RuleForm[]>();
  for (const form of forms) {
    if (form.group !== PROFILE) groups.set(form.group, [...(groups.get(form.group) ?? []), form]);
  }
  return [...groups];
}

export type Typed = string | boolean | string[];
export type Told = Readonly<Record<string, unknown>>;

/** A value as it stands in its field. */
export function typedOf({ kind }: RuleForm, value: unknown): Typed {
  if (kind === "flag") return value === true;
  if (kind === "roles") return [...(value as string[])];
  if (value === null || value === undefined) return "";
  return kind === "money" ? textOf(Number(value)) : String(value);
}

/** The value of a field; undefined where it is not one. */
export function valueOf({ kind, optional }: RuleForm, typed: Typed): unknown {
  if (typeof typed !== "string") return typed;
  const text = typed.trim();
  if (text === "") return optional ? null : undefined;
  if (kind === "money") return amountOf(text) ?? undefined;
  if (kind === "number") return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  return text;
}

/** The rules of a draft that are others than those that hold, as they are sent; null where a field is wrong. */
export function changesOf(forms: readonly RuleForm[], draft: Readonly<Record<string, Typed>>, now: Told): Record<string, unknown> | null {
  const changes: Record<string, unknown> = {};
  for (const form of forms.filter(({ group }) => group !== PROFILE)) {
    const value = valueOf(form, draft[form.rule] ?? "");
    if (value === undefined) return null;
    const held = now[form.rule] === "" ? null : (now[form.rule] ?? null);
    if (value !== held) changes[form.rule] = value;
  }
  return changes;
}

/** A profile of one's own, as it is sent; null where a field is wrong. */
export function profileOf(forms: readonly RuleForm[], name: string, draft: Readonly<Record<string, Typed>>): Record<string, unknown> | null {
  const parts = forms.filter(({ group }) => group === PROFILE).map((form) => [form.rule.replace(`${PROFILE}.`, ""), valueOf(form, draft[form.rule] ?? "")] as const);
  if (!/^[a-z0-9-]{1,40}$/.test(name) || parts.some(([, value]) => value === undefined)) return null;
  return { name, ...Object.fromEntries(parts.filter(([, value]) => value !== null)) };
}
