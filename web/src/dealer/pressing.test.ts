import { describe, expect, it } from "vitest";

import { Pressing, TIME_TO_SEE_MS } from "./pressing";

describe("a press for the next act", () => {
  it("is taken, and another only after the time that a person needs", () => {
    const pressing = new Pressing();
    expect([0, 150, 300 + TIME_TO_SEE_MS, 2 * TIME_TO_SEE_MS + 300].map((at) => pressing.take(at))).toEqual([true, false, true, true]);
  });

  it("that hammers gives one act", () => {
    const pressing = new Pressing();
    expect([0, 100, 200, 300, 400, 500, 600, 700, 800].map((at) => pressing.take(at)).filter(Boolean)).toEqual([true]);
  });
});
