// The whole state of a table page, and how it changes: frames and acts in, a new state out. Nothing is drawn here and
// nothing is computed that the rules decide: what may be bet, what it pays and who may do what the server says.

import type { Command } from "../api/command";
import type { AnswerFrame, EventFrame, FoldedFrame, ServerFrame } from "../api/frames";
import { NO_ROADS } from "../api/roads";
import type { Balance, Dispute, LegalView, PitCall, PlayerPlay, RefusalText, RoadView, RoundView, TableView } from "../api/schema";
import type { Ended } from "../api/stream";

/** A command on its way. Its chip is pale until the server has confirmed it. */
export interface Pending {
  id: string;
  command: Command;
  /** The version that includes it, once the server has answered; it is dropped when that version is here. */
  version: number | null;
  /** What it changes on the layout, and the act that it is part of. */
  change: Placed | null;
  /** It takes a change of that act back. */
  isUndo: boolean;
}

export interface Chip {
  box: number;
  area: string;
  amount: number;
}

/** A change of a bet that was made by an act of the viewer; an act may change several, such as doubling. Less is negative. */
export interface Placed extends Chip {
  act: string;
}

/** What became of one of the viewer's bets by the rules, and not by an act of the viewer. */
export interface BetNotice {
  seq: number;
  /** `needs-bet`, `excess` or `pro-rata`: part of a bet went back; `stays`: it was taken off too late and stays. */
  why: "needs-bet" | "excess" | "pro-rata" | "stays";
  area: string;
  amount: number;
  clause: string | null;
}

export interface RefusedAct {
  id: string;
  command: Command;
  refusal: RefusalText;
}

export interface TableState {
  link: "connecting" | "live" | "offline" | "ended";
  ended: Ended | null;
  /** The last event that arrived. */
  seq: number;
  view: TableView | null;
  legal: readonly LegalView[];
  clock: { what: string; endsAt: number } | null;
  /** By how many seconds somebody without an account sees everything later; null for everybody else. */
  behind: number | null;
  roads: RoadView;
  /** The last rounds, the latest first. */
  rounds: readonly RoundView[];
  pending: readonly Pending[];
  /** The version after the viewer's own last act. */
  own: number;
  /** What was refused last, until the next act, or until its moment is over: the phase, or the window of insurance. */
  refused: RefusedAct | null;
  /** A command of the viewer that waits for a second person, and what came of it; until it is read. */
  approval: { id: string; command: Command; needs: string; decision: string | null; refusal: RefusalText | null } | null;
  /** How often something at this table was put before a second person, or decided: a reason to look what waits. */
  asked: number;
  /** Calls for the pit that are open, or that somebody is coming to: of this table, and for the pit of all tables. */
  calls: readonly PitCall[];
  /** Rounds that the viewer disputed, as the stream told of them since the page was opened. */
  disputes: readonly Dispute[];
  /** What the viewer's session of play has come to, as the stream last said. */
  play: PlayerPlay | null;
  /** How often something was decided for the viewer elsewhere: a reason to look what the session has come to. */
  elsewhere: number;
  /** What the viewer changed in this round, in order, for taking it back act by act. */
  placed: readonly Placed[];
  /** What was bet in the round before this one. */
  lastBets: readonly Chip[];
  /** The latest, until it is read or something is sent. */
  betNotice: BetNotice | null;
  /** How the card that somebody squeezes is bent, as it was last told. */
  folded: FoldedFrame | null;
  /** The round at which the connection was lost, until it is back. */
  lostAt: number | null;
  /** Rounds that were missed while the connection was lost; null once it has been read. */
  missed: number | null;
}

export const START: TableState = {
  link: "connecting",
  ended: null,
  seq: 0,
  view: null,
  legal: [],
  clock: null,
  behind: null,
  roads: NO_ROADS,
  rounds: [],
  pending: [],
  own: 0,
  refused: null,
  approval: null,
  asked: 0,
  calls: [],
  disputes: [],
  play: null,
  elsewhere: 0,
  placed: [],
  lastBets: [],
  betNotice: null,
  folded: null,
  lostAt: null,
  missed: null,
};

export type Input =
  | { type: "opened" }
  | { type: "lost" }
  | { type: "ended"; why: Ended }
  | { type: "frame"; frame: ServerFrame; now: number }
  | { type: "sent"; id: string; command: Command; act?: string; isUndo?: boolean }
  | { type: "unsent"; id: string }
  | { type: "read" };

export function update(state: TableState, input: Input): TableState {
  switch (input.type) {
    case "opened":
      // The server says again which calls there are: one that ended meanwhile is not told.
      return { ...state, link: "live", ended: null, calls: [] };
    case "lost":
      if (state.link === "ended") return state;
      // What was on its way may or may not have arrived: the table says so when it is back.
      return {
        ...state,
        link: state.view === null ? "connecting" : "offline",
        pending: [],
        lostAt: state.lostAt ?? state.view?.round ?? null,
      };
    case "ended":
      return { ...state, link: "ended", ended: input.why, pending: [] };
    case "sent":
      return {
        ...state,
        pending: [...state.pending, { id: input.id, command: input.command, version: null, change: changeOf(state.view, input.command, input.act ?? input.id), isUndo: input.isUndo ?? false }],
        refused: null,
        missed: null,
        betNotice: null,
        approval: state.approval?.decision ? null : state.approval,
      };
    case "unsent":
      return { ...state, pending: state.pending.filter((one) => one.id !== input.id) };
    case "read":
      return { ...state, refused: null, missed: null, approval: null, betNotice: null };
    case "frame":
      return afterFrame(state, input.frame, input.now);
  }
}

function afterFrame(state: TableState, frame: ServerFrame, now: number): TableState {
  switch (frame.type) {
    case "snapshot":
      return afterView({ ...state, legal: frame.legal }, frame.seq, frame.view, now);
    case "view":
      return afterView(state, frame.seq, frame.view, now);
    case "watching":
      // What was seen by another delay may be younger than this one allows.
      return state.behind === frame.delay ? state : { ...state, behind: frame.delay, view: null, roads: NO_ROADS, rounds: [] };
    case "changes":
      return state.view === null ? state : afterView(state, state.seq, { ...state.view, ...(frame.view as Partial<TableView>) }, now);
    case "event":
      return { ...state, seq: Math.max(state.seq, frame.seq), betNotice: betNoticeOf(state, frame) ?? state.betNotice };
    case "legal":
      return { ...state, legal: frame.commands };
    case "roads":
      return { ...state, roads: frame.roads };
    case "history":
      return { ...state, rounds: frame.rounds };
    case "folded":
      return { ...state, folded: frame };
    case "clock":
      return { ...state, clock: { what: frame.what, endsAt: now + frame.ends_in_ms } };
    case "answer":
      return afterAnswer(state, frame);
    case "approval":
      return {
        ...state,
        asked: state.asked + 1,
        approval: state.approval?.id === frame.approval ? { ...state.approval, decision: frame.decision ?? null, refusal: frame.refusal ?? null } : state.approval,
      };
    case "pit-call":
      return { ...state, calls: callsAfter(state.calls, frame.call) };
    case "play":
      return { ...state, play: frame.play };
    case "balance": {
      const mine = state.view?.mine;
      if (!mine) return state;
      const isDecided = worth(mine.balance) !== worth(frame.balance);
      return { ...state, elsewhere: state.elsewhere + Number(isDecided), view: { ...(state.view as TableView), mine: { ...mine, balance: frame.balance } } };
    }
    case "dispute":
      return { ...state, disputes: disputesAfter(state.disputes, frame.dispute) };
    default:
      return state; // a newer server may say more than this page knows
  }
}

/** The cards that lie open now and did not before, as events tell of them: somebody without an account is sent none. */
export function turnedCards(before: TableView | null, after: TableView): EventFrame["event"][] {
  if (before === null) return [];
  return (["player", "banker"] as const).flatMap((hand) =>
    after.hands[hand].cards.flatMap((card, i) => {
      const was = before.round === after.round ? before.hands[hand].cards[i] : undefined;
      return card.up && card.card !== null && (!was?.up || was.card !== card.card) ? [{ type: "card-revealed", hand, number: i + 1, card: card.card }] : [];
    }),
  );
}

/** All that somebody has: to bet moves it about, and only what is decided changes it. */
const worth = ({ free, staked, held }: Balance) => free + staked + held;

/** The calls with this one as it is now, in the order in which they came; one that was cleared is gone. */
export function callsAfter(calls: readonly PitCall[], call: PitCall): readonly PitCall[] {
  const others = calls.filter((one) => one.call !== call.call && (one.table !== call.table || one.answer === null));
  return call.answer === "cleared" ? others : [...others, call].sort((a, b) => a.called - b.called);
}

/** The disputes with this one as it is now: an answer is never taken back by older news. */
export function disputesAfter(disputes: readonly Dispute[], dispute: Dispute): readonly Dispute[] {
  const known = disputes.find((one) => one.dispute === dispute.dispute);
  if (known && known.answer !== null) return disputes;
  return [...disputes.filter((one) => one !== known), dispute];
}

function afterView(state: TableState, seq: number, view: TableView, now: number): TableState {
  if (state.view !== null && view.seq < state.view.seq) return state;
  const isNext = state.view !== null && state.view.round !== view.round;
  const before = state.view === null ? [] : betsOf(state.view);
  return {
    ...state,
    seq: Math.max(state.seq, seq),
    view,
    clock: view.clock === null ? null : { what: view.clock.what, endsAt: now + view.clock.ends_in_ms },
    pending: state.pending.filter((one) => one.version === null || one.version > view.seq),
    placed: isNext ? [] : state.placed,
    refused: isNext || !isSameMoment(state.view, view) ? null : state.refused,
    lastBets: isNext && before.length ? before : state.lastBets,
    lostAt: null,
    missed: state.lostAt === null ? state.missed : Math.max(0, view.round - state.lostAt),
  };
}

/** Whether what was refused before may still matter: nothing else is asked of anybody since. */
function isSameMoment(before: TableView | null, after: TableView): boolean {
  return before === null || (before.phase === after.phase && before.insurance?.window === after.insurance?.window && before.case?.number === after.case?.number);
}

function afterAnswer(state: TableState, frame: AnswerFrame): TableState {
  const pending = state.pending.find((one) => one.id === frame.id);
  if (!pending) return state;
  const others = state.pending.filter((one) => one !== pending);
  if (frame.refusal) {
    return { ...state, pending: others, refused: { id: frame.id, command: pending.command, refusal: frame.refusal } };
  }
  if (frame.approval) {
    return { ...state, pending: others, approval: { id: frame.approval, command: pending.command, needs: frame.needs ?? "", decision: null, refusal: null } };
  }
  const version = frame.version ?? 0;
  const isHere = state.view !== null && state.view.seq >= version;
  return {
    ...state,
    own: Math.max(state.own, version),
    pending: isHere ? others : state.pending.map((one) => (one === pending ? { ...one, version } : one)),
    placed: placedAfter(state.placed, pending),
  };
}

function betNoticeOf(state: TableState, { seq, event }: EventFrame): BetNotice | null {
  if (event["player"] === undefined || event["player"] !== state.view?.mine?.name) return null;
  const bet = { seq, area: String(event["area"]), amount: Number(event["amount"] ?? 0), clause: (event["clause"] as string) ?? null };
  if (event.type === "withdrawal-ignored") return { ...bet, why: "stays" };
  const why = event["why"];
  if (event.type !== "bet-returned" || (why !== "needs-bet" && why !== "excess" && why !== "pro-rata")) return null;
  return { ...bet, why };
}

function placedAfter(placed: readonly Placed[], { change, isUndo }: Pending): readonly Placed[] {
  if (!change) return placed;
  if (!isUndo) return [...placed, change];
  const at = placed.findLastIndex((one) => one.act === change.act && one.box === change.box && one.area === change.area);
  return placed.filter((_, i) => i !== at);
}

/** What a command changes on the layout, as it lies there now. */
function changeOf(view: TableView | null, command: Command, act: string): Placed | null {
  const chip = chipOf(command);
  if (!chip) return null;
  if (command.type === "place-bet") return { ...chip, act };
  if (command.type === "reduce-bet") return { ...chip, act, amount: -chip.amount };
  return command.type === "withdraw-bet" ? { ...chip, act, amount: -stakeOn(view, chip) } : null;
}

/** What the viewer has on a spot. */
function stakeOn(view: TableView | null, { box, area }: Pick<Chip, "box" | "area">): number {
  return view?.seats.find((seat) => seat.box === box)?.bets.find((one) => one.mine && one.area === area)?.stake ?? 0;
}

function chipOf(command: Command): Chip | null {
  const { box, area, amount } = command;
  if (typeof box !== "number" || typeof area !== "string") return null;
  return { box, area, amount: typeof amount === "number" ? amount : 0 };
}

/** The viewer's own bets on the layout that a later round can repeat: a wager only follows its ante. */
export function betsOf(view: TableView): Chip[] {
  const wagers = new Set(view.areas.filter((area) => area.group === "wager").map((area) => area.area));
  return view.seats.flatMap((seat) =>
    seat.bets
      .filter((bet) => bet.mine && !wagers.has(bet.area))
      .map((bet) => ({ box: seat.box, area: bet.area, amount: bet.stake })),
  );
}

/** What is on its way to a spot. */
export function pendingOn(state: TableState, box: number, area: string): number {
  return state.pending
    .map((one) => ({ type: one.command.type, chip: chipOf(one.command) }))
    .filter(({ type, chip }) => type === "place-bet" && chip?.box === box && chip.area === area)
    .reduce((sum, { chip }) => sum + (chip?.amount ?? 0), 0);
}

/** What the server would accept of this type, with these fields as they are. */
export function legalFor(state: TableState, type: string, fields: Record<string, unknown> = {}): LegalView | null {
  return (
    state.legal.find(
      (one) =>
        one.command["type"] === type &&
        Object.entries(fields).every(([name, value]) => one.free.includes(name) || one.command[name] === value),
    ) ?? null
  );
}

/** The commands that take the last act back, and which act that is; null where there is none. */
export function undoing(state: TableState): { act: string; commands: Command[] } | null {
  const { view, placed } = state;
  if (!view) return null;
  for (const act of [...new Set(placed.map((one) => one.act))].reverse()) {
    // The last change first: a bet that another one needs goes before it.
    const changes = placed.filter((one) => one.act === act).reverse();
    const commands = changes.map((one) => takingBack(view, one)).filter((one) => one !== null);
    if (commands.length) return { act, commands };
  }
  return null;
}

/** The command against one change, or null where there is nothing left of it. */
function takingBack(view: TableView, { box, area, amount }: Placed): Command | null {
  const spot = { box, area, round: view.round };
  if (amount < 0) return { type: "place-bet", ...spot, amount: -amount };
  const stake = stakeOn(view, { box, area });
  if (stake === 0) return null;
  return stake <= amount ? { type: "withdraw-bet", ...spot } : { type: "reduce-bet", ...spot, amount };
}
