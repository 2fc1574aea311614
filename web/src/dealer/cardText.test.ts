import { describe, expect, it } from "vitest";

import { readTyped } from "./cardText";

describe("a typed card", () => {
  it.each([
    ["9h", "9H"],
    ["10s", "10S"],
    ["td", "10D"],
    [" kC ", "KC"],
    ["a♠", "AS"],
    ["q♦", "QD"],
  ])("%s is %s", (text, card) => {
    expect(readTyped(text)).toBe(card);
  });

  it.each(["", "h9", "11s", "9", "9x", "9hh", "0s"])("%s is none", (text) => {
    expect(readTyped(text)).toBeNull();
  });
});
