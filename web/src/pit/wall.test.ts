import { describe, expect, it } from "vitest";

import type { Role, WallTable } from "../api/schema";
import { age, casesFor, heardOf, inOrder, namedAt, sumsOf, wallPhase } from "./wall";

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

describe("cases for whoever looks", () => {
  it("are those that wait for that rank or a lower one of the pit", () => {
    const waiting = (["player", "dealer", "pit-supervisor", "pit-manager", null] as const).map((case_decider) => ({ ...TABLE, table: String(case_decider), case: 1, case_decider }));
    const tables = [...waiting, { ...TABLE, table: "none", case_decider: null }];
    const names = (...roles: Role[]) => casesFor(tables, roles).map((one) => one.table);
    expect(names("player", "dealer")).toEqual([]);
    expect(names("dealer", "pit-supervisor")).toEqual(["pit-supervisor"]);
    expect(names("shift-manager")).toEqual(["pit-supervisor", "pit-manager"]);
  });
});

describe("how long ago", () => {
  it("in seconds, minutes, hours and days, and never before now", () => {
    expect([age(0, 59_999), age(0, 60_000), age(0, 7_800_000), age(0, 200_000_000), age(5_000, 0)]).toEqual(["59 s", "1 min", "2 h 10 min", "2 d", "0 s"]);
  });
});

describe("what is heard", () => {
  it("is what waits for somebody, not what was answered, seen, or is somebody else's", () => {
    const told = {
      calls: [{ call: "c1", answer: null }, { call: "c2", answer: "coming" }],
      approvals: [{ approval: "a1", yours: true }, { approval: "a2", yours: false }],
      alerts: [{ alert: "x", kind: "case-open", acknowledged: null }, { alert: "y", kind: "case-open", acknowledged: { by: "Sue", time: 1 } }, { alert: "z", kind: "pit-called", acknowledged: null }],
    };
    expect(heardOf(told)).toEqual(["c1", "a1", "x"]);
  });
});

describe("what somebody looks for", () => {
  const one = { table: "t12", dealing: { dealer: "Dan" }, players: ["Kim", "Akim", "Lee"] } as unknown as WallTable;
  it.each([
    ["", true, ""],
    ["T1", true, ""],
    ["dan", true, ""],
    [" kim ", true, "Kim Akim"],
    ["zoe", false, ""],
  ])("%j", (looked, isMeant, players) => {
    const found = namedAt(one, looked);
    expect([found.isMeant, found.players.join(" ")]).toEqual([isMeant, players]);
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
