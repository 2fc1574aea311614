// A table on the wall in words: which phase it is in, and how long ago something was.

import type { WallTable } from "../api/schema";
import type { PhaseName } from "../table/phase";
import { say } from "../words/language.svelte";
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
