// Where the betting areas of a book lie on the felt. The book says which there are; this only puts them in rows.

import type { AreaView, LabelView, SeatView, TableView } from "../api/schema";

export interface Rows {
  /** Pairs and other side bets. */
  side: AreaView[];
  /** Player, Tie, Banker. */
  main: AreaView[];
  /** Antes, and the wagers that follow them. */
  antes: AreaView[];
}

const TIE = "tie";

export function rowsOf(areas: readonly AreaView[]): Rows {
  const main = areas.filter((area) => area.group === "main");
  const ofPlayer = main.filter((area) => area.hand === "player");
  const others = main.filter((area) => area.hand === null);
  const ofBanker = main.filter((area) => area.hand === "banker");
  const tie = areas.filter((area) => area.area === TIE && area.group === "side");
  const side = areas.filter((area) => (area.group === "side" || area.group === "pair") && area.area !== TIE);
  return {
    main: [...ofPlayer, ...tie, ...others, ...ofBanker],
    side: [...side.filter((a) => isOf(a, "player")), ...side.filter((a) => !isOf(a, "player") && !isOf(a, "banker")), ...side.filter((a) => isOf(a, "banker"))],
    antes: areas.filter((area) => area.group === "ante" || area.group === "wager"),
  };
}

/** A pair lies beside its hand. */
function isOf(area: AreaView, hand: "player" | "banker"): boolean {
  return area.group === "pair" && area.area.startsWith(hand);
}

/** How many of `count` lie in a row, so that no row has many more than another. */
export function evenRows(count: number, room: number, least: number, gap: number): number {
  const fit = Math.max(1, Math.floor((room + gap) / (least + gap)));
  return Math.ceil(count / Math.ceil(count / fit));
}

/** The hand whose colour a spot has. */
export function toneOf(area: AreaView): "player" | "banker" | "tie" | "side" {
  if (area.hand) return area.hand;
  if (area.area === TIE) return "tie";
  return isOf(area, "player") ? "player" : isOf(area, "banker") ? "banker" : "side";
}

/** The name of an area of this table in every language. */
export function areaLabel(view: TableView, area: unknown): LabelView | undefined {
  return view.areas.find((one) => one.area === area)?.label;
}

/** The area that a key stands for: P, B, T, and with Shift the pairs. */
export function areaOfKey(areas: readonly AreaView[], key: string, isShifted: boolean): AreaView | null {
  const hand = key === "p" ? "player" : key === "b" ? "banker" : null;
  if (key === "t" && !isShifted) return areas.find((area) => area.area === TIE) ?? null;
  if (hand === null) return null;
  return areas.find((area) => (isShifted ? isOf(area, hand) : area.group === "main" && area.hand === hand)) ?? null;
}

export interface SpotBets {
  mine: number;
  /** What the viewer has insured the bet for in this round. */
  insured: number;
  /** The viewer's bet is under the minimum: the dealer may say so, or has. */
  isUnder: boolean;
  /** The viewer's bets in other boxes. */
  own: { box: number; stake: number }[];
  others: { box: number; player: string; stake: number; mine: boolean; seated: boolean }[];
}

/** What lies on an area: the viewer's own in the chosen box, and everybody else's. */
export function betsOn(view: TableView, area: string, box: number | null): SpotBets {
  const all = view.seats.flatMap((seat: SeatView) =>
    seat.bets.filter((bet) => bet.area === area).map((bet) => ({ box: seat.box, player: bet.player, stake: bet.stake, mine: bet.mine, seated: bet.seated })),
  );
  const mine = all.filter((bet) => bet.mine && bet.box === box).reduce((sum, bet) => sum + bet.stake, 0);
  const own = view.seats.find((seat) => seat.box === box)?.bets.find((bet) => bet.mine && bet.area === area);
  const hand = view.areas.find((one) => one.area === area && one.group === "main")?.hand ?? null;
  const seat = view.seats.find((one) => one.box === box);
  const insured = (seat?.insurance ?? []).filter((one) => hand !== null && one.hand === hand && one.mine).reduce((sum, one) => sum + one.amount, 0);
  return { mine, insured, isUnder: own?.status === "under-minimum" || own?.status === "advised", own: all.filter((bet) => bet.mine && bet.box !== box), others: all.filter((bet) => !bet.mine) };
}
