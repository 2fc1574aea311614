import { describe, expect, it } from "vitest";

import { CARD, pipsOf, readCard, type Rank } from "./suits";

describe("pips", () => {
  it("are as many as the card counts", () => {
    const counts = (["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"] as Rank[]).map((r) => pipsOf(r).length);
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0]);
  });

  it("lie the same way up from either end, except the odd one of a seven", () => {
    for (const rank of ["A", "2", "3", "4", "5", "6", "8", "9", "10"] as Rank[]) {
      const places = pipsOf(rank).map((p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`);
      const turned = pipsOf(rank).map((p) => `${(CARD.width - p.x).toFixed(1)} ${(CARD.height - p.y).toFixed(1)}`);
      expect(new Set(turned)).toEqual(new Set(places));
    }
  });
});

describe("a card in text", () => {
  it("is rank and suit", () => {
    expect(readCard("10H")).toEqual({ rank: "10", suit: "H" });
    expect(readCard("KS")).toEqual({ rank: "K", suit: "S" });
  });
});
