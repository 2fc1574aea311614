// A card in words, for those who hear the page, and in signs.

import { readCard, SUIT_NAMES, SUIT_SIGNS } from "../drawing/suits";
import { say, type Words } from "./language.svelte";

export function cardName(words: Words, card: string): string {
  const { rank, suit } = readCard(card);
  return say(words.cardOf, { rank: words.ranks[rank] ?? rank, suit: words.suits[SUIT_NAMES[suit]] });
}

/** "9♥": what is no card stays as it is. */
export function cardSign(card: string): string {
  return /^(10|[2-9AJQK])[SHDC]$/.test(card) ? readCard(card).rank + SUIT_SIGNS[readCard(card).suit] : card;
}
