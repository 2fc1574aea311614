import { describe, expect, it } from "vitest";

import type { LegalView } from "../api/schema";
import english from "../../../src/punto/words/en/console.json";
import { actsAt, fieldsOf, filledIn, groupsOf, isWeighty, placeOf, SHELVES, shelfOf } from "./acts";

const legal = (command: Record<string, unknown>, free: string[] = []): LegalView => ({ command, free, most: null, odds: [], second: null });

describe("acts", () => {
  it("have a place on the console, each command one", () => {
    const places = Object.keys(english.commands).map((type) => [type, placeOf(type)]);
    expect(Object.fromEntries(places)).toMatchObject({ "void-round": "case", rule: "case", "load-shoe": "shoe", "place-bet": "bets", report: "none", "walk-away": "people", "pause-table": "table" });
  });

  it("that decide a case are confirmed", () => {
    for (const type of Object.keys(english.commands)) {
      if (placeOf(type) === "case") expect(isWeighty(type), type).toBe(true);
    }
    expect(isWeighty("deal-card")).toBe(false);
  });

  it("stand under a heading each where they have no other place", () => {
    const shelves = Object.keys(english.commands).filter((type) => ["people", "bets", "table"].includes(placeOf(type))).map((type) => [type, shelfOf(type)]);
    expect(Object.fromEntries(shelves)).toMatchObject({ "walk-away": "players", "withdraw-bet": "players", "take-draw": "cards", "reopen-bets": "round", "expire-antes": "round", "pause-table": "table", "close-table": "table" });
    expect(Object.keys(english.shelves)).toEqual([...SHELVES]);
  });

  it("are sorted by place", () => {
    const list = [legal({ type: "rule", effect: "void" }, ["reason"]), legal({ type: "pause-table" }), legal({ type: "walk-away", player: "Lee" })];
    expect(actsAt(list, "case")).toEqual([list[0]]);
    expect(actsAt(list, "people")).toEqual([list[2]]);
  });
});

describe("a form", () => {
  it("is one for acts that differ in their box alone", () => {
    const seat = (box: number) => legal({ type: "take-seat", box, player: "somebody new" }, ["player"]);
    const away = (player: string) => legal({ type: "walk-away", player });
    const acts = [seat(2), away("Lee"), seat(5), away("Kim"), legal({ type: "leave-seat", box: 1 }), legal({ type: "leave-seat", box: 3 })];
    expect(groupsOf(acts).map((group) => group.acts)).toEqual([[acts[0], acts[2]], [acts[1]], [acts[3]], [acts[4]], [acts[5]]]);
  });

  it("asks for what is free, and fills it in", () => {
    const bet = legal({ type: "place-bet", box: 1, area: "player", amount: 100, player: "somebody new", round: 2 }, ["amount", "player"]);
    expect(fieldsOf(bet)).toEqual(["player", "amount"]);
    expect(filledIn(bet, { player: " Kim ", amount: "1,250.50" })).toEqual({ type: "place-bet", box: 1, area: "player", amount: 125050, player: "Kim", round: 2 });
  });

  it("reads cards, one or many", () => {
    expect(filledIn(legal({ type: "order-cards", cards: [] }, ["cards"]), { cards: "9h, kd 10s" })).toEqual({ type: "order-cards", cards: ["9H", "KD", "10S"] });
    expect(filledIn(legal({ type: "order-cards", cards: [] }, ["cards"]), { cards: "6 9h 5" })).toEqual({ type: "order-cards", cards: [6, "9H", 5] });
    expect(filledIn(legal({ type: "correct-card", hand: "player", number: 1, card: "AS" }, ["card"]), { card: "td" })?.["card"]).toBe("10D");
  });

  it.each([
    ["amount", ""], ["amount", "-5"], ["amount", "ten"], ["card", "9x"], ["cards", "9h 9x"], ["cards", " "], ["reason", "  "], ["player", ""],
  ] as const)("does not take %s %j", (field, text) => {
    expect(filledIn(legal({ type: field === "cards" ? "order-cards" : "rule" }, [field]), { [field]: text })).toBeNull();
  });

  it("lets a note and the players of a ruling be left out", () => {
    expect(filledIn(legal({ type: "rule", effect: "continue", reason: "-" }, ["reason", "players"]), { reason: "seen on tape" })).toEqual({ type: "rule", effect: "continue", reason: "seen on tape", players: [] });
  });

  it("does not ask for cards where they are evidence", () => {
    expect(fieldsOf(legal({ type: "withdraw-evidence", seen: ["interruption"] }, ["cards", "seen"]))).toEqual([]);
  });
});
