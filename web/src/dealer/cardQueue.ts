// The cards that a dealer has named, in their order: each is sent when the one before is answered, and stays in sight until
// the server has confirmed or refused it. Nothing is ever dropped: what cannot be sent now is held, and shown. No DOM, no
// stream and no rule in it: which card is due, and where it goes, the server's view says.

import type { Command } from "../api/command";
import type { AnswerFrame } from "../api/frames";
import type { CorrectionView, Hand, RefusalText, TableView } from "../api/schema";
import { readTyped } from "./cardText";

/** A card on the table, by its hand and its number there. */
export interface Spot {
  hand: Hand;
  number: number;
}

/** What was sent. The key makes it be done once, however often it is sent. */
export interface Sent {
  key: string;
  expected: number;
  command: Command;
}

export type EntryState = "waiting" | "sent" | "done" | "asked" | "refused" | "unreadable";

export interface Entry {
  id: number;
  /** As the server takes it; where it does not read as a card, what was typed. */
  card: string;
  state: EntryState;
  /** The card that it puts right; null where it is the next card. */
  corrects: Spot | null;
  /** The version on the screen when it was named; null where something of the dealer's own was still on its way. */
  seen: number | null;
  sent: Sent | null;
  /** Where it went. */
  spot: Spot | null;
  refusal: RefusalText | null;
}

/** Why the rest waits for the dealer's word: a card before it, nothing due, the players have a decision, other acts. */
export type Hold = "refused" | "unreadable" | "not-due" | "waits" | "changed";

/** What came of the key that takes a card back. */
export type TakenBack = { what: "taken"; card: string } | { what: "sent"; card: string } | { what: "nothing" } | { what: "fixed"; problem: RefusalText };

export interface CardQueue {
  /** The beginning of a card. */
  typed: string;
  entries: readonly Entry[];
  hold: Hold | null;
  /** The card on the table that the next one puts right. */
  correcting: Spot | null;
  /** The entry that was refused and is named again: the next card takes its place. */
  again: number | null;
  back: TakenBack | null;
  next: number;
}

export const EMPTY: CardQueue = { typed: "", entries: [], hold: null, correcting: null, again: null, back: null, next: 1 };

/** The table as the queue looks at it. */
export interface Look {
  view: TableView;
  /** Whether the stream is there. */
  isLive: boolean;
  /** Whether another act of the dealer is on its way. */
  isPending: boolean;
  /** The version after the dealer's own last act. */
  own: number;
}

const BEGINS = /^(10?|[2-9tjqka])$/i;
const OF_CARDS = /^[0-9tjqkashdc♠♥♦♣]$/i;

/** A key that may belong to a card. A letter that begins none is nobody's, unless a card has begun. */
export function isCardKey(queue: CardQueue, key: string): boolean {
  return [...key].length === 1 && key !== " " && (queue.typed !== "" || OF_CARDS.test(key));
}

/** One more sign. With its suit a card is whole, and is named at once; what cannot become one stands there as it is. */
export function type(queue: CardQueue, sign: string, look: Look): CardQueue {
  const text = queue.typed + sign;
  if (BEGINS.test(text)) return { ...queue, typed: text, back: null };
  const card = readTyped(text);
  return card === null ? unreadable(queue, text) : name(queue, card, look);
}

/** What was begun is over; scanners and habit end a card so. */
export function enter(queue: CardQueue): CardQueue {
  return queue.typed === "" ? queue : unreadable(queue, queue.typed);
}

function unreadable(queue: CardQueue, text: string): CardQueue {
  // A sign was lost: which card it was nobody knows, so that what follows may not go on by itself.
  return { ...added({ ...queue, typed: "" }, { card: text, state: "unreadable", seen: null }), hold: queue.hold ?? "unreadable" };
}

/** A card was named, by keys or on the pad. */
export function name(queue: CardQueue, card: string, look: Look): CardQueue {
  const isAhead = look.isPending || queue.entries.some((one) => one.state === "waiting" || one.state === "sent");
  // To name a refused card again is the dealer's word that it goes on.
  const isAgain = queue.again !== null;
  const named = added({ ...queue, typed: "" }, { card, state: "waiting", seen: isAhead && !isAgain ? null : look.view.seq });
  return isAgain ? { ...named, hold: null } : named;
}

function added(queue: CardQueue, made: Pick<Entry, "card" | "state" | "seen">): CardQueue {
  const entry: Entry = { id: queue.next, corrects: queue.correcting, sent: null, spot: null, refusal: null, ...made };
  const at = queue.entries.findIndex((one) => one.id === queue.again);
  const entries = at < 0 ? [...queue.entries, entry] : queue.entries.with(at, entry);
  return { ...queue, entries, next: queue.next + 1, correcting: null, again: null, back: null };
}

/** The first card that waits. */
export function firstWaiting(queue: CardQueue): Entry | null {
  return queue.entries.find((one) => one.state === "waiting") ?? null;
}

/** The first card that was refused, or did not read. */
export function firstRefused(queue: CardQueue): Entry | null {
  return queue.entries.find((one) => one.state === "refused" || one.state === "unreadable") ?? null;
}

/** The card that is on its way. */
export function onItsWay(queue: CardQueue): Entry | null {
  return queue.entries.find((one) => one.state === "sent") ?? null;
}

/** What is to be sent now: the queue after it and the command, or why the queue is held. */
export function advance(queue: CardQueue, look: Look, freshKey: () => string): { queue: CardQueue; send: Sent | null } {
  const entry = firstWaiting(queue);
  if (entry === null || queue.hold !== null || !look.isLive || look.isPending || onItsWay(queue)) return { queue, send: null };
  const hold = holdOf(entry, look);
  if (hold !== null) return { queue: { ...queue, hold }, send: null };
  const sent = { key: freshKey(), expected: look.view.seq, command: commandOf(entry, look.view) };
  const spot = entry.corrects ?? spotOf(look.view);
  return { queue: changed(queue, entry.id, { state: "sent", sent, spot }), send: sent };
}

function holdOf(entry: Entry, { view, own }: Look): Hold | null {
  if (view.seq !== (entry.seen ?? own)) return "changed";
  if (entry.corrects) return null;
  if (!isDue(view)) return "not-due";
  // Whoever named it ahead had not seen that players have something to decide before it.
  return entry.seen === null && isAwaiting(view) ? "waits" : null;
}

/** Whether the next act of the dealer is one that a card is named with. */
export function isDue(view: TableView): boolean {
  return view.next?.needs_card === true && view.next.command !== null;
}

function isAwaiting(view: TableView): boolean {
  return view.next?.waits !== null && view.next?.waits.what !== "pace";
}

function commandOf(entry: Entry, view: TableView): Command {
  if (entry.corrects) return { type: "correct-card", ...entry.corrects, card: entry.card };
  return { ...(view.next?.command as Command), card: entry.card };
}

/** Where the card goes that is due. */
function spotOf(view: TableView): Spot | null {
  const { hand, command } = view.next ?? {};
  if (!hand) return null;
  const number = command?.["number"];
  return { hand, number: typeof number === "number" ? number : view.hands[hand].cards.length + 1 };
}

/** The dealer's word that it goes on, on the table as it is now. */
export function goOn(queue: CardQueue, look: Look): CardQueue {
  const entry = firstWaiting(queue);
  if (entry === null || queue.hold === null || !(entry.corrects || isDue(look.view))) return queue;
  return { ...changed(queue, entry.id, { seen: look.view.seq }), hold: null, again: null, back: null };
}

/** Whether the key for the next act lets the queue go on. */
export function canGoOn(queue: CardQueue, view: TableView): boolean {
  const entry = firstWaiting(queue);
  return queue.hold !== null && entry !== null && (entry.corrects !== null || isDue(view));
}

/** What the server answered to the card that was sent under this key. */
export function answered(queue: CardQueue, key: string, answer: Pick<AnswerFrame, "refusal" | "approval">): CardQueue {
  const entry = queue.entries.find((one) => one.sent?.key === key);
  if (entry?.state !== "sent") return queue;
  if (answer.refusal) return { ...changed(queue, entry.id, { state: "refused", refusal: answer.refusal }), hold: "refused" };
  return changed(queue, entry.id, { state: answer.approval ? "asked" : "done" });
}

/** One key takes back: a sign, a card that was not sent, else the last card on the table, by the book's correction. */
export function takeBack(queue: CardQueue, look: Look): CardQueue {
  if (queue.typed !== "") return { ...queue, typed: queue.typed.slice(0, -1), back: null };
  const last = queue.entries.findLast((one) => one.state !== "done" && one.state !== "asked");
  if (last?.state === "sent") return { ...queue, back: { what: "sent", card: last.card } };
  if (last) return { ...remove(queue, last.id), back: { what: "taken", card: last.card } };
  const found = lastOnTable(queue, look.view);
  if (found === null) return { ...queue, correcting: null, back: { what: "nothing" } };
  if (found.problem) return { ...queue, correcting: null, back: { what: "fixed", problem: found.problem } };
  return { ...queue, correcting: { hand: found.hand, number: found.number }, back: null };
}

/** The card that was named last and lies open: this queue's own, else the last that was dealt. */
function lastOnTable(queue: CardQueue, view: TableView): CorrectionView | null {
  const open = view.next?.corrections ?? [];
  const own = queue.entries.findLast((one) => one.state === "done" && one.spot !== null)?.spot;
  return open.find((one) => one.hand === own?.hand && one.number === own.number) ?? open.at(-1) ?? null;
}

/** A card that was not sent, or was refused, is taken out: by the dealer, one by one. */
export function remove(queue: CardQueue, id: number): CardQueue {
  const entries = queue.entries.filter((one) => one.id !== id || one.state === "sent" || one.state === "done");
  const isIdle = !entries.some((one) => one.state === "waiting" || one.state === "refused" || one.state === "unreadable");
  return { ...queue, entries, hold: isIdle ? null : queue.hold, again: queue.again === id ? null : queue.again };
}

/** A card that was refused or did not read is named again: the next one takes its place. */
export function nameAgain(queue: CardQueue, id: number): CardQueue {
  const entry = queue.entries.find((one) => one.id === id);
  if (entry?.state !== "refused" && entry?.state !== "unreadable") return queue;
  return { ...queue, again: id, correcting: entry.corrects, typed: "", back: null };
}

/** What was begun is left: a sign, a correction, naming a card again. */
export function leave(queue: CardQueue): CardQueue {
  return { ...queue, typed: "", correcting: null, again: null, back: null };
}

/** A new round: what was confirmed or refused is over. A card that waits is not. */
export function newRound(queue: CardQueue): CardQueue {
  const entries = queue.entries.filter((one) => one.state === "waiting" || one.state === "sent");
  return { ...queue, entries, hold: entries.length ? queue.hold : null, correcting: null, again: null, back: null };
}

function changed(queue: CardQueue, id: number, fields: Partial<Entry>): CardQueue {
  return { ...queue, entries: queue.entries.map((one) => (one.id === id ? { ...one, ...fields } : one)) };
}

/** A card as it stands in the list. */
export interface Line {
  entry: Entry;
  /** What it is: as it lies on the table, where somebody has put it right since. */
  card: string;
  /** What it was first named as; null where that was right. */
  was: string | null;
}

/** The cards that were named, each once: one that was put right stands in its own place, with what it was before. */
export function lines(queue: CardQueue, view: TableView): Line[] {
  const found: Line[] = [];
  for (const entry of queue.entries) {
    const { spot, state } = entry;
    if (state !== "done" || spot === null) {
      found.push({ entry, card: entry.card, was: null });
      continue;
    }
    const at = found.findIndex((one) => one.entry.state === "done" && one.entry.spot?.hand === spot.hand && one.entry.spot.number === spot.number);
    const first = found[at]?.was ?? found[at]?.card ?? entry.card;
    // Until the view that comes after it is there, the table on the screen is older than the card.
    const lying = entry.sent && view.seq > entry.sent.expected ? view.hands[spot.hand].cards[spot.number - 1]?.card : null;
    const card = lying ?? entry.card;
    const line = { entry, card, was: first === card ? null : first };
    if (at < 0) found.push(line);
    else found[at] = line;
  }
  return found;
}
