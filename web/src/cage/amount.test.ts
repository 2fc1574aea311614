import { describe, expect, it } from "vitest";

import { amountOf, piecesOf, totalOf, typed, textOf } from "./amount";

describe("an amount that is typed", () => {
  it("is minor units once it is whole", () => {
    expect(["500", "500.5", "500,50", " 0.05 ", "12345678901"].map(amountOf)).toEqual([50_000, 50_050, 50_050, 5, 1_234_567_890_100]);
  });
  it("is nothing where it is none", () => {
    expect(["", "0", "0.00", "-5", "5.555", "1e3", "five", "5.", "1234567890123"].map(amountOf)).toEqual(Array(9).fill(null));
  });
  it("is written as it is typed", () => {
    expect([50_000, 50_050, 5].map(textOf)).toEqual(["500", "500.50", "0.05"]);
    expect([50_000, 50_050, 5].map((minor) => amountOf(textOf(minor)))).toEqual([50_000, 50_050, 5]);
  });
  it("grows by the keypad, and takes no third decimal", () => {
    const keys = ["0", "5", "00", ".", ".", "2", "5", "9"];
    expect(keys.reduce(typed, "")).toBe("500.25");
    expect(typed("500.25", "⌫")).toBe("500.2");
    expect([typed("", "."), typed("1.5", "00")]).toEqual(["0.", "1.5"]);
  });
});

describe("a count of pieces", () => {
  it("has those that were counted", () => {
    const pieces = piecesOf(new Map([[10_000, "20"], [500, " 3 "], [100, ""], [25, "0"]]));
    expect(pieces).toEqual([{ value: 10_000, count: 20 }, { value: 500, count: 3 }]);
    expect(totalOf(pieces!)).toBe(201_500);
  });
  it("is none where a number is not one", () => {
    expect([piecesOf(new Map([[500, "x"]])), piecesOf(new Map([[500, "1.5"]])), piecesOf(new Map([[500, "-1"]]))]).toEqual([null, null, null]);
  });
});
