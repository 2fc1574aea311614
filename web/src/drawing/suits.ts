// The four suits as paths in a box of 100 by 100, and the pips of each rank as places on a card of 250 by 350.

export type Suit = "S" | "H" | "D" | "C";
export type Rank = "A" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10" | "J" | "Q" | "K";

export const CARD = { width: 250, height: 350 } as const;

export const SUIT_PATHS: Record<Suit, string> = {
  S: "M50 4C62 26 92 40 92 64C92 80 80 87 70 87C63 87 57 84 54 79C55 87 58 92 65 97H35C42 92 45 87 46 79C43 84 37 87 30 87C20 87 8 80 8 64C8 40 38 26 50 4Z",
  H: "M50 95C40 76 6 60 6 33C6 17 17 7 29 7C39 7 47 13 50 23C53 13 61 7 71 7C83 7 94 17 94 33C94 60 60 76 50 95Z",
  D: "M50 3C58 22 70 38 86 50C70 62 58 78 50 97C42 78 30 62 14 50C30 38 42 22 50 3Z",
  C: "M50 4C62 4 71 13 71 25C71 31 69 36 65 40C68 38 71 38 74 38C86 38 95 47 95 59C95 71 86 80 74 80C65 80 58 75 54 69C55 82 58 91 66 97H34C42 91 45 82 46 69C42 75 35 80 26 80C14 80 5 71 5 59C5 47 14 38 26 38C29 38 32 38 35 40C31 36 29 31 29 25C29 13 38 4 50 4Z",
};

export const SUIT_NAMES: Record<Suit, "spades" | "hearts" | "diamonds" | "clubs"> = {
  S: "spades",
  H: "hearts",
  D: "diamonds",
  C: "clubs",
};

export const SUIT_SIGNS: Record<Suit, string> = { S: "♠", H: "♥", D: "♦", C: "♣" };

export interface Pip {
  x: number;
  y: number;
  /** Upside down, as pips in the lower half are. */
  turned: boolean;
}

const LEFT = 80;
const MIDDLE = 125;
const RIGHT = 170;
const ROWS = { top: 62, second: 137.3, middle: 175, third: 212.7, bottom: 288, high: 99.7, low: 250.3 } as const;

const PLACES: Partial<Record<Rank, readonly (readonly [number, number])[]>> = {
  A: [[MIDDLE, ROWS.middle]],
  "2": [[MIDDLE, ROWS.top], [MIDDLE, ROWS.bottom]],
  "3": [[MIDDLE, ROWS.top], [MIDDLE, ROWS.middle], [MIDDLE, ROWS.bottom]],
  "4": sides(ROWS.top, ROWS.bottom),
  "5": [...sides(ROWS.top, ROWS.bottom), [MIDDLE, ROWS.middle]],
  "6": sides(ROWS.top, ROWS.middle, ROWS.bottom),
  "7": [...sides(ROWS.top, ROWS.middle, ROWS.bottom), [MIDDLE, 118.5]],
  "8": [...sides(ROWS.top, ROWS.middle, ROWS.bottom), [MIDDLE, 118.5], [MIDDLE, 231.5]],
  "9": [...sides(ROWS.top, ROWS.second, ROWS.third, ROWS.bottom), [MIDDLE, ROWS.middle]],
  "10": [...sides(ROWS.top, ROWS.second, ROWS.third, ROWS.bottom), [MIDDLE, ROWS.high], [MIDDLE, ROWS.low]],
};

function sides(...rows: number[]): (readonly [number, number])[] {
  return rows.flatMap((y): (readonly [number, number])[] => [[LEFT, y], [RIGHT, y]]);
}

/** The pips of a card; none for a court card. */
export function pipsOf(rank: Rank): Pip[] {
  return (PLACES[rank] ?? []).map(([x, y]) => ({ x, y, turned: y > CARD.height / 2 }));
}

/** "10H" as rank and suit. */
export function readCard(card: string): { rank: Rank; suit: Suit } {
  return { rank: card.slice(0, -1) as Rank, suit: card.slice(-1) as Suit };
}

export function isRed(suit: Suit): boolean {
  return suit === "H" || suit === "D";
}
