import { describe, expect, it } from "vitest";

import type { TableView } from "../api/schema";
import { words } from "../words/language.svelte";
import { cardSpoken, spokenOf } from "./spoken";

const hand = (name: string, ...cards: string[]) => ({ label: { en: name }, cards: cards.map((card) => ({ card: card === "?" ? null : card, up: card !== "?" })) });
const NO_HANDS = { player: hand("Player"), banker: hand("Banker") };
const view = (code: string, more: object = {}) => ({ round: 1, call: { code, sentence: code, label: { en: code } }, result: null, hands: NO_HANDS, areas: [], seats: [], ...more }) as unknown as TableView;
const spoken = (before: TableView | null, after: TableView) => spokenOf(before, after, words(), (label) => ({ text: label.en, lang: "en" }), (minor) => String(minor / 100));
const textOf = (parts: { text: string }[]) => parts.map((part) => part.text).join("") || null;
const say = (before: TableView | null, after: TableView) => {
  const { polite, assertive } = spoken(before, after);
  return { polite: textOf(polite), assertive: textOf(assertive) };
};

describe("what is spoken", () => {
  it("is every call once", () => {
    expect(say(null, view("bets-open"))).toEqual({ polite: "bets-open", assertive: null });
    expect(say(view("bets-open"), view("bets-open"))).toEqual({ polite: null, assertive: null });
    expect(say(view("bets-open"), view("bets-open", { round: 2 })).polite).toBe("bets-open");
  });

  it("interrupts only for closing, decisions and voids", () => {
    expect(say(view("bets-open"), view("bets-closed"))).toEqual({ polite: null, assertive: "bets-closed" });
    expect(say(view("points"), view("insurance")).assertive).toBe("insurance");
    expect(say(view("dealing"), view("points")).assertive).toBeNull();
  });

  it("says once why there is no second insurance", () => {
    const stands = view("result", { insurance: { no_offer: "banker-stands" } });
    expect(say(view("points", { insurance: { no_offer: null } }), stands).polite).toBe("result. Banker stands: no second insurance");
    expect(say(stands, stands).polite).toBeNull();
  });

  it("tells a result when it is paid", () => {
    const settled = (net: number) => view("result", { result: { settled: true, net, lines: [{ mine: true }] } });
    expect(say(view("result"), settled(9500)).polite).toBe("You win 95");
    expect(say(view("result"), settled(-100)).polite).toBe("You lose 1");
    expect(say(settled(100), settled(100)).polite).toBeNull();
  });

  it("is every card once, when it lies open", () => {
    const card = (type: string, more: object) => textOf(cardSpoken({ type, ...more }, view("dealing"), words(), (label) => ({ text: label.en })));
    expect(card("card-dealt", { hand: "player", card: "9H", face_up: true })).toBe("Player: 9 of hearts");
    expect(card("card-dealt", { hand: "player", card: null, face_up: false })).toBeNull();
    expect(card("card-dealt", { hand: "player", card: "KS", face_up: false })).toBeNull();
    expect(card("card-revealed", { hand: "banker", number: 2, card: "KS" })).toBe("Banker: king of spades");
    expect(card("card-corrected", { hand: "banker", number: 2, was: "KS", card: "QS" })).toBe("Banker: queen of spades");
    expect(card("bets-closed", {})).toBeNull();
  });

  it("is every bet that was taken, with what lies there then", () => {
    const bets = (stake: number) => view("bets-open", { areas: [{ area: "banker", label: { en: "Banker" } }], seats: [{ box: 3, bets: stake ? [{ mine: true, area: "banker", stake }] : [] }] });
    expect(say(bets(0), bets(2500)).polite).toBe("Banker: 25 accepted");
    expect(say(bets(2500), bets(5000)).polite).toBe("Banker: 50 accepted");
    expect(say(bets(5000), bets(2500)).polite).toBeNull();
    expect(spoken(bets(0), bets(2500)).polite).toEqual([{ text: "Banker", lang: "en" }, { text: ": 25 accepted" }]);
  });
});
