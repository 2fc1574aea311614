// Tables on the wall: which phase each is in, in which order they stand, what they come to together; and how long ago something was.

import { PIT, pitRole } from "../api/roles";
import type { Role, WallTable } from "../api/schema";
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

/** Cases that wait for the rank of whoever looks, or for less; those that wait for a dealer or for players are not theirs. */
export function casesFor(tables: readonly WallTable[], roles: readonly Role[]): readonly WallTable[] {
  const own = pitRole(roles);
  if (own === null) return [];
  const mine = PIT.slice(0, PIT.indexOf(own) + 1);
  return tables.filter((one) => one.case !== null && one.case_decider !== null && mine.includes(one.case_decider));
}

/** 40 s, 5 min, 2 h 10 min, 3 d */
export function age(since: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  if (seconds < 60) return say(pitWords().ageSeconds, { n: seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return say(pitWords().ageMinutes, { n: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? say(pitWords().ageHours, { n: hours, m: minutes % 60 }) : say(pitWords().ageDays, { n: Math.floor(hours / 24) });
}

/** The alert that the pit is called: the call itself says it, and is answered. */
export const CALLED = "pit-called";

/** What somebody would hear of: calls and approvals that wait, and alerts that nobody has seen. */
export function heardOf(told: { calls: readonly { call: string; answer: string | null }[]; approvals: readonly { approval: string; yours: boolean }[]; alerts: readonly { alert: string; kind: string; acknowledged?: unknown }[] }): string[] {
  return [
    ...told.calls.filter((one) => one.answer === null).map((one) => one.call),
    ...told.approvals.filter((one) => one.yours).map((one) => one.approval),
    ...told.alerts.filter((one) => !one.acknowledged && one.kind !== CALLED).map((one) => one.alert),
  ];
}

/** Whom of a table somebody looks for: its players whose name has this text; all that there is of a table that is meant itself. */
export function namedAt(one: Pick<WallTable, "table" | "dealing" | "players">, looked: string): { isMeant: boolean; players: readonly string[] } {
  const text = looked.trim().toLocaleLowerCase();
  const has = (name: string | null | undefined) => name?.toLocaleLowerCase().includes(text) ?? false;
  const players = text ? one.players.filter(has) : [];
  return { isMeant: has(one.table) || has(one.dealing.dealer) || players.length > 0, players };
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
