// Tables on the wall: which phase each is in, in which order they stand, what they come to together; and how long ago something was.

import type { WallTable } from "../api/schema";
import type { WallOrder } from "../state/preferences.svelte";
import type { PhaseName } from "../table/phase";
import { say } from "../words/language.svelte";
import { byTable } from "../words/numbers";
import { pitWords } from "./words";

/** The phase that a table's own head would name. */
export function wallPhase(one: WallTable): PhaseName {
  if (one.phase === "closed") return "closed";
  if (one.paused) return "paused";
  if (one.case !== null) return "case";
  if (one.void) return "void";
  if (one.insurance) return "insurance";
  if (one.shoe_due) return "shoe";
  return one.phase;
}

/** 40 s, 5 min, 2 h 10 min */
export function age(since: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  if (seconds < 60) return say(pitWords().ageSeconds, { n: seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return say(pitWords().ageMinutes, { n: minutes });
  return say(pitWords().ageHours, { n: Math.floor(minutes / 60), m: minutes % 60 });
}

/** What somebody would hear of: calls and approvals that wait, and alerts that nobody has seen. */
export function heardOf(told: { calls: readonly { call: string; answer: string | null }[]; approvals: readonly { approval: string; yours: boolean }[]; alerts: readonly { alert: string; acknowledged?: unknown }[] }): string[] {
  return [
    ...told.calls.filter((one) => one.answer === null).map((one) => one.call),
    ...told.approvals.filter((one) => one.yours).map((one) => one.approval),
    ...told.alerts.filter((one) => !one.acknowledged).map((one) => one.alert),
  ];
}

/** Tables as somebody wants them; those that are equal by name. */
export function inOrder<T extends Pick<WallTable, "table" | "day" | "largest">>(tables: readonly T[], order: WallOrder, alerts: (table: string) => number): T[] {
  const rank: Record<WallOrder, (one: T) => number> = {
    name: () => 0,
    alerts: (one) => -alerts(one.table),
    handle: (one) => -one.day.handle,
    win: (one) => one.day.win,
    largest: (one) => -(one.largest?.stake ?? 0),
  };
  return [...tables].sort((a, b) => rank[order](a) - rank[order](b) || byTable(a, b));
}

/** What the gaming day came to so far at all tables, in each currency. Amounts of two currencies are never added. */
export function sumsOf(tables: readonly Pick<WallTable, "currency" | "day">[]): { currency: string; handle: number; win: number }[] {
  const sums: Record<string, { currency: string; handle: number; win: number }> = {};
  for (const { currency, day } of tables) {
    if (!currency) continue; // a table that was never opened
    const sum = (sums[currency] ??= { currency, handle: 0, win: 0 });
    sum.handle += day.handle;
    sum.win += day.win;
  }
  return Object.values(sums).sort((a, b) => a.currency.localeCompare(b.currency));
}
