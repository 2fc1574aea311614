// A card in words, for those who hear the page.

import { readCard, SUIT_NAMES } from "../drawing/suits";
import { say, type Words } from "./language.svelte";

export function cardName(words: Words, card: string): string {
  const { rank, suit } = readCard(card);
  return say(words.cardOf, { rank: words.ranks[rank] ?? rank, suit: words.suits[SUIT_NAMES[suit]] });
}
