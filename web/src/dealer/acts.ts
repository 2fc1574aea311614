// What the server would accept from somebody, sorted by where it stands on the console, and filled in from a form.

import { commandOf, type Command } from "../api/command";
import type { LegalView, TableView } from "../api/schema";
import { minorOf } from "../words/amount";
import { readTyped } from "./cardText";

/** Acts that decide a case or cannot be taken back. None has a key of its own, and each is confirmed. */
const WEIGHTY = new Set([
  "void-round", "rule", "judge-reconstruction", "order-cards", "dismiss-report", "withdraw-evidence", "return-bets", "replace-cards",
  "close-table", "close-options", "expire-options",
]);
const OF_CASES = new Set(["void-round", "rule", "judge-reconstruction", "order-cards", "dismiss-report", "withdraw-evidence", "return-bets", "close-options", "expire-options"]);
const OF_SHOES = new Set(["load-shoe", "burn-cards", "replace-cards", "close-pledges"]);
const OF_INSURANCE = new Set(["take-insurance", "decline-insurance", "wish-insurance", "offer-insurance", "answer-squeeze"]);
const OF_BETS = new Set(["place-bet", "reduce-bet", "withdraw-bet", "place-wager", "give-up-ante"]);
/** Acts with a place of their own. */
const ELSEWHERE = new Set(["report", "change-terms", "open-table", "correct-card", "deal-card", "reveal-card", "open-seed"]);

export type Place = "case" | "shoe" | "insurance" | "bets" | "people" | "table" | "none";

const OF_PEOPLE = new Set(["take-seat", "leave-seat", "walk-away", "come-back", "reject-excess", "advise-minimum"]);

export function typeOf(one: LegalView): string {
  return String(one.command["type"]);
}

export function placeOf(type: string): Place {
  if (ELSEWHERE.has(type)) return "none";
  if (OF_CASES.has(type)) return "case";
  if (OF_SHOES.has(type)) return "shoe";
  if (OF_INSURANCE.has(type)) return "insurance";
  if (OF_BETS.has(type)) return "bets";
  return OF_PEOPLE.has(type) ? "people" : "table";
}

export function actsAt(legal: readonly LegalView[], place: Place): LegalView[] {
  return legal.filter((one) => placeOf(typeOf(one)) === place);
}

/** Under which heading an act stands that no other place of the console has, the headings in their order. */
export const SHELVES = ["players", "cards", "round", "table"] as const;
export type Shelf = (typeof SHELVES)[number];
const OF_CARDS = new Set(["deal-card", "take-draw", "reveal-card", "correct-card"]);
const OF_TABLES = new Set(["pause-table", "resume-table", "open-table", "close-table", "change-terms", "open-seed", "pledge-bytes", "open-bytes", "correct-account", "rack-slip"]);

export function shelfOf(type: string): Shelf {
  if (OF_BETS.has(type) || OF_PEOPLE.has(type)) return "players";
  if (OF_CARDS.has(type)) return "cards";
  return OF_TABLES.has(type) || OF_SHOES.has(type) ? "table" : "round";
}

export function isWeighty(type: string): boolean {
  return WEIGHTY.has(type);
}

/** The keys of acts that fall due in mid-round, of the first of each kind. No card begins with any of them. */
const KEYS: Record<string, string> = { "answer-squeeze true": "Y", "answer-squeeze false": "N", "offer-insurance": "O", "take-insurance": "I", "decline-insurance": "L" };

/** The key of each act in a list, where it has one. */
export function keysOf(acts: readonly LegalView[]): (string | null)[] {
  const left = new Map(Object.entries(KEYS));
  return acts.map((one) => {
    const consent = one.command["consent"];
    const kind = typeof consent === "boolean" ? `${typeOf(one)} ${String(consent)}` : typeOf(one);
    const key = left.get(kind) ?? null;
    left.delete(kind);
    return key;
  });
}

/** An act as one string, to tell acts apart. */
function keyOf(one: LegalView): string {
  return JSON.stringify(one.command);
}

/** These without the next act of the dealer, which has a place of its own. */
export function besideNext(acts: readonly LegalView[], view: TableView): LegalView[] {
  const next = JSON.stringify(view.next?.command);
  return acts.filter((one) => keyOf(one) !== next);
}

/** What a form asks for: the free fields of an act that a person fills in here. */
export type Field = "amount" | "card" | "cards" | "note" | "player" | "players" | "reason";
const FIELDS: readonly Field[] = ["player", "players", "card", "cards", "amount", "reason", "note"];

export function fieldsOf(one: LegalView): Field[] {
  // Of evidence that is taken back, and of a report, the cards are numbers or sightings, which have forms of their own.
  const isCards = typeOf(one) === "order-cards";
  return FIELDS.filter((field) => one.free.includes(field) && (field !== "cards" || isCards));
}

/** Acts that one form can give: they differ only in their box, which the form asks for. */
export interface Group {
  key: string;
  acts: LegalView[];
}

/** Acts with a form, grouped over their boxes; an act that takes one press stays by itself. */
export function groupsOf(acts: readonly LegalView[]): Group[] {
  const groups = new Map<string, LegalView[]>();
  for (const one of acts) {
    const key = fieldsOf(one).length ? JSON.stringify({ ...one.command, box: undefined }) : keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([key, acts]) => ({ key, acts }));
}

/** The command with what was typed; null where something does not read as what it should be. */
export function filledIn(one: LegalView, typed: Partial<Record<Field, string>>): Command | null {
  const command = commandOf(one.command);
  for (const field of fieldsOf(one)) {
    const value = valueOf(field, (typed[field] ?? "").trim());
    if (value === null) return null;
    command[field] = value;
  }
  return command;
}

function valueOf(field: Field, text: string): unknown {
  switch (field) {
    case "amount":
      return minorOf(text) || null;
    case "card":
      return readTyped(text);
    case "cards": {
      // A card that nobody has seen has no name: it is told by its number in the round.
      const cards = text.split(/[\s,]+/).filter(Boolean).map((one) => (/^\d{1,3}$/.test(one) ? Number(one) : readTyped(one)));
      return cards.length === 0 || cards.includes(null) ? null : cards;
    }
    case "players":
      return text.split(/\s*,\s*/).filter(Boolean);
    case "note":
      return text;
    default:
      return text === "" ? null : text;
  }
}
