// Amounts as a cashier types them, and chips as they are counted. What is typed is text until it is whole.

import { minorOf } from "../words/amount";

/** Minor units of an amount that moves; null where it is not an amount, or nothing. */
export function amountOf(text: string): number | null {
  return minorOf(text) || null;
}

/** An amount as somebody would type it: "500" or "500.50". */
export function textOf(minor: number): string {
  return minor % 100 === 0 ? String(minor / 100) : (minor / 100).toFixed(2);
}

/** What a key of the keypad makes of what stands there. */
export function typed(text: string, key: string): string {
  if (key === "⌫") return text.slice(0, -1);
  if (key === "." && /[.,]/.test(text)) return text;
  const [, cents] = text.split(/[.,]/);
  if (cents !== undefined && cents.length + key.length > 2) return text;
  const next = (text === "" && key === "." ? "0" : text) + key;
  return next.length > 15 ? text : next.replace(/^0+(?=\d)/, "");
}

/** Pieces of one value, as the server counts them. */
export interface Pieces {
  value: number;
  count: number;
}

/** The values of chips and notes that a count begins with; others are added. */
export const USUAL_VALUES: readonly number[] = [100_000, 50_000, 10_000, 5_000, 2_500, 1_000, 500, 100, 50, 25];

/** What the pieces that were typed come to; null where a number is not one. */
export function piecesOf(counts: ReadonlyMap<number, string>): Pieces[] | null {
  const pieces = [...counts].filter(([, text]) => text.trim() !== "").map(([value, text]) => ({ value, count: /^\d{1,7}$/.test(text.trim()) ? Number(text) : -1 }));
  return pieces.some((one) => one.count < 0) ? null : pieces.filter((one) => one.count > 0);
}

export function totalOf(pieces: readonly Pieces[]): number {
  return pieces.reduce((sum, one) => sum + one.value * one.count, 0);
}
