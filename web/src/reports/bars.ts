// Where the bars of a chart lie: in per cent of its width, with zero where all values have room on their side.

import type { ReportChart } from "../api/schema";
import { saysPace } from "../words/pace";
import type { Row } from "./figures";

export interface Bar {
  row: Row;
  value: number;
  mark: number | null;
  span: readonly [number, number] | null;
}

export const MOST_BARS = 24;
const LEAST_WIDTH = 0.3; // per cent

const numberIn = (row: Row, field: string | null | undefined): number | null => {
  const value = field ? row[field] : null;
  return typeof value === "number" ? value : null;
};

/** A bar for every row that has something to show. */
export const allBars = (chart: ReportChart, rows: readonly Row[]): Bar[] =>
  rows.flatMap((row): Bar[] => {
    const value = chart.form === "rate" && !saysPace(Number(row["rounds"])) ? null : numberIn(row, chart.value);
    const [least, greatest] = [numberIn(row, chart.least), numberIn(row, chart.greatest)];
    return value === null ? [] : [{ row, value, mark: numberIn(row, chart.mark), span: least === null || greatest === null ? null : [least, greatest] }];
  });

/** The bars that are drawn: of many, those with the largest values, in their own order. */
export function barsOf(chart: ReportChart, rows: readonly Row[]): Bar[] {
  const all = allBars(chart, rows);
  if (all.length <= MOST_BARS) return all;
  const largest = new Set([...all].sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, MOST_BARS));
  return all.filter((bar) => largest.has(bar));
}

/** From a value to its place, 0 to 100. */
export function placing(bars: readonly Bar[]): (value: number) => number {
  const values = bars.flatMap((bar) => [bar.value, bar.mark ?? 0, ...(bar.span ?? [])]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  return (value) => (high === low ? 0 : ((value - low) / (high - low)) * 100);
}

/** Where something lies that reaches from one value to another, wide enough to be seen; nothing where both are the same. */
export function reaching(place: (value: number) => number, from: number, to: number): { x: number; width: number } | null {
  if (from === to) return null;
  const [left, right] = [place(Math.min(from, to)), place(Math.max(from, to))];
  return { x: left, width: Math.max(LEAST_WIDTH, right - left) };
}
