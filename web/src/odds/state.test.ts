import { describe, expect, it } from "vitest";

import { pathOf, placeOf } from "./state";

describe("the address of the explorer", () => {
  it.each([
    ["/odds", { tab: "shoe", book: "", decks: null, removed: [] }],
    ["/odds/ez", { tab: "shoe", book: "ez", decks: null, removed: [] }],
    ["/odds/ez/6", { tab: "shoe", book: "ez", decks: 6, removed: [] }],
    ["/odds/ez/8/9H,10,KS", { tab: "shoe", book: "ez", decks: 8, removed: ["9H", "10", "KS"] }],
    ["/odds/live/t12", { tab: "live", table: "t12" }],
    ["/odds/catalogue", { tab: "catalogue", section: "" }],
    ["/odds/catalogue/pairs", { tab: "catalogue", section: "pairs" }],
  ] as const)("%s says and is said by the same", (path, place) => {
    expect(placeOf(path.split("/").slice(2))).toEqual(place);
    expect(pathOf(place)).toBe(path);
  });
  it("leaves out what is no card", () => {
    expect(placeOf(["ez", "x", "9H,11,<b>,A"])).toEqual({ tab: "shoe", book: "ez", decks: null, removed: ["9H", "A"] });
  });
});
