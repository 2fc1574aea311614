import { describe, expect, it } from "vitest";

import type { PlayerPlay } from "../api/schema";
import { minutesOf } from "./play.svelte";

const told = (began_ms: number | null, minutes: number): PlayerPlay => ({ account: "lee", began_ms, minutes, staked: 0, returned: 0, net: 0, lying: 0 });

describe("the time of a session", () => {
  it("goes on between two answers, and not where there is none", () => {
    expect([0, 59_999, 60_000, 150_000].map((later) => minutesOf(told(1, 16), 1000, 1000 + later))).toEqual([16, 16, 17, 18]);
    expect(minutesOf(told(null, 0), 1000, 500_000)).toBe(0);
    expect(minutesOf(told(1, 3), 1000, 0)).toBe(3);
  });
});
