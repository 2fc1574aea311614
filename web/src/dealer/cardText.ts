// A card as a dealer types it: rank and suit in any case, "9h", "10S", "td"; null where it is not one.

const RANKS: Record<string, string> = { t: "10", "1": "A" };

export function readTyped(text: string): string | null {
  const found = /^\s*(10|[2-9tjqka1])\s*([shdc♠♥♦♣])\s*$/i.exec(text);
  if (!found) return null;
  const rank = found[1]!.toLowerCase();
  const suit = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" }[found[2]!] ?? found[2]!.toUpperCase();
  return (RANKS[rank] ?? rank.toUpperCase()) + suit;
}
