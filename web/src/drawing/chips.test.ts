import { describe, expect, it } from "vitest";

import { chip, chipsOf, stackOf } from "./chips";

describe("the chips of a table", () => {
  it("begin with one that is enough for the minimum, and are whole chips of the table", () => {
    for (const smallest of [1, 50, 100, 500, 2500]) {
      for (const times of [1, 3, 10, 70, 1000]) {
        const minimum = smallest * times;
        for (const maximum of [null, minimum * 2, minimum * 100, minimum * 1_000_000]) {
          const chips = chipsOf(smallest, minimum, maximum);
          expect(chips[0]!.value).toBeGreaterThanOrEqual(minimum);
          for (const one of chips) expect(one.value % smallest).toBe(0);
          expect(chips.length).toBeLessThanOrEqual(10);
          expect(new Set(chips.map((c) => `${c.colour} ${c.notches}`)).size).toBe(chips.length);
        }
      }
    }
  });

  it("go up to the limit", () => {
    expect(chipsOf(100, 2500, 250_000).map((c) => c.value / 100)).toEqual([25, 50, 100, 250, 500, 1000, 2500]);
    expect(chipsOf(100, 1000, 1_000_000).map((c) => c.value / 100)).toEqual([10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]);
    expect(chipsOf(100, 1000, 10_000_000).map((c) => c.value / 100)).toEqual([10, 50, 100, 500, 1000, 5000, 10_000, 50_000, 100_000]);
    expect(chipsOf(100, 100, 1e12).at(-1)!.value).toBe(1e12);
    expect(chipsOf(100, 2500).map((c) => c.value / 100)).toEqual([25, 50, 100, 250, 500, 1000, 2500, 5000]);
  });
});

describe("a stack", () => {
  const tray = chipsOf(100, 2500, 1_000_000);

  it("adds up where it is not too high, and is never more than the amount", () => {
    for (let amount = 100; amount < 500_000; amount += 3700) {
      const sum = stackOf(amount, tray, 100, 99).reduce((total, c) => total + c.value, 0);
      expect(sum).toBe(amount);
      expect(stackOf(amount, tray, 100).length).toBeLessThanOrEqual(5);
    }
  });

  it("is made of chips of the tray, as a dealer would", () => {
    const narrow = tray.filter((one) => one.value !== 250_000 && one.value !== 25_000);
    expect(stackOf(950_000, narrow, 100).map((c) => c.value / 100)).toEqual([5000, 1000, 1000, 1000, 1000]);
    expect(stackOf(950_000, tray, 100).map((c) => c.value / 100)).toEqual([5000, 2500, 1000, 1000]);
    expect(stackOf(2600, tray, 100).map((c) => c.value / 100)).toEqual([25, 1]);
  });

  it("has chips that look the same wherever they lie", () => {
    expect(stackOf(2500, tray, 100)[0]).toEqual(chip(2500));
  });
});
