import { describe, expect, it } from "vitest";

import type { ReportChart } from "../api/schema";
import { barsOf, MOST_BARS, placing } from "./bars";

const CHART: ReportChart = { name: "win", by: "table", value: "win", form: "money", mark: "theoretical_win", least: "least_win", greatest: "greatest_win" };

describe("the bars of a chart", () => {
  it("have a value, what was expected, and the span of chance", () => {
    const rows = [{ table: "t1", win: -500, theoretical_win: 100, least_win: -1_000, greatest_win: 1_000 }, { table: "t2", win: null }];
    const bars = barsOf(CHART, rows);
    expect(bars).toEqual([{ row: rows[0], value: -500, mark: 100, span: [-1_000, 1_000] }]);
    expect([-1_000, -500, 0, 1_000].map(placing(bars))).toEqual([0, 25, 50, 100]);
  });

  it("are the largest of many, in their own order", () => {
    const rows = Array.from({ length: 100 }, (_, i) => ({ table: `t${i}`, win: i }));
    const bars = barsOf(CHART, rows);
    expect(bars.map((bar) => bar.value)).toEqual(rows.slice(100 - MOST_BARS).map((row) => row.win));
  });

  it("lie somewhere also where there is nothing", () => {
    expect(placing(barsOf(CHART, [{ table: "t1", win: 0 }]))(0)).toBe(0);
  });
});
