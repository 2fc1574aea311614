import { describe, expect, it } from "vitest";

import { chip, chipsOf, stackOf } from "./chips";

describe("the chips of a table", () => {
  it("begin with one that is enough for the minimum, and are whole chips of the table", () => {
    for (const smallest of [1, 50, 100, 500, 2500]) {
      for (const times of [1, 3, 10, 70, 1000]) {
        const minimum = smallest * times;
        const chips = chipsOf(smallest, minimum);
        expect(chips[0]!.value).toBeGreaterThanOrEqual(minimum);
        for (const one of chips) expect(one.value % smallest).toBe(0);
        expect(chips).toHaveLength(6);
        expect(new Set(chips.map((c) => c.value)).size).toBe(6);
      }
    }
  });

  it("offers 25, 50, 100, 250, 500, 1,000 at a table from 25", () => {
    expect(chipsOf(100, 2500).map((c) => c.value / 100)).toEqual([25, 50, 100, 250, 500, 1000]);
  });
});

describe("a stack", () => {
  it("adds up where it is not too high, and is never more than the amount", () => {
    for (let amount = 100; amount < 500_000; amount += 3700) {
      const sum = stackOf(amount, 100, 99).reduce((total, c) => total + c.value, 0);
      expect(sum).toBe(amount);
      expect(stackOf(amount, 100).length).toBeLessThanOrEqual(5);
    }
  });
});

describe("the chips that are offered together", () => {
  it("differ in colour", () => {
    for (const minimum of [100, 500, 2500, 10_000, 1_000_000]) {
      expect(new Set(chipsOf(100, minimum).map((c) => c.colour)).size).toBe(6);
    }
  });

  it("look the same wherever they lie", () => {
    expect(stackOf(2500, 100)[0]).toEqual(chip(2500));
  });
});
