import { describe, expect, it } from "vitest";

import { changesOf, formOf, GROUPS, PARTS, profileOf, typedOf, valueOf, type Typed } from "./rules";

const NOW = {
  operator: "", time_zone: "UTC", day_begins: "06:00", money: null, shortest_betting_seconds: 0, seat_kept_minutes: 30, dispute_days: 7, watch_delay_seconds: null,
  shifts_required: false, rack_difference: 2500, large_cash: null, large_cash_period: "day", large_stake: null, large_win: null, large_day: null,
  profile: "open", "profile.shortest_round_seconds": 0, "profile.clock_percent": 100, "profile.player_idle_minutes": null, "profile.dealer_idle_minutes": 5,
  "profile.advice": "everybody", "profile.limits_required": false, "profile.reality_check_minutes": null, "profile.shortest_password": 8, "profile.second_factor": ["cashier"],
};
const draft = () => Object.fromEntries(Object.entries(NOW).map(([rule, value]) => [rule, typedOf(rule, value)])) as Record<string, Typed>;

describe("a rule that is typed", () => {
  it("is what it was while nobody has typed", () => {
    for (const rule of [...Object.values(GROUPS).flatMap((rules) => Object.keys(rules)), ...Object.keys(PARTS)]) {
      const now = (NOW as Record<string, unknown>)[rule];
      expect([rule, valueOf(rule, typedOf(rule, now))]).toEqual([rule, rule === "operator" ? null : now]);
    }
  });
  it("is an amount in minor units, a number, or nothing where that can be", () => {
    expect([valueOf("large_cash", "10000"), valueOf("large_cash", "0.5"), valueOf("large_cash", ""), valueOf("large_cash", "ten")]).toEqual([1_000_000, 50, null, undefined]);
    expect([valueOf("dispute_days", "14"), valueOf("dispute_days", ""), valueOf("dispute_days", "1.5")]).toEqual([14, undefined, undefined]);
    expect(typedOf("rack_difference", 2550)).toBe("25.50");
  });
  it("is sent where it is another", () => {
    expect(changesOf({ ...draft(), large_cash: "10000", shifts_required: true }, NOW)).toEqual({ large_cash: 1_000_000, shifts_required: true });
    expect(changesOf({ ...draft(), dispute_days: "x" }, NOW)).toBeNull();
  });
});

describe("a profile of one's own", () => {
  it("has a name and every part that is set", () => {
    const own = profileOf("ours", { ...draft(), "profile.clock_percent": "150" });
    expect(own).toMatchObject({ name: "ours", clock_percent: 150, dealer_idle_minutes: 5, second_factor: ["cashier"] });
    expect(own).not.toHaveProperty("player_idle_minutes");
    expect([profileOf("Our Own", draft()), profileOf("ours", { ...draft(), "profile.shortest_password": "" })]).toEqual([null, null]);
  });
  it("knows the form of each", () => {
    expect(formOf("profile.advice").values).toContain("nobody");
  });
});
