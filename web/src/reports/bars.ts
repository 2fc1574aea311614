// Where the bars of a chart lie: in per cent of its width, with zero where all values have room on their side.

import type { ReportChart } from "../api/schema";
import type { Row } from "./figures";

export interface Bar {
  row: Row;
  value: number;
  mark: number | null;
  span: readonly [number, number] | null;
}

export const MOST_BARS = 24;

const numberIn = (row: Row, field: string | null | undefined): number | null => {
  const value = field ? row[field] : null;
  return typeof value === "number" ? value : null;
};

/** The bars of some rows; of many, those with the largest values, in their own order. */
export function barsOf(chart: ReportChart, rows: readonly Row[]): Bar[] {
  const all = rows.flatMap((row): Bar[] => {
    const value = numberIn(row, chart.value);
    const [least, greatest] = [numberIn(row, chart.least), numberIn(row, chart.greatest)];
    return value === null ? [] : [{ row, value, mark: numberIn(row, chart.mark), span: least === null || greatest === null ? null : [least, greatest] }];
  });
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
