import { describe, expect, it } from "vitest";

import { changesOf } from "./changes";

const moment = Date.UTC(2026, 10, 18, 20, 6);
const of = (before: Record<string, unknown> | null, after: Record<string, unknown> | null) => changesOf({ before, after } as Parameters<typeof changesOf>[0]);

describe("what an act changed", () => {
  it("is told field by field, before and after", () => {
    expect(of({ advice: "everybody", dispute_days: 7 }, { advice: "nobody", dispute_days: 7 })).toBe("advice everybody → nobody · dispute_days 7 → 7");
    expect(of({ shut: "left" }, { shut: null })).toBe("shut left → –");
  });
  it("leaves out what something new does not have", () => {
    expect(of(null, { role: "player", used_by: null })).toBe("role player");
  });
  it("has amounts, moments and digests as a reader knows them", () => {
    expect(of(null, { buy_in: 5050 })).toBe("buy_in 50.50");
    expect(of(null, { staked: { Lee: 10_000 } })).toBe("staked Lee 100");
    expect(of(null, { digest: "a".repeat(64) })).toBe("digest aaaaaaaaaaaa…");
    expect(of(null, { expires_ms: moment })).toMatch(/^expires .*2026/);
  });
});
