// What a player who squeezes asks for and shows: nothing here decides who may. The server lists what may be asked, and
// drops a fold of anybody else.

import type { Command } from "../api/command";
import type { Edge, FoldedFrame, FoldFrame } from "../api/frames";
import type { CardView, Hand } from "../api/schema";
import { legalFor, type TableState } from "./table";

export interface InHand {
  hand: Hand;
  number: number;
  card: string;
}

const HANDS = ["player", "banker"] as const;

/** The cards that lie before the viewer to be opened, and may be opened now. */
export function cardsInHand(state: TableState): InHand[] {
  const { view } = state;
  return HANDS.flatMap((hand) =>
    (view?.hands[hand].cards ?? []).flatMap((card, i) =>
      card.squeezable && !card.up && card.card !== null && legalFor(state, "reveal-card", { hand, number: i + 1 }) ? [{ hand, number: i + 1, card: card.card }] : [],
    ),
  );
}

/** How others bend a card that lies face down, if they do. */
export function foldOn(folded: FoldedFrame | null, round: number, hand: Hand, number: number, card: CardView): FoldedFrame | null {
  return folded && !card.up && folded.round === round && folded.hand === hand && folded.number === number ? folded : null;
}

/** What to ask next, before the first card comes, for somebody who said which hand to squeeze. An automatic dealer is asked for
 * the third card too, and on a slow line also while others come; a person would have to answer for a card that may never come,
 * and can be asked when it does. */
export function nextAsk(state: TableState, wished: ReadonlySet<Hand>): Command | null {
  const { view, pending, refused } = state;
  if (view?.phase !== "dealing" || refused?.command.type === "ask-squeeze" || pending.some((one) => one.command.type === "ask-squeeze")) return null;
  if (view.hands.player.cards.length && !view.dealer) return null; // a person who deals is not interrupted
  const mine = view.squeezes.filter((one) => one.mine);
  if (mine.some((one) => one.consent !== true)) return null; // one waits, or the house does not want it in this round
  for (const hand of HANDS.filter((one) => wished.has(one))) {
    for (const number of view.dealer ? [1, 2, 3] : [1, 2]) {
      const isAsked = mine.some((one) => one.hand === hand && one.number === number);
      const legal = isAsked ? undefined : state.legal.find(({ command }) => command["type"] === "ask-squeeze" && command["hand"] === hand && command["number"] === number);
      if (legal) return { ...legal.command, type: "ask-squeeze" };
    }
  }
  return null;
}

/** Tells how a card is bent: at once, and then the latest after each pause, as often as the server passes it on. */
export class FoldTeller {
  private last = "";
  private latest: Omit<FoldFrame, "type"> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly send: (fold: Omit<FoldFrame, "type">) => void,
    private readonly pauseMs = 100,
  ) {}

  tell(hand: Hand, number: number, edge: Edge, part: number): void {
    this.latest = { hand, number, edge, part };
    this.timer ??= this.flush();
  }

  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.latest = null;
    this.last = "";
  }

  private flush(): ReturnType<typeof setTimeout> | undefined {
    const fold = this.latest;
    this.latest = null;
    const said = JSON.stringify(fold);
    if (!fold || said === this.last || (fold.part === 0 && this.last === "")) return undefined; // lying flat is nothing new
    this.last = said;
    this.send(fold);
    return setTimeout(() => (this.timer = this.flush()), this.pauseMs);
  }
}
