// Roads as shapes: where each mark of a road is drawn, in cells of a given size. Only drawing; the places are the server's.

import type { Bead, Mark, RoadView, RoundWinner, ShadeView } from "../api/schema";

export const ROWS = 6;
export const INK: Record<RoundWinner, string> = { banker: "var(--road-banker)", player: "var(--road-player)", tie: "var(--road-tie)" };

export interface Ring {
  cx: number;
  cy: number;
  r: number;
  winner: RoundWinner;
}

export interface Dot {
  cx: number;
  cy: number;
  r: number;
  of: "banker" | "player";
}

export interface Slash {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  /** How many ties it stands for. */
  count: number;
}

export interface Drawn {
  width: number;
  height: number;
  grid: string;
  rings: Ring[];
  dots: Dot[];
  slashes: Slash[];
}

export interface Shades {
  width: number;
  height: number;
  grid: string;
  /** Paths of the red and the blue marks. */
  red: string;
  blue: string;
  /** Where the last mark ends. */
  end: number;
}

/** Paper with enough columns for the marks, and at least as many as there is room for. */
export function paper(columns: number, least: number, size: number): { width: number; height: number; grid: string } {
  const wide = Math.max(columns, least);
  const width = wide * size;
  const height = ROWS * size;
  const across = Array.from({ length: ROWS + 1 }, (_, i) => `M0 ${i * size}H${width}`);
  const down = Array.from({ length: wide + 1 }, (_, i) => `M${i * size} 0V${height}`);
  return { width, height, grid: [...across, ...down].join("") };
}

const columnsOf = (cells: readonly { column: number }[]) => cells.reduce((most, cell) => Math.max(most, cell.column + 1), 0);

/** Circles as one path: hundreds of elements of their own would take longer to draw than everything else. */
export function circles(all: readonly { cx: number; cy: number; r: number }[]): string {
  return all
    .map(({ cx, cy, r }) => {
      const [radius, across] = [short(r), short(2 * short(r))]; // half circles that do not meet are ovals
      return `M${short(short(cx) - radius)} ${short(cy)}a${radius} ${radius} 0 1 0 ${across} 0a${radius} ${radius} 0 1 0 ${-across} 0`;
    })
    .join("");
}

/** Slashes of ties as one path. */
export function strokes(all: readonly Slash[]): string {
  return all.map(({ x1, y1, x2, y2 }) => `M${x1} ${y1}L${x2} ${y2}`).join("");
}

/** How many ties a slash stands for, where they are several: one text with a place for each figure of each count. */
export function countsOf(all: readonly Slash[], letter: number): { text: string; x: number[]; y: number[] } {
  const figures = all.filter(({ count }) => count > 1).flatMap(({ x1, x2, y1, y2, count }) => {
    const [x, y, text] = [(x1 + x2) / 2, (y1 + y2) / 2 + letter * 0.36, String(count)];
    return [...text].map((figure, i) => ({ figure, x: short(x + (i - (text.length - 1) / 2) * letter * 0.6), y: short(y) }));
  });
  return { text: figures.map(({ figure }) => figure).join(""), x: figures.map(({ x }) => x), y: figures.map(({ y }) => y) };
}

export function drawBeads(cells: readonly Bead[], least: number, size: number): Drawn {
  return {
    ...paper(columnsOf(cells), least, size),
    rings: cells.map((cell) => ring(cell, cell.result, size, 0.42)),
    dots: cells.flatMap((cell) => dots(cell, size)),
    slashes: [],
  };
}

/** The marks of the big road; ties before the first win wait on a cell that has no ring yet, and are shown there. */
export function bigMarks(roads: RoadView): readonly Mark[] {
  if (roads.big.length || roads.counts.tie === 0) return roads.big;
  return [{ column: 0, row: 0, winner: "tie", ties: roads.counts.tie, banker_pair: false, player_pair: false }];
}

export function drawBig(cells: readonly Mark[], least: number, size: number): Drawn {
  return {
    ...paper(columnsOf(cells) + 1, least, size),
    // Ties before the first win wait on a cell that has no ring yet.
    rings: cells.filter((cell) => cell.winner !== "tie").map((cell) => ring(cell, cell.winner, size, 0.36)),
    dots: cells.flatMap((cell) => dots(cell, size)),
    slashes: cells.filter((cell) => cell.ties > 0).map((cell) => slash(cell, size, cell.ties)),
  };
}

/** A derived road has many small marks, so all of one colour are one path: rings, or strokes for the cockroach. */
export function drawDerived(cells: readonly ShadeView[], least: number, size: number, kind: "ring" | "slash"): Shades {
  const marks = (red: boolean) =>
    cells
      .filter((cell) => cell.red === red)
      .map((cell) => shadePath(cell, size, kind))
      .join("");
  return { ...paper(columnsOf(cells) + 1, least, size), red: marks(true), blue: marks(false), end: columnsOf(cells) * size };
}

/** How large the cells of each road are, so that the roads fill a panel of this width. */
export function roadSizes(width: number, columns = 18): { big: number; bead: number; derived: number } {
  const between = (least: number, size: number, most: number) => Math.min(Math.max(size, least), most);
  return { big: between(17, width / columns, 40), bead: between(20, width / 17, 40), derived: between(9, (width - 16) / 33, 22) };
}

/** What of a road is shown where there is room: whole columns only, the last one free for what comes. */
export function windowOf(used: number, room: number, size: number): { columns: number; from: number } {
  const columns = Math.max(1, Math.floor(room / size + 0.1)); // a width is told in whole pixels
  return { columns, from: Math.max(0, used + 1 - columns) };
}

/** Squares over some cells as one path. */
export function squares(cells: readonly { column: number; row: number }[], size: number): string {
  return cells.map(({ column, row }) => `M${column * size} ${row * size}h${size}v${size}h${-size}Z`).join("");
}

/** One mark of a derived road as a path. */
export function shadePath(cell: { column: number; row: number }, size: number, kind: "ring" | "slash"): string {
  return kind === "ring" ? ringPath(cell, size) : slashPath(cell, size);
}

function ringPath(cell: { column: number; row: number }, size: number): string {
  return circles([{ cx: (cell.column + 0.5) * size, cy: (cell.row + 0.5) * size, r: 0.34 * size }]);
}

function slashPath(cell: { column: number; row: number }, size: number): string {
  return `M${short((cell.column + 0.18) * size)} ${short((cell.row + 0.82) * size)}l${0.64 * size} ${-0.64 * size}`;
}

/** A tenth of a pixel is enough. */
function short(value: number): number {
  return Math.round(value * 10) / 10;
}

function ring(cell: { column: number; row: number }, winner: RoundWinner, size: number, radius: number): Ring {
  const cx = (cell.column + 0.5) * size;
  const cy = (cell.row + 0.5) * size;
  return { cx, cy, r: radius * size, winner };
}

/** Banker pair at the top left, Player pair at the bottom right. */
function dots(cell: Bead | Mark, size: number): Dot[] {
  const found: Dot[] = [];
  const at = (share: number) => ({ cx: (cell.column + share) * size, cy: (cell.row + share) * size, r: 0.13 * size });
  if (cell.banker_pair) found.push({ ...at(0.2), of: "banker" });
  if (cell.player_pair) found.push({ ...at(0.8), of: "player" });
  return found;
}

function slash(cell: { column: number; row: number }, size: number, count: number): Slash {
  const [x, y] = [cell.column * size, cell.row * size];
  const [near, far] = [0.18 * size, 0.82 * size];
  return { x1: short(x + near), y1: short(y + far), x2: short(x + far), y2: short(y + near), count };
}
