// What a screen reader says of a change: one polite log, and one assertive line for closing, decisions, refusals, voids.

import type { EventFrame } from "../api/frames";
import type { TableView } from "../api/schema";
import { cardName } from "../words/cards";
import { say, type Words } from "../words/language.svelte";

/** A part of what is said; `lang` where it is in another language than the page. */
export interface Part {
  text: string;
  lang?: "en" | undefined;
}

export interface Spoken {
  polite: Part[];
  assertive: Part[];
}

/** Where the name of a bet stands in a sentence, so that it can be marked where it is in another language. */
const NAME = "\u0000";
const URGENT = new Set(["bets-closed", "antes", "insurance", "void", "case"]);

type Label = (label: TableView["call"]["label"]) => Part;
type Amount = (minor: number) => string;

export function spokenOf(before: TableView | null, after: TableView, words: Words, label: Label, amount: Amount): Spoken {
  const isNew = before === null || before.call.code !== after.call.code || before.call.sentence !== after.call.sentence || before.round !== after.round;
  const isUrgent = isNew && URGENT.has(after.call.code);
  const call = [label(after.call.label)];
  const result = after.result?.settled && !before?.result?.settled ? resultWords(after, words, amount) : null;
  const reason = after.insurance?.no_offer;
  const none = reason && !before?.insurance?.no_offer ? say(words.insureNone[reason], { banker: words.banker }) : null;
  const told = before === null ? [] : betWords(before, after, words, label, amount);
  const said = [...told, isNew && !isUrgent ? call : [], plain(none), plain(result)].filter((parts) => parts.length > 0);
  const polite = said.flatMap((parts, i) => (i ? [{ text: words.stop }, ...parts] : parts));
  return { polite, assertive: isUrgent ? call : [] };
}

function plain(text: string | null): Part[] {
  return text ? [{ text }] : [];
}

/** A card that an event turned up, with its hand. Several events may come before one view, so views do not tell of each. */
export function cardSpoken(event: EventFrame["event"], view: TableView, words: Words, label: Label): Part[] {
  const { type, hand, card } = event;
  const isOpen = type === "card-revealed" || type === "card-corrected" || (type === "card-dealt" && event["face_up"] === true);
  if (!isOpen || typeof card !== "string" || (hand !== "player" && hand !== "banker")) return [];
  return [label(view.hands[hand].label), { text: `${words.colon}${cardName(words, card)}` }];
}

/** Bets of the viewer that were taken: a new one, or what it was raised to. */
function betWords(before: TableView, after: TableView, words: Words, label: Label, amount: Amount): Part[][] {
  const was = new Map(before.round === after.round ? ownBets(before) : []);
  const taken = ownBets(after).filter(([spot, stake]) => stake > (was.get(spot) ?? 0));
  return taken.map(([spot, stake]) => {
    const area = after.areas.find((one) => spot.endsWith(` ${one.area}`));
    const [start = "", end = ""] = say(words.betTaken, { area: NAME, amount: amount(stake) }).split(NAME);
    return [{ text: start }, area ? label(area.label) : { text: "" }, { text: end }].filter((part) => part.text);
  });
}

function ownBets(view: TableView): [string, number][] {
  return view.seats.flatMap((seat) => seat.bets.filter((bet) => bet.mine).map((bet): [string, number] => [`${seat.box} ${bet.area}`, bet.stake]));
}

function resultWords(view: TableView, words: Words, amount: Amount): string | null {
  const result = view.result;
  if (!result || !result.lines.some((line) => line.mine)) return null;
  if (result.net === 0) return words.even;
  return result.net > 0 ? say(words.won, { amount: amount(result.net) }) : say(words.lost, { amount: amount(-result.net) });
}
