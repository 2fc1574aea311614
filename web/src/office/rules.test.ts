import { describe, expect, it } from "vitest";

import type { RuleForm, RuleKind } from "../api/schema";
import { changesOf, groupsOf, profileOf, typedOf, valueOf, type Typed } from "./rules";

const form = (rule: string, kind: RuleKind, optional = false): RuleForm => ({ rule, group: rule.startsWith("profile.") ? "profile" : kind === "money" ? "cage" : "house", kind, values: [], optional });
/** A rule of every kind, as the server names them. */
const FORMS = [
  form("operator", "text", true), form("day_begins", "time"), form("large_cash", "money", true), form("rack_difference", "money", true),
  form("dispute_days", "number"), form("watch_delay_seconds", "number", true), form("shifts_required", "flag"), form("money", "choice", true),
  form("profile.clock_percent", "number"), form("profile.player_idle_minutes", "number", true), form("profile.dealer_idle_minutes", "number", true),
  form("profile.shortest_password", "number"), form("profile.second_factor", "roles"),
];
const of = (rule: string) => FORMS.find((one) => one.rule === rule)!;

const NOW: Record<string, unknown> = {
  operator: "", day_begins: "06:00", money: null, dispute_days: 7, watch_delay_seconds: null, shifts_required: false, rack_difference: 2500, large_cash: null,
  profile: "open", "profile.clock_percent": 100, "profile.player_idle_minutes": null, "profile.dealer_idle_minutes": 5, "profile.shortest_password": 8, "profile.second_factor": ["cashier"],
};
const draft = () => Object.fromEntries(FORMS.map((one) => [one.rule, typedOf(one, NOW[one.rule])])) as Record<string, Typed>;

describe("a rule that is typed", () => {
  it("is what it was while nobody has typed", () => {
    for (const one of FORMS) {
      const now = NOW[one.rule];
      expect([one.rule, valueOf(one, typedOf(one, now))]).toEqual([one.rule, one.rule === "operator" ? null : now]);
    }
  });
  it("stands in its group, and a part of the profile in none", () => {
    expect(groupsOf(FORMS).map(([group, rules]) => [group, rules.length])).toEqual([["house", 6], ["cage", 2]]);
  });
  it("is an amount in minor units, a number, or nothing where that can be", () => {
    expect([valueOf(of("large_cash"), "10000"), valueOf(of("large_cash"), "0.5"), valueOf(of("large_cash"), ""), valueOf(of("large_cash"), "ten")]).toEqual([1_000_000, 50, null, undefined]);
    expect([valueOf(of("dispute_days"), "14"), valueOf(of("dispute_days"), ""), valueOf(of("dispute_days"), "1.5")]).toEqual([14, undefined, undefined]);
    expect(typedOf(of("rack_difference"), 2550)).toBe("25.50");
  });
  it("is sent where it is another", () => {
    expect(changesOf(FORMS, { ...draft(), large_cash: "10000", shifts_required: true }, NOW)).toEqual({ large_cash: 1_000_000, shifts_required: true });
    expect(changesOf(FORMS, { ...draft(), dispute_days: "x" }, NOW)).toBeNull();
  });
});

describe("a profile of one's own", () => {
  it("has a name and every part that is set", () => {
    const own = profileOf(FORMS, "ours", { ...draft(), "profile.clock_percent": "150" });
    expect(own).toMatchObject({ name: "ours", clock_percent: 150, dealer_idle_minutes: 5, second_factor: ["cashier"] });
    expect(own).not.toHaveProperty("player_idle_minutes");
    expect([profileOf(FORMS, "Our Own", draft()), profileOf(FORMS, "ours", { ...draft(), "profile.shortest_password": "" })]).toEqual([null, null]);
  });
});
