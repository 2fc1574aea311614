import { describe, expect, it } from "vitest";

import type { NextView, RefusalText, TableView } from "../api/schema";
import { advance, answered, EMPTY, enter, goOn, isCardKey, leave, lines, name, nameAgain, newRound, remove, takeBack, type, type CardQueue, type Look } from "./cardQueue";

const REFUSAL: RefusalText = { reason: "card-not-there", params: {}, sentence: "all 8 are out", clause: null };

function look(seq: number, cards: [number, number] = [0, 0], next: Partial<NextView> = {}, rest: Partial<Look> = {}): Look {
  const hand = cards[0] <= cards[1] ? "player" : "banker";
  const due: NextView = { command: { type: "deal-card" }, phrase: "deal", needs_card: true, hand, waits: null, problem: null, corrections: [], ...next };
  const hands = { player: { cards: Array(cards[0]) }, banker: { cards: Array(cards[1]) } };
  return { view: { seq, round: 1, hands, next: due } as unknown as TableView, isLive: true, isPending: false, own: seq, ...rest };
}

function typed(text: string, at: Look, queue: CardQueue = EMPTY): CardQueue {
  return [...text].reduce((before, sign) => type(before, sign, at), queue);
}

let keys = 0;
const step = (queue: CardQueue, at: Look) => advance(queue, at, () => `k${++keys}`);
const said = (queue: CardQueue) => queue.entries.map((one) => `${one.card} ${one.state}`);

/** A server that answers each card, until nothing more is sent: what it got, with the version each was bound to. */
function served(queue: CardQueue, from: number, refuse: (card: string) => boolean = () => false): { queue: CardQueue; got: string[] } {
  const got: string[] = [];
  for (let seq = from, i = 0; ; i++) {
    const next = step(queue, look(seq, [Math.ceil(i / 2), Math.floor(i / 2)]));
    queue = next.queue;
    if (next.send === null) return { queue, got };
    const card = String(next.send.command["card"]);
    got.push(`${card}@${next.send.expected}`);
    const isRefused = refuse(card);
    queue = answered(queue, next.send.key, isRefused ? { refusal: REFUSAL } : {});
    if (!isRefused) seq += 1;
  }
}

describe("a typed card", () => {
  it.each([
    ["9h", ["9H waiting"]],
    ["10s", ["10S waiting"]],
    ["1s", ["AS waiting"]],
    ["tdKc", ["10D waiting", "KC waiting"]],
    ["5h6s2d10c", ["5H waiting", "6S waiting", "2D waiting", "10C waiting"]],
  ])("%s is named with its last sign", (text, entries) => {
    expect(said(typed(text, look(4)))).toEqual(entries);
  });

  it.each(["9", "1", "10", "k"])("%s waits for more", (text) => {
    expect(typed(text, look(4))).toMatchObject({ typed: text, entries: [] });
  });

  it.each([
    ["99h", ["99 unreadable", "h unreadable"]],
    ["9x5h", ["9x unreadable", "5H waiting"]],
    ["h5s", ["h unreadable", "5S waiting"]],
    ["0h", ["0 unreadable", "h unreadable"]],
  ])("%s lost a sign: it stands there, and nothing after it is sent", (text, entries) => {
    const queue = typed(text, look(4));
    expect(said(queue)).toEqual(entries);
    expect(step(queue, look(4)).send).toBeNull();
  });

  it("ends with Enter, which scanners send, and which habit presses", () => {
    expect(enter(typed("9h", look(4))).entries).toHaveLength(1);
    expect(said(enter(typed("9", look(4))))).toEqual(["9 unreadable"]);
  });

  it("takes no key that belongs to nothing", () => {
    expect(["9", "h", "K", "♠"].map((key) => isCardKey(EMPTY, key))).toEqual([true, true, true, true]);
    expect(["x", " ", "Enter", "F8", "p"].map((key) => isCardKey(EMPTY, key))).toEqual([false, false, false, false, false]);
    expect(isCardKey(typed("9", look(4)), "x")).toBe(true);
  });
});

describe("a queue", () => {
  it("sends one after the other, each bound to the version that it follows", () => {
    const { queue, got } = served(typed("5h6s2d3c", look(10)), 10);
    expect(got).toEqual(["5H@10", "6S@11", "2D@12", "3C@13"]);
    expect(said(queue)).toEqual(["5H done", "6S done", "2D done", "3C done"]);
    expect(queue.entries.map((one) => `${one.spot?.hand} ${one.spot?.number}`)).toEqual(["player 1", "banker 1", "player 2", "banker 2"]);
  });

  it("sends nothing while one is on its way, an act is pending, or the stream is away", () => {
    const first = step(typed("5h6s", look(10)), look(10));
    expect(first.send?.command).toEqual({ type: "deal-card", card: "5H" });
    expect(step(first.queue, look(10)).send).toBeNull();
    expect(step(typed("5h", look(10)), look(10, [0, 0], {}, { isPending: true })).send).toBeNull();
    expect(step(typed("5h", look(10)), look(10, [0, 0], {}, { isLive: false })).send).toBeNull();
  });

  it("stops at a refusal, by name, and keeps the rest", () => {
    const { queue, got } = served(typed("5h6s2d3c", look(10)), 10, (card) => card === "6S");
    expect(got).toEqual(["5H@10", "6S@11"]);
    expect(said(queue)).toEqual(["5H done", "6S refused", "2D waiting", "3C waiting"]);
    expect(queue.hold).toBe("refused");
    const more = typed("9c", look(11, [1, 0]), queue);
    expect(step(more, look(11, [1, 0])).send).toBeNull();
    expect(said(more).at(-1)).toBe("9C waiting");
  });

  it("goes on with the card named again, in the place of the refused one", () => {
    const { queue } = served(typed("5h6s2d3c", look(10)), 10, (card) => card === "6S");
    const again = typed("7s", look(11, [1, 0]), nameAgain(queue, 2));
    expect(said(again)).toEqual(["5H done", "7S waiting", "2D waiting", "3C waiting"]);
    expect(served(again, 11).got).toEqual(["7S@11", "2D@12", "3C@13"]);
  });

  it("goes on without the refused card where the dealer says so", () => {
    const { queue } = served(typed("5h6s2d", look(10)), 10, (card) => card === "6S");
    expect(served(goOn(queue, look(11, [1, 0])), 11).got).toEqual(["2D@11"]);
  });

  it("is held where no card is due, and never forgets one", () => {
    const finished = look(14, [2, 2], { command: { type: "settle-round" }, needs_card: false, hand: null });
    const { queue, send } = step(typed("9h", finished), finished);
    expect([send, queue.hold, said(queue)]).toEqual([null, "not-due", ["9H waiting"]]);
    const later = newRound(queue);
    expect(step(later, look(20)).send).toBeNull();
    expect(step(goOn(later, look(20)), look(20)).send).toMatchObject({ expected: 20, command: { card: "9H" } });
  });

  it("follows an act of the dealer's own that was still on its way", () => {
    const closing = look(10, [0, 0], { command: { type: "close-bets" }, needs_card: false, hand: null }, { isPending: true, own: 9 });
    const queue = typed("9h", closing);
    expect(step(queue, closing)).toEqual({ queue, send: null });
    expect(step(queue, look(11)).send).toMatchObject({ expected: 11 });
  });

  it("does not close a window that opened after the card was named ahead; one named before it does", () => {
    const waits = { waits: { what: "insurance", whom: ["Lee"] } } as const;
    const ahead = typed("9h", look(13, [2, 1], {}, { isPending: true }));
    expect(step(ahead, look(14, [2, 2], waits)).queue.hold).toBe("waits");
    expect(step(typed("9h", look(14, [2, 2], waits)), look(14, [2, 2], waits)).send).not.toBeNull();
    const paced = look(14, [2, 2], { waits: { what: "pace", whom: [] } });
    expect(step(ahead, paced).send).not.toBeNull();
  });

  it("is held where somebody else acted before a card that was named ahead, or while the stream was away", () => {
    const ahead = typed("9h", look(13, [1, 1], {}, { isPending: true }));
    expect(step(ahead, look(15, [1, 1], {}, { own: 14 })).queue.hold).toBe("changed");
    const away = typed("9h", look(13, [1, 1], {}, { isLive: false }));
    expect(step(away, look(15, [1, 1])).queue.hold).toBe("changed");
    expect(step(away, look(13, [1, 1], {}, { own: 7 })).send).toMatchObject({ expected: 13 });
  });

  it("forgets what was confirmed when the next round is called", () => {
    const { queue } = served(typed("5h6s", look(10)), 10);
    expect(newRound(queue).entries).toEqual([]);
  });

  it("takes an answer once, and none that is not its own", () => {
    const { queue, send } = step(typed("5h", look(10)), look(10));
    expect(answered(queue, "other", { refusal: REFUSAL })).toBe(queue);
    const done = answered(queue, send!.key, {});
    expect(answered(done, send!.key, { refusal: REFUSAL })).toBe(done);
    expect(said(answered(queue, send!.key, { approval: "a1" }))).toEqual(["5H asked"]);
  });
});

describe("taking back", () => {
  const open = (problem: RefusalText | null = null) => [{ hand: "player" as const, number: 1, problem: null }, { hand: "banker" as const, number: 1, problem: problem && { command: "correct-card", clause: null, ...problem } }];

  it("takes a sign, then a card that was not sent, newest first", () => {
    const at = look(10, [0, 0], {}, { isPending: true });
    const queue = typed("5h6s9", at);
    const one = takeBack(queue, at);
    expect([one.typed, one.entries.length]).toEqual(["", 2]);
    const two = takeBack(one, at);
    expect([said(two), two.back]).toEqual([["5H waiting"], { what: "taken", card: "6S" }]);
  });

  it("waits for a card that is on its way", () => {
    const { queue } = step(typed("5h", look(10)), look(10));
    expect(takeBack(queue, look(10))).toMatchObject({ entries: [{ state: "sent" }], back: { what: "sent", card: "5H" } });
  });

  it("corrects the last card on the table by the book", () => {
    const { queue } = served(typed("5h6s", look(10)), 10);
    const at = look(12, [1, 1], { corrections: open() });
    const back = takeBack(queue, at);
    expect(back.correcting).toEqual({ hand: "banker", number: 1 });
    expect(step(typed("7s", at, back), at).send).toMatchObject({ expected: 12, command: { type: "correct-card", hand: "banker", number: 1, card: "7S" } });
    expect(leave(back).correcting).toBeNull();
  });

  it("also after the page was loaded again, by the order of the deal", () => {
    expect(takeBack(EMPTY, look(12, [1, 1], { corrections: open() })).correcting).toEqual({ hand: "banker", number: 1 });
  });

  it("says why it cannot", () => {
    expect(takeBack(EMPTY, look(12, [1, 1], { corrections: open(REFUSAL) })).back).toMatchObject({ what: "fixed", problem: REFUSAL });
    expect(takeBack(EMPTY, look(12)).back).toEqual({ what: "nothing" });
  });

  it("lets a queue go that was held by what is taken out", () => {
    const at = look(10);
    const queue = typed("9x", at);
    expect(queue.hold).toBe("unreadable");
    const out = takeBack(queue, at);
    expect([out.entries, out.hold]).toEqual([[], null]);
    expect(step(name(out, "9H", at), at).send).not.toBeNull();
    const rest = typed("9x5h", at);
    expect(remove(rest, 1)).toMatchObject({ hold: "unreadable", entries: [{ card: "5H" }] });
  });
});

describe("a card that was put right", () => {
  const lying = (seq: number, player: string, rest: Partial<NextView> = {}) => {
    const at = look(seq, [1, 0], rest);
    Object.assign(at.view.hands.player, { cards: [{ card: player }] });
    return at;
  };
  const told = (queue: CardQueue, { view }: Look) => lines(queue, view).map((one) => `${one.card} was ${one.was}`);
  const first = served(typed("9d", look(1)), 1).queue;

  it("stands once in the list, in its own place, with what it was named as", () => {
    const open = { corrections: [{ hand: "player" as const, number: 1, problem: null }] };
    const at = lying(2, "9D", open);
    const sent = step(typed("8d", at, takeBack(first, at)), at);
    expect(told(sent.queue, at)).toEqual(["9D was null", "8D was null"]); // it is on its way
    const done = answered(sent.queue, sent.send!.key, {});
    expect(told(done, at)).toEqual(["8D was 9D"]); // the view of before is still there
    expect(told(done, lying(3, "8D"))).toEqual(["8D was 9D"]);
    expect(told(done, lying(4, "9D"))).toEqual(["9D was null"]); // and put back
  });

  it("is what lies on the table, also where it was put right elsewhere", () => {
    expect(told(first, lying(2, "9D"))).toEqual(["9D was null"]);
    expect(told(first, lying(3, "8D"))).toEqual(["8D was 9D"]);
  });
});
