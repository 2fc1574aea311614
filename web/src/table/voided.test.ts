import { describe, expect, it } from "vitest";

import type { RoundView, TableView } from "../api/schema";
import { handShown, voidedRound } from "./voided";

const view = (isVoid: boolean) =>
  ({ round: 7, void: isVoid, hands: { player: { label: { en: "Player" }, cards: [] }, banker: { label: { en: "Banker" }, cards: [] } } }) as unknown as TableView;
const round = (number: number, winner: string | null) => ({ round: number, winner, player: ["KS", "3C", "9H"], banker: ["9D"], clause: "5.5.2" }) as unknown as RoundView;

describe("a void round", () => {
  it("is the one on the table, and one without a winner", () => {
    expect(voidedRound(view(true), [round(8, null), round(7, null), round(6, null)])?.round).toBe(7);
    expect(voidedRound(view(true), [round(7, "banker")])).toBeNull();
    expect(voidedRound(view(false), [round(7, null)])).toBeNull();
    expect(voidedRound(null, [round(7, null)])).toBeNull();
  });

  it("shows its cards as they lay, the third crosswise", () => {
    const shown = handShown(view(true), "player", round(7, null));
    expect(shown.cards.map((one) => [one.card, one.up, one.crosswise])).toEqual([["KS", true, false], ["3C", true, false], ["9H", true, true]]);
    expect(handShown(view(true), "banker", null).cards).toEqual([]);
  });
});
