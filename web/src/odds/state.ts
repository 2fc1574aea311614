// What the address of the explorer says: /odds/insurance/8/9H,9S is a book, its decks, and the cards that are gone;
// /odds/live/t12 the shoe of a table; /odds/catalogue/pairs the published bets of a section.

export type Place =
  | { tab: "shoe"; book: string; decks: number | null; removed: readonly string[] }
  | { tab: "live"; table: string }
  | { tab: "catalogue"; section: string };

const CARD = /^(A|[2-9]|10|J|Q|K)[SHDC]?$/;
/** Cards that an address names, as the server reads it. */
export const MOST = 125;

export function placeOf(parts: readonly string[]): Place {
  const [first = "", second = "", third = ""] = parts;
  if (first === "catalogue") return { tab: "catalogue", section: second };
  if (first === "live" && second) return { tab: "live", table: second };
  const decks = /^[1-9]\d?$/.test(second) ? Number(second) : null;
  return { tab: "shoe", book: first, decks, removed: third.split(",").filter((card) => CARD.test(card)).slice(0, MOST) };
}

export function pathOf(place: Place): string {
  const parts = place.tab === "catalogue" ? ["catalogue", place.section] : place.tab === "live" ? ["live", place.table] : [place.book, place.decks === null ? "" : String(place.decks), place.removed.join(",")];
  const last = parts.findLastIndex((part) => part !== "");
  return ["/odds", ...parts.slice(0, last + 1).map((part) => encodeURIComponent(part).replaceAll("%2C", ","))].join("/");
}
