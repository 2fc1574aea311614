import { expect, it } from "vitest";

import { minorOf } from "./amount";

it("reads money as people write it", () => {
  const typed = { "500": 50_000, "500.5": 50_050, "500,50": 50_050, " 0.05 ": 5, "0": 0, "1,000": 100_000, "1 000": 100_000, "1,250.50": 125_050, "12,345,678": 1_234_567_800, "123456789012": 12_345_678_901_200 };
  expect(Object.keys(typed).map(minorOf)).toEqual(Object.values(typed));
});

it("is nothing where it is no amount", () => {
  for (const text of ["", "x", "-5", "5.555", "1e3", "5.", "1234567890123", "1,00,000", "12,34.5", "1,000,5", "1.000,50", "123,456,789,012,345"]) expect(minorOf(text), text).toBeNull();
});
