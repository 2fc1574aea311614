// What somebody bet last at each table, kept on this machine: it can be repeated after a reload, or when they come back.

import type { Chip } from "./table";

const KEPT = "punto.bets";
/** Tables of which bets are kept; the one that was played at longest ago is forgotten first. */
const TABLES = 20;

type Kept = [string, Chip[]][];

function read(storage: Storage): Kept {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? (kept as Kept).filter((one) => Array.isArray(one) && Array.isArray(one[1])) : [];
  } catch {
    return [];
  }
}

/** The last bets of somebody at a table. */
export function lastBets(who: string, table: string, storage: Storage = localStorage): Chip[] {
  const found = read(storage).find(([name]) => name === `${who} ${table}`)?.[1] ?? [];
  return found.filter((one) => Number.isInteger(one.box) && typeof one.area === "string" && Number.isInteger(one.amount) && one.amount > 0);
}

export function keepBets(who: string, table: string, bets: readonly Chip[], storage: Storage = localStorage): void {
  const name = `${who} ${table}`;
  try {
    const others = read(storage).filter(([one]) => one !== name);
    storage.setItem(KEPT, JSON.stringify([[name, bets.map(({ box, area, amount }) => ({ box, area, amount }))], ...others].slice(0, TABLES)));
  } catch {
    // Not kept; they can be repeated until the page is closed.
  }
}

const CHIP = "punto.chip";

/** The chip that was bet last at a table, as long as its tab is open: a reload changes no habit. */
export function chipAt(table: string, storage: Storage = sessionStorage): number | null {
  try {
    return Number(storage.getItem(`${CHIP} ${table}`)) || null;
  } catch {
    return null;
  }
}

export function keepChip(table: string, value: number | null, storage: Storage = sessionStorage): void {
  try {
    storage.setItem(`${CHIP} ${table}`, String(value ?? ""));
  } catch {
    // Not kept; it holds until the page is left.
  }
}
