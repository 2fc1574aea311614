import { describe, expect, it } from "vitest";

import type { WallTable } from "../api/schema";
import { age, heardOf, wallPhase } from "./wall";

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
