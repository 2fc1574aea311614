// What a dealer fills in of one card in a report, as the command takes it. No word of a clause in it.

import type { Command } from "../api/command";
import { readTyped } from "./cardText";

export interface Row {
  /** `new`: it has just left the shoe; else the number of a card of the round. */
  which: string;
  /** Its face as typed, for a new card of a physical shoe; empty: nobody saw it. */
  card: string;
  lies: string;
  face: string;
  /** What a card on record really is. */
  is: string;
  together: boolean;
  foreign: boolean;
}

export const EMPTY_ROW: Row = { which: "new", card: "", lies: "table", face: "", is: "", together: false, foreign: false };

export interface ReportForm {
  seen: readonly string[];
  rows: readonly Row[];
  isOrderSeen: boolean;
  note: string;
}

export type Sighting = Record<string, unknown>;

/** Whether the card of a row can lie there: a new one in the shoe is still to come, unless it is of another set. */
export function canLie(row: Row, place: string): boolean {
  return place !== "shoe" || row.which !== "new" || row.foreign;
}

/** The sighting of a row; null where a card in it does not read. */
export function sightingOf(row: Row): Sighting | null {
  const isNew = row.which === "new";
  const told: Sighting = {};
  if (isNew) {
    const card = row.card.trim() === "" ? null : readTyped(row.card);
    if (card === null && row.card.trim() !== "") return null;
    told["card"] = card;
  } else {
    told["nth"] = Number(row.which);
    if (row.is.trim() !== "") {
      const card = readTyped(row.is);
      if (card === null) return null;
      told["is"] = card;
    }
  }
  if (row.lies !== "") told["lies"] = row.lies;
  if (row.face !== "") told["face"] = row.face;
  if (row.together) told["together"] = true;
  if (row.foreign) told["foreign"] = true;
  return told;
}

/** What was typed of the first card that does not read; null where every card does. */
export function unreadIn(form: ReportForm): string | null {
  const row = form.rows.find((one) => sightingOf(one) === null);
  return row ? (row.which === "new" ? row.card : row.is).trim() : null;
}

/** The report; null where it says nothing yet, or a card in it does not read. */
export function reportOf(form: ReportForm): Command | null {
  const cards = form.rows.map(sightingOf);
  if (cards.includes(null) || (!cards.length && !form.seen.length)) return null;
  return {
    type: "report",
    ...(cards.length ? { cards } : {}),
    ...(form.seen.length ? { seen: [...form.seen] } : {}),
    ...(form.isOrderSeen ? { order: "seen" } : {}),
    ...(form.note.trim() ? { note: form.note.trim() } : {}),
  };
}
