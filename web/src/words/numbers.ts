// Money, odds and times in words, and the order of names with numbers in them. Amounts are whole minor units; cents are shown only where there are any.

import { say, words, type Code } from "./language.svelte";

const formats = new Map<string, Intl.NumberFormat>();

function format(code: Code, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = code + JSON.stringify(options);
  const kept = formats.get(key) ?? new Intl.NumberFormat(code, options);
  formats.set(key, kept);
  return kept;
}

/** 1,234 or 1,234.50 */
export function money(minor: number, code: Code): string {
  const digits = minor % 100 === 0 ? 0 : 2;
  return format(code, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(minor / 100);
}

/** +95, −100, 0 */
export function signedMoney(minor: number, code: Code): string {
  const text = money(Math.abs(minor), code);
  return minor > 0 ? `+${text}` : minor < 0 ? `−${text}` : text;
}

/** 25, 1K, 2.5M: what fits on a chip. */
export function shortMoney(minor: number, code: Code): string {
  const whole = minor / 100;
  if (whole < 1000) return money(minor, code);
  for (const [size, letter] of [[1e9, "B"], [1e6, "M"], [1e3, "K"]] as const) {
    if (whole >= size) return `${format(code, { maximumFractionDigits: 1 }).format(whole / size)}${letter}`;
  }
  return String(whole);
}

/** Odds, alone or in a sentence, as the language of the page writes them: "8 : 1", which never breaks in two. A language
 *  that names the stake first, as Chinese does, says what one brings. That is exact: 0.5 for 1:2, and for 2:3, which no
 *  decimal says, what three bring. */
export function odds(text: string): string {
  const isByOne = say(words().odds, { won: "w", staked: "s" }).startsWith("s");
  return text.replace(/(\d+(?:\.\d+)?)\s*:\s*(\d+)/g, (_, first: string, second: string) => {
    const [, decimals = ""] = first.split(".");
    const paid = Number(first.replace(".", "")) / (Number(second) * 10 ** decimals.length);
    const isShown = isByOne || Number(second) >= 10; // as shown_odds of rules/outcome.py has it: 0.955 : 1 for 191:200
    const [won, staked] = isShown && Number(paid.toFixed(6)) === paid ? [String(paid), "1"] : [first, second];
    return say(words().odds, { won: grouped(won), staked: grouped(staked) }).replaceAll(" ", "\u00a0");
  });
}

/** 6,000 in every language; a decimal stays as the book writes it. */
function grouped(number: string): string {
  const [whole = "", ...decimals] = number.split(".");
  return [whole.length > 3 ? format("en", {}).format(Number(whole)) : whole, ...decimals].join(".");
}

/** All odds of a bet; of more than three the lowest and the highest, as a spot has no room for a whole pay table. */
export function oddsList(all: readonly string[]): string {
  return all.length <= 3 ? all.map(odds).join(" / ") : oddsEnds(all);
}

/** The lowest and the highest odds of a bet. */
export function oddsEnds(all: readonly string[]): string {
  const ranked = [...all].sort((a, b) => ratio(a) - ratio(b));
  const [least, most] = [odds(ranked[0]!), odds(ranked.at(-1)!)];
  const stake = say(words().odds, { won: "", staked: "1" }).replaceAll(" ", "\u00a0");
  const isAlike = stake !== "" && least.startsWith(stake) && most.startsWith(stake); // the stake is said once
  return isAlike ? `${least}–${most.slice(stake.length)}` : `${least} – ${most}`;
}

/** Odds as the book writes them on its felt, "0.95:1" where a settled line says "19:20". */
export function oddsAs(written: readonly string[] | undefined, text: string): string {
  return odds(written?.find((one) => Math.abs(ratio(one) - ratio(text)) < 1e-9) ?? text);
}

function ratio(text: string): number {
  const [won = 0, staked = 1] = text.split(":").map(Number);
  return won / staked;
}

export function percent(share: number, code: Code, digits = 2): string {
  return format(code, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(share);
}

/** What a bet brings on average: −1.06% where the house has an edge, +0.50% where the player has. */
export function averageReturn(edge: number, code: Code): string {
  const text = percent(Math.abs(edge), code);
  return text === percent(0, code) ? text : `${edge > 0 ? "−" : "+"}${text}`;
}

/** English as it is written where the reader is: 16 Nov in London, Nov 16 in New York. */
function regionOf(code: Code): string {
  const own = typeof navigator === "undefined" ? "" : navigator.language;
  return code === "en" && /^en\b/i.test(own) ? own : code;
}

/** Of a day of 24 hours in every language, as records and casinos have it: a page never has two clocks. */
const TIME = { timeStyle: "short", hourCycle: "h23" } as const;

/** 14:02 */
export function timeOfDay(ms: number, code: Code): string {
  return new Intl.DateTimeFormat(regionOf(code), TIME).format(new Date(ms));
}

/** 18 Nov 2026, 14:02; where a time zone is named, the time there. */
export function clockTime(ms: number, code: Code, timeZone?: string): string {
  return new Intl.DateTimeFormat(regionOf(code), { dateStyle: "medium", ...TIME, ...(timeZone ? { timeZone } : {}) }).format(new Date(ms));
}

/** The order of tables on a page: t2 before t10. */
export function byTable(a: { table: string }, b: { table: string }): number {
  return a.table.localeCompare(b.table, "en", { numeric: true });
}
