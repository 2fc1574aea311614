// A round that is void is cleared from the table at once: what lay open is drawn from the history, grey, until the next call.

import type { HandView, RoundView, TableView } from "../api/schema";

/** The round on the table, where it is void and the history has it. */
export function voidedRound(view: TableView | null, rounds: readonly RoundView[]): RoundView | null {
  if (!view?.void) return null;
  return rounds.find((one) => one.round === view.round && one.winner === null) ?? null;
}

/** A hand as it lies there, or as it lay when the round became void. */
export function handShown(view: TableView, side: "player" | "banker", voided: RoundView | null): HandView {
  const hand = view.hands[side];
  if (!voided) return hand;
  return { ...hand, cards: voided[side].map((card, i) => ({ card, up: true, crosswise: i > 1, squeezable: false })) };
}
