import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { CardView, Hand, LegalView, SqueezeView, TableView } from "../api/schema";
import { cardsInHand, foldOn, FoldTeller, nextAsk } from "./squeeze";
import { START, type TableState } from "./table";

const down = (more: Partial<CardView> = {}): CardView => ({ card: null, up: false, crosswise: false, squeezable: false, ...more });
const legal = (command: Record<string, unknown>, free: string[] = []): LegalView => ({ command, free }) as unknown as LegalView;
const ask = (hand: Hand, number: number) => legal({ type: "ask-squeeze", hand, number });
const squeezed = (number: number, consent: boolean | null): SqueezeView => ({ kind: "card", player: "Lee", hand: "player", number, consent, mine: true });

function dealing(cards: CardView[], squeezes: SqueezeView[], commands: LegalView[]): TableState {
  const view = { round: 3, phase: "dealing", squeezes, hands: { player: { cards }, banker: { cards: [] } } } as unknown as TableView;
  return { ...START, link: "live", view, legal: commands };
}

describe("the wish to squeeze a hand", () => {
  const player = new Set<Hand>(["player"]);
  const all = [ask("player", 1), ask("player", 2), ask("player", 3), ask("banker", 1)];

  it("asks for the first two cards before any comes, one after the other, and an automatic dealer for the third", () => {
    expect(nextAsk(dealing([], [], all), player)).toEqual({ type: "ask-squeeze", hand: "player", number: 1 });
    expect(nextAsk(dealing([], [squeezed(1, null)], all), player)).toBeNull();
    expect(nextAsk(dealing([], [squeezed(1, true)], all), player)).toMatchObject({ number: 2 });
    expect(nextAsk(dealing([], [squeezed(1, true), squeezed(2, true)], all), player)).toBeNull();
    const automatic = dealing([], [squeezed(1, true), squeezed(2, true)], all);
    expect(nextAsk({ ...automatic, view: { ...automatic.view!, dealer: true } }, player)).toMatchObject({ number: 3 });
    const late = dealing([down()], [squeezed(1, true)], [ask("player", 2)]);
    expect(nextAsk(late, player)).toBeNull();
    expect(nextAsk({ ...late, view: { ...late.view!, dealer: true } }, player)).toMatchObject({ number: 2 });
  });

  it("asks only what the server would take, only of that hand, and not again in a round in which the house said no", () => {
    expect(nextAsk(dealing([], [], []), player)).toBeNull();
    expect(nextAsk(dealing([], [], all), new Set())).toBeNull();
    expect(nextAsk(dealing([], [], all), new Set<Hand>(["banker"]))).toMatchObject({ hand: "banker", number: 1 });
    expect(nextAsk(dealing([], [squeezed(1, false)], all), player)).toBeNull();
  });
});

describe("cards in hand", () => {
  const mine = down({ squeezable: true, card: "7S" });

  it("are those that lie face down before the viewer and may be turned now", () => {
    const turn = legal({ type: "reveal-card", hand: "player", number: 2 });
    expect(cardsInHand(dealing([mine, mine], [], [turn]))).toEqual([{ hand: "player", number: 2, card: "7S" }]);
    expect(cardsInHand(dealing([down(), { ...mine, up: true }], [], [turn]))).toEqual([]);
  });

  it("are seen bent by the others in the same round only, and only while they lie face down", () => {
    const folded = { type: "folded", round: 3, player: "Lee", hand: "player", number: 1, edge: "left", part: 4 } as const;
    expect(foldOn(folded, 3, "player", 1, down())).toBe(folded);
    for (const [round, hand, number, up] of [[4, "player", 1, false], [3, "banker", 1, false], [3, "player", 2, false], [3, "player", 1, true]] as const) {
      expect(foldOn(folded, round, hand, number, down({ up }))).toBeNull();
    }
  });
});

describe("telling how a card is bent", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("says the first at once, then only the latest after each pause, and nothing twice", () => {
    const told: number[] = [];
    const teller = new FoldTeller(({ part }) => told.push(part), 100);
    teller.tell("player", 1, "left", 0);
    expect(told).toEqual([]); // it lies flat: nothing has happened
    for (let part = 1; part <= 9; part++) teller.tell("player", 1, "left", part);
    expect(told).toEqual([1]);
    vi.advanceTimersByTime(100);
    expect(told).toEqual([1, 9]);
    teller.tell("player", 1, "left", 9);
    vi.advanceTimersByTime(500);
    expect(told).toEqual([1, 9]);
    teller.tell("player", 1, "left", 0);
    expect(told).toEqual([1, 9, 0]);
    teller.tell("player", 1, "left", 5);
    teller.end();
    vi.advanceTimersByTime(500);
    expect(told).toEqual([1, 9, 0]);
  });
});
