// What a screen reader says of a change: one polite log, and one assertive line for closing, decisions, refusals, voids.

import type { TableView } from "../api/schema";
import { cardName } from "../words/cards";
import { say, type Words } from "../words/language.svelte";

export interface Spoken {
  polite: string | null;
  assertive: string | null;
}

const URGENT = new Set(["bets-closed", "antes", "insurance", "void", "case"]);

type Label = (label: TableView["call"]["label"]) => string;
type Amount = (minor: number) => string;

export function spokenOf(before: TableView | null, after: TableView, words: Words, label: Label, amount: Amount): Spoken {
  const isNew = before === null || before.call.code !== after.call.code || before.call.sentence !== after.call.sentence || before.round !== after.round;
  const isUrgent = isNew && URGENT.has(after.call.code);
  const call = label(after.call.label);
  const result = after.result?.settled && !before?.result?.settled ? resultWords(after, words, amount) : null;
  const reason = after.insurance?.no_offer;
  const none = reason && !before?.insurance?.no_offer ? say(words.insureNone[reason], { banker: words.banker }) : null;
  const told = before === null ? [] : [...cardWords(before, after, words, label), ...betWords(before, after, words, label, amount)];
  const said = [...told, isNew && !isUrgent ? call : null, none, result].filter(Boolean).join(words.stop);
  return { polite: said || null, assertive: isUrgent ? call : null };
}

/** Cards that lie open and did not before, each with its hand. */
function cardWords(before: TableView, after: TableView, words: Words, label: Label): string[] {
  return (["player", "banker"] as const).flatMap((side) => {
    const { cards, label: name } = after.hands[side];
    const known = before.round === after.round ? before.hands[side].cards : [];
    const shown = cards.filter((card, i) => card.up && card.card !== null && known[i]?.card !== card.card);
    return shown.map((card) => `${label(name)}${words.colon}${cardName(words, card.card!)}`);
  });
}

/** Bets of the viewer that were taken: a new one, or what it was raised to. */
function betWords(before: TableView, after: TableView, words: Words, label: Label, amount: Amount): string[] {
  const was = new Map(before.round === after.round ? ownBets(before) : []);
  const taken = ownBets(after).filter(([spot, stake]) => stake > (was.get(spot) ?? 0));
  return taken.map(([spot, stake]) => {
    const area = after.areas.find((one) => spot.endsWith(` ${one.area}`));
    return say(words.betTaken, { area: area ? label(area.label) : "", amount: amount(stake) });
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
