import { describe, expect, it } from "vitest";

import type { ReportColumn } from "../api/schema";
import { fieldOf } from "./figures";

const PACE: ReportColumn = { field: "rounds_an_hour", form: "rate" };

describe("a field of a report", () => {
  it("is a dash where too few rounds were dealt to say how fast", () => {
    const paces = [0, 2, 3].map((rounds) => fieldOf({ rounds, rounds_an_hour: 9_037.66 }, PACE, "UTC"));
    expect(paces).toEqual(["–", "–", "9,037.7"]);
    expect(fieldOf({ rounds: 2 }, { field: "rounds", form: "count" }, "UTC")).toBe("2");
  });
});
