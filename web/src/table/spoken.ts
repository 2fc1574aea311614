// What a screen reader says of a change: one polite log, and one assertive line for closing, decisions, refusals, voids.

import type { TableView } from "../api/schema";
import { say, type Words } from "../words/language.svelte";

export interface Spoken {
  polite: string | null;
  assertive: string | null;
}

const URGENT = new Set(["bets-closed", "antes", "insurance", "void", "case"]);

export function spokenOf(before: TableView | null, after: TableView, words: Words, call: string, amount: (minor: number) => string): Spoken {
  const isNew = before === null || before.call.code !== after.call.code || before.call.sentence !== after.call.sentence || before.round !== after.round;
  const isUrgent = isNew && URGENT.has(after.call.code);
  const result = after.result?.settled && !before?.result?.settled ? resultWords(after, words, amount) : null;
  const reason = after.insurance?.no_offer;
  const none = reason && !before?.insurance?.no_offer ? say(words.insureNone[reason], { banker: words.banker }) : null;
  const said = [isNew ? call : null, none, result].filter(Boolean).join(words.stop);
  return { polite: said && !isUrgent ? said : null, assertive: isUrgent ? call : null };
}

function resultWords(view: TableView, words: Words, amount: (minor: number) => string): string | null {
  const result = view.result;
  if (!result || !result.lines.some((line) => line.mine)) return null;
  if (result.net === 0) return words.even;
  return result.net > 0 ? say(words.won, { amount: amount(result.net) }) : say(words.lost, { amount: amount(-result.net) });
}
