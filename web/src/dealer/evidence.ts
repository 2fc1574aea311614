// A card of a case in words: one line for what it is in truth and what the record had.

import type { EvidenceCardView } from "../api/schema";
import { cardName } from "../words/cards";
import type { ConsoleWords } from "../words/console";
import type { Words } from "../words/language.svelte";

const faceOf = (card: string | null, words: Words) => (card === null ? words.faceDown : cardName(words, card));

/** Everything that the evidence says of a card. */
export function seenOf(card: EvidenceCardView, words: Words, console: ConsoleWords): string {
  const marks = [card.together && console.together, card.foreign && console.foreign, card.carried && console.carried];
  return [faceOf(card.card, words), console.places[card.lies], console.faces[card.face], ...marks].filter(Boolean).join(words.comma);
}

/** What the record says otherwise; empty where it says the same, or nothing. */
export function recordOf(card: EvidenceCardView, words: Words, console: ConsoleWords): string {
  const isElsewhere = card.lay !== null && card.lay !== card.lies;
  const isTurned = card.lay_face !== null && card.lay_face !== card.face;
  const parts = [card.was !== null && faceOf(card.was, words), isElsewhere && console.places[card.lay!], isTurned && console.faces[card.lay_face!]];
  return parts.filter(Boolean).join(words.comma);
}
