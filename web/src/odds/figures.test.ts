import { describe, expect, it } from "vitest";

import { broken, decimal, percent, valueOf } from "./figures";

describe("exact figures", () => {
  it("are read from fractions", () => {
    expect(valueOf("-1/8")).toBe(-0.125);
    expect(valueOf("3")).toBe(3);
    expect(valueOf("135403071675784/303442643224035")).toBeCloseTo(0.44622295085867, 12);
  });
  it("are shown in per cent with a true minus, and nothing has none", () => {
    expect(percent(0.0123513, "en")).toBe("1.2351%");
    expect(percent(-0.5, "en", 1)).toBe("−50.0%");
    expect(percent(-1e-9, "en")).toBe("0.0000%");
    expect(decimal(-2.5, "en", 2)).toBe("−2.50");
    expect(broken("-1/8")).toBe("−1\u200b/\u200b8");
  });
});
