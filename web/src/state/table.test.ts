import { describe, expect, it } from "vitest";

import type { Command } from "../api/command";
import type { ServerFrame } from "../api/frames";
import { NO_ROADS } from "../api/roads";
import type { BetView, Dispute, PitCall, SeatView, TableView } from "../api/schema";
import { betsOf, legalFor, pendingOn, START, turnedCards, undoing, update, type Input, type TableState, disputesAfter } from "./table";

function bet(area: string, stake: number, mine = true): BetView {
  return { player: mine ? "lee" : "ann", area, stake, status: "live", seated: true, mine };
}

function seat(box: number, bets: BetView[]): SeatView {
  return { box, player: "lee", bot: false, away: false, mine: true, bets, insurance: [], room: null, heavier: null, difference: 0 };
}

function view(seq: number, round = 1, bets: BetView[] = []): TableView {
  const area = { area: "wager-player", group: "wager" };
  return { table: "t", seq, round, clock: null, areas: [area], seats: [seat(3, bets)] } as unknown as TableView;
}

function frame(one: ServerFrame, now = 0): Input {
  return { type: "frame", frame: one, now };
}

function after(...inputs: Input[]): TableState {
  return inputs.reduce(update, START);
}

const BET: Command = { type: "place-bet", box: 3, area: "banker", amount: 2500, round: 1 };
const live: Input[] = [{ type: "opened" }, frame({ type: "snapshot", seq: 5, view: view(5), legal: [] })];

describe("the past", () => {
  const roads = (shoe: number): ServerFrame => ({ type: "roads", version: 9, roads: { ...NO_ROADS, shoe } });
  const history = (...numbers: number[]): ServerFrame =>
    ({ type: "history", version: 9, rounds: numbers.map((round) => ({ round })) }) as unknown as ServerFrame;

  it("comes with the stream, and again after every round", () => {
    const begun = after(...live, frame(roads(1)), frame(history(1)));
    expect([begun.roads.shoe, begun.rounds.map((one) => one.round)]).toEqual([1, [1]]);
    const later = update(update(begun, frame(roads(2))), frame(history(2, 1)));
    expect([later.roads.shoe, later.rounds.map((one) => one.round)]).toEqual([2, [2, 1]]);
    expect(later.seq).toBe(5);
  });

  it("stays while the connection is lost, and is the server's again when it is back", () => {
    const lost = after(...live, frame(roads(1)), frame(history(1)), { type: "lost" });
    expect([lost.roads.shoe, lost.rounds.length]).toEqual([1, 1]);
    const back = [{ type: "opened" } as Input, frame(roads(3)), frame(history(7, 6))].reduce(update, lost);
    expect([back.roads.shoe, back.rounds.map((one) => one.round)]).toEqual([3, [7, 6]]);
  });
});

describe("the balance", () => {
  it("is everywhere the same, and says when something was decided elsewhere", () => {
    const told = (free: number, staked: number, held: number): Input => frame({ type: "balance", balance: { free, staked, held } });
    const mine = { name: "lee", boxes: [3], staked: 0, balance: { free: 100, staked: 0, held: 0 } };
    const seated = after({ type: "opened" }, frame({ type: "snapshot", seq: 5, view: { ...view(5), mine } as unknown as TableView, legal: [] }));
    const bet = update(seated, told(60, 40, 0));
    expect([bet.view?.mine?.balance, bet.elsewhere]).toEqual([{ free: 60, staked: 40, held: 0 }, 0]);
    expect(update(bet, told(60, 0, 80)).elsewhere).toBe(1);
  });
});

describe("a bet", () => {
  it("is pale from the click to the view that includes it", () => {
    const sent = after(...live, { type: "sent", id: "a", command: BET });
    expect(pendingOn(sent, 3, "banker")).toBe(2500);
    const answered = update(sent, frame({ type: "answer", id: "a", version: 6 }));
    expect(pendingOn(answered, 3, "banker")).toBe(2500);
    const shown = update(answered, frame({ type: "view", seq: 6, view: view(6, 1, [bet("banker", 2500)]) }));
    expect(pendingOn(shown, 3, "banker")).toBe(0);
    expect(shown.placed).toEqual([{ box: 3, area: "banker", amount: 2500, act: "a" }]);
  });

  it("is gone at once where the view came before the answer", () => {
    const sent = after(...live, { type: "sent", id: "a", command: BET });
    const shown = update(sent, frame({ type: "view", seq: 6, view: view(6, 1, [bet("banker", 2500)]) }));
    expect(pendingOn(update(shown, frame({ type: "answer", id: "a", version: 6 })), 3, "banker")).toBe(0);
  });

  it("that is refused is taken back, and says why until the next act", () => {
    const refusal = { reason: "bets-closed", params: {}, sentence: "bets are closed", clause: "5.6" };
    const refused = after(...live, { type: "sent", id: "a", command: BET }, frame({ type: "answer", id: "a", refusal }));
    expect(pendingOn(refused, 3, "banker")).toBe(0);
    expect(refused.refused?.refusal.clause).toBe("5.6");
    expect(refused.placed).toEqual([]);
    expect(update(refused, { type: "sent", id: "b", command: BET }).refused).toBeNull();
    expect(update(refused, frame({ type: "view", seq: 6, view: view(6, 1) })).refused).not.toBeNull();
    expect(update(refused, frame({ type: "view", seq: 7, view: view(7, 2) })).refused).toBeNull();
    expect(update(refused, frame({ type: "view", seq: 6, view: { ...view(6, 1), phase: "dealing" } })).refused).toBeNull();
  });

  it("that needs a second person waits for one", () => {
    const state = after(...live, { type: "sent", id: "a", command: BET }, frame({ type: "answer", id: "a", approval: "7", needs: "pit-manager" }));
    expect(state.approval).toEqual({ id: "7", command: BET, needs: "pit-manager", decision: null, refusal: null });
    const another = update(state, frame({ type: "approval", approval: "8", needs: "pit-manager", expires: 9, decision: "approve" }));
    expect(another.approval?.decision).toBeNull();
    expect(another.asked).toBe(1);
    const declined = update(another, frame({ type: "approval", approval: "7", needs: "pit-manager", expires: 9, decision: "decline" }));
    expect(declined.approval?.decision).toBe("decline");
    const refusal = { reason: "version", params: {}, sentence: "the table has moved on", clause: null };
    const refused = update(another, frame({ type: "approval", approval: "7", needs: "pit-manager", expires: 9, decision: "refused", refusal }));
    expect(refused.approval).toMatchObject({ decision: "refused", refusal });
    expect(update(declined, { type: "sent", id: "b", command: BET }).approval).toBeNull();
    expect(update(state, { type: "sent", id: "b", command: BET }).approval?.id).toBe("7");
    expect(state.pending).toEqual([]);
  });
});

describe("taking back", () => {
  const placed = (stake: number, ...amounts: number[]) =>
    after(
      ...live,
      ...amounts.flatMap((amount, i): Input[] => [
        { type: "sent", id: `${i}`, command: { ...BET, amount } },
        frame({ type: "answer", id: `${i}`, version: 6 + i }),
      ]),
      frame({ type: "view", seq: 20, view: view(20, 1, [bet("banker", stake)]) }),
    );

  it("reduces by the last chip, and withdraws with the first", () => {
    const spot = { box: 3, area: "banker", round: 1 };
    expect(undoing(placed(3500, 2500, 1000))).toEqual({ act: "1", commands: [{ type: "reduce-bet", ...spot, amount: 1000 }] });
    expect(undoing(placed(2500, 2500))).toEqual({ act: "0", commands: [{ type: "withdraw-bet", ...spot }] });
    expect(undoing(after(...live))).toBeNull();
  });

  it("forgets the chip that was taken back", () => {
    const state = placed(3500, 2500, 1000);
    const { act, commands } = undoing(state)!;
    const sent = update(state, { type: "sent", id: "u", command: commands[0]!, act, isUndo: true });
    const taken = update(sent, frame({ type: "answer", id: "u", version: 21 }));
    expect(taken.placed).toEqual([{ box: 3, area: "banker", amount: 2500, act: "0" }]);
  });

  const acted = (state: TableState, act: string, ...commands: Command[]) =>
    commands.reduce((now, command, i) => {
      const sent = update(now, { type: "sent", id: `${act}${i}`, command, act });
      return update(sent, frame({ type: "answer", id: `${act}${i}`, version: 30 + i }));
    }, state);

  it("takes a whole act back, the last change first", () => {
    const doubled = acted(placed(2500, 2500), "double", BET, { ...BET, area: "tie", amount: 500 });
    const seen = update(doubled, frame({ type: "view", seq: 40, view: view(40, 1, [bet("banker", 5000), bet("tie", 500)]) }));
    expect(undoing(seen)).toEqual({
      act: "double",
      commands: [
        { type: "withdraw-bet", box: 3, area: "tie", round: 1 },
        { type: "reduce-bet", box: 3, area: "banker", round: 1, amount: 2500 },
      ],
    });
  });

  it("puts back what was cleared", () => {
    const cleared = acted(placed(2500, 2500), "clear", { type: "withdraw-bet", box: 3, area: "banker", round: 1 });
    const seen = update(cleared, frame({ type: "view", seq: 40, view: view(40, 1) }));
    expect(undoing(seen)).toEqual({ act: "clear", commands: [{ type: "place-bet", box: 3, area: "banker", round: 1, amount: 2500 }] });
  });

  it("passes over what no longer lies there", () => {
    const gone = update(acted(placed(2500, 2500), "b", { ...BET, area: "tie", amount: 500 }), frame({ type: "view", seq: 40, view: view(40, 1, [bet("banker", 2500)]) }));
    expect(undoing(gone)?.act).toBe("0");
  });
});

describe("the next round", () => {
  it("keeps the bets of the last one, wagers left out, and has no chips of its own", () => {
    const bets = [bet("banker", 2500), bet("wager-player", 5000), bet("tie", 500, false)];
    const state = after(
      ...live,
      { type: "sent", id: "a", command: BET },
      frame({ type: "answer", id: "a", version: 6 }),
      frame({ type: "view", seq: 6, view: view(6, 1, bets) }),
      frame({ type: "view", seq: 9, view: view(9, 2) }),
    );
    expect(state.lastBets).toEqual([{ box: 3, area: "banker", amount: 2500 }]);
    expect(state.placed).toEqual([]);
    expect(betsOf(view(6, 1, bets))).toHaveLength(1);
  });
});

describe("the link", () => {
  it("says offline, keeps the last view, and sums up when it is back", () => {
    const offline = after(...live, { type: "sent", id: "a", command: BET }, { type: "lost" }, { type: "lost" });
    expect(offline.link).toBe("offline");
    expect(offline.view?.seq).toBe(5);
    expect(offline.pending).toEqual([]);
    const back = [{ type: "opened" } as Input, frame({ type: "view", seq: 40, view: view(40, 4) })].reduce(update, offline);
    expect([back.link, back.missed, back.lostAt]).toEqual(["live", 3, null]);
    expect(update(back, { type: "read" }).missed).toBeNull();
  });

  it("is connecting, not offline, before the first view", () => {
    expect(after({ type: "lost" }).link).toBe("connecting");
  });

  it("that has ended stays so", () => {
    expect(after(...live, { type: "ended", why: "session" }, { type: "lost" })).toMatchObject({ link: "ended", ended: "session" });
  });

  it("never goes back to an older view", () => {
    expect(after(...live, frame({ type: "view", seq: 4, view: view(4) })).view?.seq).toBe(5);
  });

  it("ignores frames that it does not know", () => {
    const state = after(...live);
    expect(update(state, frame({ type: "weather" } as unknown as ServerFrame))).toBe(state);
  });
});

describe("the clock", () => {
  it("runs out by this machine's time", () => {
    const state = after(...live, frame({ type: "clock", what: "bets", ends_in_ms: 18000 }, 1000));
    expect(state.clock).toEqual({ what: "bets", endsAt: 19000 });
    expect(update(state, frame({ type: "view", seq: 6, view: view(6) }, 2000)).clock).toBeNull();
  });
});

describe("a bet that the rules take off", () => {
  const mine = { ...view(5), mine: { name: "lee" } } as TableView;
  const told = (event: { type: string } & Record<string, unknown>) =>
    after({ type: "opened" }, frame({ type: "snapshot", seq: 5, view: mine, legal: [] }), frame({ type: "event", seq: 6, event })).betNotice;

  it("is told to its player only, and only where it was not the player's own act", () => {
    const returned = { type: "bet-returned", player: "lee", area: "winning-total-7", amount: 1000, why: "needs-bet", clause: "3.4" };
    expect(told(returned)).toEqual({ seq: 6, why: "needs-bet", area: "winning-total-7", amount: 1000, clause: "3.4" });
    expect(told({ ...returned, why: "withdrawn" })).toBeNull();
    expect(told({ ...returned, player: "ann" })).toBeNull();
    expect(told({ type: "withdrawal-ignored", player: "lee", area: "banker", clause: "5.3" })?.why).toBe("stays");
  });
});

describe("what is legal", () => {
  it("is what the server listed, whatever its free fields", () => {
    const legal = [{ command: { type: "place-bet", box: 3, area: "tie", amount: 1000 }, free: ["amount"], most: 5000, odds: ["8:1"], second: null }];
    const state = after({ type: "opened" }, frame({ type: "snapshot", seq: 5, view: view(5), legal }));
    expect(legalFor(state, "place-bet", { box: 3, area: "tie", amount: 4000 })).toBe(legal[0]);
    expect(legalFor(state, "place-bet", { box: 2, area: "tie" })).toBeNull();
    expect(legalFor(state, "close-bets")).toBeNull();
  });
});

describe("a call for the pit", () => {
  const call = (id: string, table: string, called: number, answer: PitCall["answer"] = null): PitCall => ({
    call: id, table, caller: "dan", role: "dealer", reason: null, called, answer, answered_by: answer && "sue", answered: answer && called + 1,
  });
  const heard = (...calls: PitCall[]) => after(...live, ...calls.map((one) => frame({ type: "pit-call", call: one })));
  const names = (state: TableState) => state.calls.map((one) => `${one.call} ${one.answer ?? "open"}`);

  it("is there until somebody clears it, in the order in which it came", () => {
    expect(names(heard(call("b", "t2", 2), call("a", "t1", 1)))).toEqual(["a open", "b open"]);
    expect(names(heard(call("a", "t1", 1), call("b", "t2", 2), call("a", "t1", 1, "coming")))).toEqual(["a coming", "b open"]);
    expect(names(heard(call("a", "t1", 1), call("a", "t1", 1, "cleared")))).toEqual([]);
  });

  it("takes the place of an earlier one of the table that somebody was coming to", () => {
    expect(names(heard(call("a", "t1", 1, "coming"), call("b", "t1", 5)))).toEqual(["b open"]);
  });

  it("is told again after a loss", () => {
    const back = update(update(heard(call("a", "t1", 1)), { type: "lost" }), { type: "opened" });
    expect(back.calls).toEqual([]);
  });
});

describe("a dispute", () => {
  const dispute = (id: string, answer: string | null = null): Dispute => ({
    dispute: id, table: "t1", round: 1, player: "lee", text: "why?", raised: 1, answer, answered_by: answer && "mia", answered: answer ? 2 : null,
  });
  const known = (...all: Dispute[]) => all.reduce(disputesAfter, [] as readonly Dispute[]).map((one) => `${one.dispute} ${one.answer ?? "waits"}`);

  it("is as it was last told, and an answer stays", () => {
    expect(known(dispute("a"), dispute("b"), dispute("a", "so"))).toEqual(["b waits", "a so"]);
    expect(known(dispute("a", "so"), dispute("a"))).toEqual(["a so"]);
    expect(after(...live, frame({ type: "dispute", dispute: dispute("a", "so") })).disputes).toEqual([dispute("a", "so")]);
  });
});

describe("somebody without an account", () => {
  const card = (name: string | null, up = name !== null) => ({ card: name, up, crosswise: false, squeezable: false });
  const hands = (player: ReturnType<typeof card>[], banker: ReturnType<typeof card>[] = []) => ({ player: { cards: player }, banker: { cards: banker } });
  const begun: Input[] = [{ type: "opened" }, frame({ type: "watching", delay: 30 }), frame({ type: "snapshot", seq: 0, view: view(0), legal: [] })];
  const changes = (fields: Partial<TableView>): Input => frame({ type: "changes", view: fields as Record<string, unknown> }, 1000);

  it("has what has changed put into the view, and the clock counted from then", () => {
    const later = update(after(...begun), changes({ round: 2, clock: { what: "bets", ends_at: 9, ends_in_ms: 5000 } } as Partial<TableView>));
    expect([later.behind, later.view?.round, later.view?.table]).toEqual([30, 2, "t"]);
    expect(later.clock).toEqual({ what: "bets", endsAt: 6000 });
    expect(update(START, changes({ round: 2 })).view).toBeNull();
  });

  it("keeps the view over a lost connection, and not over another delay", () => {
    const back = [{ type: "lost" } as Input, { type: "opened" } as Input, frame({ type: "watching", delay: 30 })].reduce(update, after(...begun));
    expect(back.view?.table).toBe("t");
    expect(update(back, frame({ type: "watching", delay: 60 }))).toMatchObject({ view: null, behind: 60, rounds: [] });
  });

  it("hears of cards by the views in which they first lie open", () => {
    const at = (round: number, player: ReturnType<typeof card>[]) => ({ ...view(0, round), hands: hands(player) }) as unknown as TableView;
    expect(turnedCards(null, at(1, [card("KS")]))).toEqual([]);
    expect(turnedCards(at(1, []), at(1, [card("KS"), card(null)]))).toEqual([{ type: "card-revealed", hand: "player", number: 1, card: "KS" }]);
    expect(turnedCards(at(1, [card("KS"), card(null)]), at(1, [card("KS"), card("2H")]))).toEqual([{ type: "card-revealed", hand: "player", number: 2, card: "2H" }]);
    expect(turnedCards(at(1, [card("KS")]), at(1, [card("KS")]))).toEqual([]);
    expect(turnedCards(at(1, [card("KS")]), at(2, [card("KS")])).length).toBe(1);
  });
});
