// The parts of the audit, and who may ask for what each of them shows: the roles of its calls.

import type { Role } from "../api/schema";

export type Part = "rounds" | "events" | "verify" | "software";

const READERS: Record<Part, readonly Role[]> = {
  rounds: ["auditor", "shift-manager"],
  events: ["auditor", "shift-manager", "administrator"],
  verify: ["auditor", "shift-manager"],
  software: ["auditor", "shift-manager", "administrator"],
};

export function partsOf(roles: readonly Role[]): Part[] {
  return (Object.keys(READERS) as Part[]).filter((part) => roles.some((role) => READERS[part].includes(role)));
}

/** What is asked for, as the end of an address; what is empty is left out. */
export function query(wanted: Record<string, string | number | null | undefined>): string {
  const given = Object.entries(wanted).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}` : "";
}

/** 2026-11-18T03:05 of the reader's own clock, as milliseconds; none where nothing is chosen. */
export function momentOf(text: string): number | null {
  const time = text ? new Date(text).getTime() : NaN;
  return Number.isNaN(time) ? null : time;
}
