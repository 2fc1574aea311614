import { describe, expect, it } from "vitest";

import { moved, nearest } from "./cardOrder";

describe("a card is moved", () => {
  it.each([
    [0, 2, "bca"],
    [2, 0, "cab"],
    [1, 1, "abc"],
    [0, 3, "abc"],
    [0, -1, "abc"],
    [3, 0, "abc"],
  ])("from %i to %i: %s", (from, to, after) => expect(moved([..."abc"], from, to).join("")).toBe(after));
});

it("a card that is dragged goes to the nearest place", () => {
  const middles = [{ x: 0, y: 0 }, { x: 100, y: 0 }, { x: 0, y: 100 }];
  expect([nearest(middles, 40, 10), nearest(middles, 60, 10), nearest(middles, 10, 90)]).toEqual([0, 1, 2]);
});
