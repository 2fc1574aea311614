import { describe, expect, it } from "vitest";

import type { AreaView, TableView } from "../api/schema";
import { areaOfKey, betsOn, evenRows, rowsOf, toneOf } from "./spots";

const area = (name: string, group: AreaView["group"], hand: AreaView["hand"] = null) => ({ area: name, group, hand }) as AreaView;

const KNOCKOUT = [
  area("player", "main", "player"),
  area("banker", "main", "banker"),
  area("tie", "side"),
  area("player-pair", "pair"),
  area("banker-pair", "pair"),
  area("winning-total-7", "side"),
  area("ante-player", "ante", "player"),
  area("wager-player", "wager", "player"),
];

describe("the felt", () => {
  it.each([[11, 946, 126, 6], [11, 382, 82, 4], [3, 946, 126, 3], [2, 100, 126, 1], [12, 5000, 126, 12]])("has rows of the same length: %i in %i px", (count, room, least, inRow) => {
    expect(evenRows(count, room, least, 6)).toBe(inRow);
  });

  it("has Player, Tie and Banker in a row, and every other area once", () => {
    const rows = rowsOf(KNOCKOUT);
    expect(rows.main.map((a) => a.area)).toEqual(["player", "tie", "banker"]);
    expect(rows.side.map((a) => a.area)).toEqual(["player-pair", "winning-total-7", "banker-pair"]);
    expect(rows.antes.map((a) => a.area)).toEqual(["ante-player", "wager-player"]);
    expect([...rows.main, ...rows.side, ...rows.antes]).toHaveLength(KNOCKOUT.length);
  });

  it("shows areas that no book of ours has", () => {
    expect(rowsOf([...KNOCKOUT, area("seven-sisters", "side")]).side.map((a) => a.area)).toContain("seven-sisters");
  });

  it("gives a pair the colour of its hand", () => {
    expect(KNOCKOUT.map(toneOf)).toEqual(["player", "banker", "tie", "player", "banker", "side", "player", "player"]);
  });
});

describe("a key", () => {
  it("is an area of this book, or nothing", () => {
    expect(areaOfKey(KNOCKOUT, "p", false)?.area).toBe("player");
    expect(areaOfKey(KNOCKOUT, "b", true)?.area).toBe("banker-pair");
    expect(areaOfKey(KNOCKOUT, "t", false)?.area).toBe("tie");
    expect(areaOfKey([area("player", "main", "player")], "p", true)).toBeNull();
    expect(areaOfKey(KNOCKOUT, "x", false)).toBeNull();
  });
});

describe("bets on an area", () => {
  it("are the viewer's own in the chosen box, and all others", () => {
    const bet = (stake: number, mine: boolean) => ({ player: mine ? "lee" : "ann", area: "banker", stake, status: "live", seated: true, mine });
    const view = { areas: [], seats: [{ box: 1, bets: [bet(100, true)] }, { box: 2, bets: [bet(300, true), bet(500, false)] }] } as unknown as TableView;
    expect(betsOn(view, "banker", 2).mine).toBe(300);
    expect(betsOn(view, "banker", 2).own.map((one) => one.stake)).toEqual([100]);
    expect(betsOn(view, "banker", 2).others.map((one) => one.stake)).toEqual([500]);
    expect(betsOn(view, "banker", null).mine).toBe(0);
  });

  it("carry what they are insured for, by whoever insured them", () => {
    const taken = (hand: string, amount: number, mine: boolean) => ({ player: "lee", hand, window: 4, amount, odds: "2:1", mine });
    const seat = { box: 1, bets: [], insurance: [taken("player", 6600, true), taken("player", 100, false), taken("banker", 50, true)] };
    const view = { areas: KNOCKOUT, seats: [seat] } as unknown as TableView;
    expect(["player", "banker", "tie"].map((one) => betsOn(view, one, 1).insured)).toEqual([6600, 50, 0]);
  });

  it("warn of a bet under the minimum", () => {
    const bet = (status: string) => ({ player: "lee", area: "banker", stake: 100, status, seated: true, mine: true });
    const view = (status: string) => ({ areas: [], seats: [{ box: 1, bets: [bet(status)] }] }) as unknown as TableView;
    expect(["live", "under-minimum", "advised"].map((status) => betsOn(view(status), "banker", 1).isUnder)).toEqual([false, true, true]);
  });
});
