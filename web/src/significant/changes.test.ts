import { describe, expect, it } from "vitest";

import { changesOf } from "./changes";
import { aboutOf, whoIs } from "./words";

const moment = Date.UTC(2026, 10, 18, 20, 6);
const of = (before: Record<string, unknown> | null, after: Record<string, unknown> | null) => changesOf({ before, after } as Parameters<typeof changesOf>[0]);

describe("what an act changed", () => {
  it("is told field by field, before and after", () => {
    expect(of({ advice: "everybody", dispute_days: 7 }, { advice: "nobody", dispute_days: 7 })).toBe("live odds for everybody → nobody · days to dispute 7 → 7");
    expect(of({ shut: "left" }, { shut: null })).toBe("shut left → –");
  });
  it("leaves out what something new does not have", () => {
    expect(of(null, { role: "player", used_by: null })).toBe("role Player");
  });
  it("says what somebody asked for, whoever reads it, and nothing that only proves it", () => {
    const body = JSON.stringify({ type: "correct-account", actor: "Cas", key: "wait", account: "Kim", amount: 500, reason: "counted twice" });
    expect(of(null, { body, mac: "b".repeat(64), needs: "pit-manager" })).toBe("asked for Correction · Kim · +5 · “counted twice” · needs Pit Manager");
  });
  it("names roles and flags, and who gave them", () => {
    expect(of(null, { "pit-manager": ["Ada", 0], player: ["Ada", 0], ok: true, missing: [] })).toBe("Pit Manager, given by Ada · Player, given by Ada · as it should be yes · missing –");
    expect(of(null, { player: ["house", 0] })).toBe("Player, given by the house");
    expect(of({ dealer: ["Ada", 0], player: ["Ada", 0] }, { player: ["Ada", 0], auditor: ["Eve", 1] })).toBe("Dealer → – · Player · Auditor, given by Eve");
    expect(of({ large_cash: null }, { operator: '"The Lodge"', large_cash: "1000000" })).toBe("large cash – → 10,000 · operator The Lodge");
  });
  it("does not say of software without a release that it is as it should be", () => {
    expect(of(null, { promised: false, ok: true, version: "0.1.0" })).toBe("installed from a release no · version 0.1.0");
    expect(of(null, { promised: true, ok: true })).toBe("installed from a release yes · as it should be yes");
  });
  it("has amounts, moments and digests as a reader knows them", () => {
    expect(of(null, { buy_in: 5050 })).toBe("first chips 50.50");
    expect(of(null, { staked: { Lee: 10_000 } })).toBe("staked Lee 100");
    expect(of(null, { limits: [{ what: "buy-in", period: "month", amount: 900_000_000 }] })).toBe("limits buy-ins in a month 9,000,000");
    expect(of(null, { digest: "a".repeat(64) })).toBe("digest aaaaaaaaaaaa…");
    expect(of(null, { expires_ms: moment })).toMatch(/^until .*2026/);
  });
});

describe("whom an act is about", () => {
  it("is the name, or the house, without the kind of act", () => {
    expect(["roles/Lee", "protection/limits/Kim", "rules/house", "shoe/t7/1", "t3"].map(aboutOf)).toEqual(["Lee", "Kim", "the house", "t7/1", "t3"]);
    expect(["the floor", "Ada"].map(whoIs)).toEqual(["the server", "Ada"]);
  });
});
