import { describe, expect, it } from "vitest";

import { EMPTY_ROW, canLie, reportOf, sightingOf, unreadIn } from "./sightings";

describe("a sighting", () => {
  it("of a new card has its face, or says that nobody saw it", () => {
    expect(sightingOf({ ...EMPTY_ROW, card: "5h", lies: "player", together: true })).toEqual({ card: "5H", lies: "player", together: true });
    expect(sightingOf({ ...EMPTY_ROW, lies: "banker", face: "down" })).toEqual({ card: null, lies: "banker", face: "down" });
    expect(sightingOf({ ...EMPTY_ROW, card: "zz" })).toBeNull();
  });

  it("of a card on record names it by its number", () => {
    expect(sightingOf({ ...EMPTY_ROW, which: "3", lies: "", is: "2s" })).toEqual({ nth: 3, is: "2S" });
    expect(sightingOf({ ...EMPTY_ROW, which: "3", lies: "banker" })).toEqual({ nth: 3, lies: "banker" });
    expect(sightingOf({ ...EMPTY_ROW, which: "3", is: "x" })).toBeNull();
  });

  it("of a new card has no place in the shoe, unless it is of another set", () => {
    const rows = [EMPTY_ROW, { ...EMPTY_ROW, foreign: true }, { ...EMPTY_ROW, which: "3" }];
    expect(rows.map((row) => canLie(row, "shoe"))).toEqual([false, true, true]);
    expect(canLie(EMPTY_ROW, "floor")).toBe(true);
  });
});

describe("a report", () => {
  const empty = { seen: [], rows: [], isOrderSeen: false, note: "" };

  it("says nothing until a card or a fact is named", () => {
    expect(reportOf({ ...empty, note: "odd" })).toBeNull();
    expect(reportOf({ ...empty, rows: [{ ...EMPTY_ROW, card: "?" }] })).toBeNull();
  });

  it("tells a card that does not read from nothing at all", () => {
    expect(unreadIn(empty)).toBeNull();
    expect(unreadIn({ ...empty, rows: [{ ...EMPTY_ROW, card: "9h" }, { ...EMPTY_ROW, card: " 3x " }] })).toBe("3x");
    expect(unreadIn({ ...empty, rows: [{ ...EMPTY_ROW, which: "2", is: "zz" }] })).toBe("zz");
  });

  it("names no clause and no finding", () => {
    expect(reportOf({ seen: ["foreign-card"], rows: [{ ...EMPTY_ROW, card: "5h" }], isOrderSeen: true, note: " blue back " })).toEqual({
      type: "report",
      cards: [{ card: "5H", lies: "table" }],
      seen: ["foreign-card"],
      order: "seen",
      note: "blue back",
    });
  });
});
