// Exact figures as people read them. The server sends fractions; a decimal is only how one is shown.

import type { Code } from "../words/language.svelte";
import { percent as shareOf } from "../words/numbers";

/** The value of a fraction in text, near enough for a screen: -12/345, or a whole number. */
export function valueOf(fraction: string): number {
  const [over, under = "1"] = fraction.split("/");
  return Number(over) / Number(under);
}

/** 1.2351%, with a minus that is one. */
export function percent(value: number, code: Code, digits = 4): string {
  const isNothing = Number((Math.abs(value) * 100).toFixed(digits)) === 0;
  return `${value < 0 && !isNothing ? "−" : ""}${shareOf(Math.abs(value), code, digits)}`;
}

export function decimal(value: number, code: Code, digits = 4): string {
  const text = new Intl.NumberFormat(code, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(Math.abs(value));
  return value < 0 ? `−${text}` : text;
}

/** Long fractions can break after their stroke. */
export function broken(fraction: string): string {
  return fraction.replace("/", "\u200b/\u200b").replace("-", "−");
}
