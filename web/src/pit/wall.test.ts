import { describe, expect, it } from "vitest";

import type { WallTable } from "../api/schema";
import { age, heardOf, inOrder, sumsOf, wallPhase } from "./wall";

const TABLE = { phase: "idle", paused: false, case: null, void: false, insurance: false, shoe_due: false } as unknown as WallTable;

describe("the phase on the wall", () => {
  it.each<[Partial<WallTable>, string]>([
    [{}, "idle"],
    [{ shoe_due: true }, "shoe"],
    [{ phase: "dealing", insurance: true }, "insurance"],
    [{ phase: "dealing", insurance: true, case: 2 }, "case"],
    [{ case: 2, paused: true }, "paused"],
    [{ phase: "closed", paused: true }, "closed"],
  ])("%o is %s", (change, phase) => expect(wallPhase({ ...TABLE, ...change })).toBe(phase));
});

describe("how long ago", () => {
  it("in seconds, minutes and hours, and never before now", () => {
    expect([age(0, 59_999), age(0, 60_000), age(0, 7_800_000), age(5_000, 0)]).toEqual(["59 s", "1 min", "2 h 10 min", "0 s"]);
  });
});

describe("what is heard", () => {
  it("is what waits for somebody, not what was answered, seen, or is somebody else's", () => {
    const told = {
      calls: [{ call: "c1", answer: null }, { call: "c2", answer: "coming" }],
      approvals: [{ approval: "a1", yours: true }, { approval: "a2", yours: false }],
      alerts: [{ alert: "x", acknowledged: null }, { alert: "y", acknowledged: { by: "Sue", time: 1 } }],
    };
    expect(heardOf(told)).toEqual(["c1", "a1", "x"]);
  });
});

describe("the order of tables", () => {
  const at = (table: string, handle: number, win: number, stake: number | null) => ({ table, currency: table === "t10" ? "SGD" : "USD", day: { rounds: 1, handle, win, largest: 0 }, largest: stake === null ? null : ({ stake } as WallTable["largest"]) });
  const tables = [at("t10", 500, 20, null), at("t2", 500, -10, 100), at("t1", 900, 0, 300)];
  it.each([
    ["name", "t1 t2 t10"],
    ["alerts", "t10 t1 t2"],
    ["handle", "t1 t2 t10"],
    ["win", "t2 t1 t10"],
    ["largest", "t1 t2 t10"],
  ] as const)("by %s is %s", (order, names) => {
    expect(inOrder(tables, order, (table) => (table === "t10" ? 2 : 0)).map((one) => one.table).join(" ")).toBe(names);
  });
  it("leaves what it was given as it was", () => expect(tables.map((one) => one.table)).toEqual(["t10", "t2", "t1"]));
  it("sums each currency by itself", () =>
    expect(sumsOf([...tables, { currency: "", day: { rounds: 0, handle: 7, win: 7, largest: 0 } }])).toEqual([
      { currency: "SGD", handle: 500, win: 20 },
      { currency: "USD", handle: 1400, win: -10 },
    ]));
});
