// A card in words, for those who hear the page.

import { readCard, SUIT_NAMES } from "../drawing/suits";
import type { Words } from "./en";

export function cardName(words: Words, card: string): string {
  const { rank, suit } = readCard(card);
  return words.cardOf(words.ranks[rank] ?? rank, words.suits[SUIT_NAMES[suit]]);
}
