import { describe, expect, it } from "vitest";

import type { ReportChart } from "../api/schema";
import { barsOf, MOST_BARS, placing, reaching } from "./bars";

const CHART: ReportChart = { name: "win", by: "table", value: "win", form: "money", mark: "theoretical_win", least: "least_win", greatest: "greatest_win" };

describe("the bars of a chart", () => {
  it("have a value, what was expected, and the span of chance", () => {
    const rows = [{ table: "t1", win: -500, theoretical_win: 100, least_win: -1_000, greatest_win: 1_000 }, { table: "t2", win: null }];
    const bars = barsOf(CHART, rows);
    expect(bars).toEqual([{ row: rows[0], value: -500, mark: 100, span: [-1_000, 1_000] }]);
    expect([-1_000, -500, 0, 1_000].map(placing(bars))).toEqual([0, 25, 50, 100]);
  });

  it("say nothing of the pace of a few rounds", () => {
    const rows = [2, 3].map((rounds) => ({ dealer: "Dan", rounds, rounds_an_hour: rounds * 600 }));
    const chart: ReportChart = { name: "rounds_an_hour", by: "dealer", value: "rounds_an_hour", form: "rate" };
    expect(barsOf(chart, rows).map((bar) => bar.value)).toEqual([1_800]);
    expect(barsOf({ ...chart, value: "rounds", form: "count" }, rows)).toHaveLength(2);
  });

  it("are the largest of many, in their own order", () => {
    const rows = Array.from({ length: 100 }, (_, i) => ({ table: `t${i}`, win: i }));
    const bars = barsOf(CHART, rows);
    expect(bars.map((bar) => bar.value)).toEqual(rows.slice(100 - MOST_BARS).map((row) => row.win));
  });

  it("lie somewhere also where there is nothing", () => {
    expect(placing(barsOf(CHART, [{ table: "t1", win: 0 }]))(0)).toBe(0);
  });

  it("reach to both sides, are seen where they are short, and are nothing for nothing", () => {
    const place = placing(barsOf(CHART, [{ table: "t1", win: -100 }, { table: "t2", win: 300 }]));
    expect(reaching(place, 0, 300)).toEqual({ x: 25, width: 75 });
    expect(reaching(place, 0, -100)).toEqual({ x: 0, width: 25 });
    expect(reaching(place, 0, 0.01)?.width).toBe(0.3);
    expect(reaching(place, 0, 0)).toBeNull();
  });
});
