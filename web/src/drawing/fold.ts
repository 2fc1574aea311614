// How a card bends when it is peeled: a corner or edge is lifted and laid over, as paper is folded.
//
// The fold is the line half way between the place that was gripped and the place where it is held now. What lies on
// the gripped side of the line is bent up: there the face shows, mirrored over the line. Nothing else of it is seen.

import type { Edge } from "../api/frames";
import { CARD } from "./suits";

export interface Point {
  x: number;
  y: number;
}

export interface Fold {
  /** The part of the back that still lies on the felt. */
  lying: Point[];
  /** The part that is bent over, where it is seen now. */
  bent: Point[];
  /** Where the face is drawn: an SVG matrix that turns the face of the card over the fold. */
  matrix: readonly [number, number, number, number, number, number];
  /** How much of the card is bent up, from 0 to 1. */
  share: number;
  /** A way of a few points over the bent part, from the crease on: it is darkest there. */
  shade: readonly [Point, Point];
}

/** Half of the way over the card: whoever has pulled it so far and lets go has turned it. */
export const TURN_AT = 0.5;
/** Parts of the way over a card, as others are told it. */
export const PARTS = 20;
const SHADE = 46;

const CORNERS: readonly Point[] = [
  { x: 0, y: 0 },
  { x: CARD.width, y: 0 },
  { x: CARD.width, y: CARD.height },
  { x: 0, y: CARD.height },
];
const CORNER_REACH = 60;

/** Where a finger that comes down here takes hold of the card: a corner if it is near one, or the nearest edge. */
export function gripAt(at: Point): Point {
  const corner = CORNERS.find((c) => Math.hypot(c.x - at.x, c.y - at.y) < CORNER_REACH);
  if (corner) return corner;
  const { width, height } = CARD;
  const edges: [number, Point][] = [
    [at.x, { x: 0, y: at.y }],
    [width - at.x, { x: width, y: at.y }],
    [at.y, { x: at.x, y: 0 }],
    [height - at.y, { x: at.x, y: height }],
  ];
  edges.sort((a, b) => a[0] - b[0]);
  return edges[0]![1];
}

/** The pull from an edge goes straight over the card; from a corner it goes wherever the finger goes. It ends at the far side. */
export function pullTo(grip: Point, at: Point): Point {
  const { width, height } = CARD;
  const within = { x: Math.min(Math.max(at.x, 0), width), y: Math.min(Math.max(at.y, 0), height) };
  const isCorner = CORNERS.some((c) => c.x === grip.x && c.y === grip.y);
  if (isCorner) return within;
  return grip.x === 0 || grip.x === width ? { x: within.x, y: grip.y } : { x: grip.x, y: within.y };
}

/** How much of the way over the card a pull has gone, from 0 to 1 at the far side, whichever way it goes. */
export function progressOf(grip: Point, held: Point): number {
  const reach = (way: number, at: number, most: number) => (way > 0 ? (most - at) / way : way < 0 ? at / -way : Infinity);
  const whole = Math.min(reach(held.x - grip.x, grip.x, CARD.width), reach(held.y - grip.y, grip.y, CARD.height));
  return whole === Infinity || whole === 0 ? 0 : 1 / whole;
}

/** Where a grip is, in one word. */
export function edgeOf(grip: Point): Edge {
  const { width, height } = CARD;
  const across = grip.x === 0 ? "left" : grip.x === width ? "right" : null;
  const down = grip.y === 0 ? "top" : grip.y === height ? "bottom" : null;
  return across && down ? `${down}-${across}` : (across ?? down ?? "bottom");
}

/** The grip in the middle of an edge, or at a corner, and where it is held after so much of the way. */
export function pullFrom(edge: Edge, progress: number): { grip: Point; held: Point } {
  const { width, height } = CARD;
  const x = edge.endsWith("left") ? 0 : edge.endsWith("right") ? width : width / 2;
  const y = edge.startsWith("top") ? 0 : edge.startsWith("bottom") ? height : height / 2;
  return { grip: { x, y }, held: { x: x + progress * (width - 2 * x), y: y + progress * (height - 2 * y) } };
}

/** The card bent so that the gripped place lies where it is held. */
export function foldCard(grip: Point, held: Point): Fold {
  const dx = held.x - grip.x;
  const dy = held.y - grip.y;
  const length = Math.hypot(dx, dy);
  if (length < 1e-6) return { lying: [...CORNERS], bent: [], matrix: [1, 0, 0, 1, 0, 0], share: 0, shade: [grip, grip] };
  const nx = dx / length;
  const ny = dy / length;
  const along = nx * ((grip.x + held.x) / 2) + ny * ((grip.y + held.y) / 2);
  const lying = clip(CORNERS, nx, ny, along, 1);
  const lifted = clip(CORNERS, nx, ny, along, -1);
  const crease = { x: (grip.x + held.x) / 2, y: (grip.y + held.y) / 2 };
  return {
    lying,
    bent: lifted.map((point) => mirrored(point, nx, ny, along)),
    matrix: faceMatrix(nx, ny, along),
    share: area(lifted) / (CARD.width * CARD.height),
    shade: [crease, { x: crease.x + nx * SHADE, y: crease.y + ny * SHADE }],
  };
}

/** Where a place of the face is seen, by the matrix of a fold. */
export function seenAt(fold: Fold, place: Point): Point {
  const [a, b, c, d, e, f] = fold.matrix;
  return { x: a * place.x + c * place.y + e, y: b * place.x + d * place.y + f };
}

export function isInside(polygon: readonly Point[], point: Point): boolean {
  let inside = false;
  polygon.forEach((p, i) => {
    const q = polygon[(i + polygon.length - 1) % polygon.length]!;
    if (p.y > point.y !== q.y > point.y && point.x < ((q.x - p.x) * (point.y - p.y)) / (q.y - p.y) + p.x) inside = !inside;
  });
  return inside;
}

export function area(polygon: readonly Point[]): number {
  const twice = polygon.reduce((sum, p, i) => {
    const q = polygon[(i + 1) % polygon.length]!;
    return sum + p.x * q.y - q.x * p.y;
  }, 0);
  return Math.abs(twice) / 2;
}

export function pathOf(polygon: readonly Point[]): string {
  return polygon.length ? `M${polygon.map((p) => `${p.x.toFixed(2)} ${p.y.toFixed(2)}`).join("L")}Z` : "";
}

function clip(polygon: readonly Point[], nx: number, ny: number, along: number, side: 1 | -1): Point[] {
  const distance = (p: Point) => side * (nx * p.x + ny * p.y - along);
  return polygon.flatMap((p, i) => {
    const q = polygon[(i + 1) % polygon.length]!;
    const dp = distance(p);
    const dq = distance(q);
    const kept = dp >= 0 ? [p] : [];
    if (dp >= 0 === dq >= 0) return kept;
    const t = dp / (dp - dq);
    return [...kept, { x: p.x + t * (q.x - p.x), y: p.y + t * (q.y - p.y) }];
  });
}

function mirrored(p: Point, nx: number, ny: number, along: number): Point {
  const over = 2 * (nx * p.x + ny * p.y - along);
  return { x: p.x - over * nx, y: p.y - over * ny };
}

/** The face lies under the card, turned left to right; the fold mirrors it once more, so that it can be read. */
function faceMatrix(nx: number, ny: number, along: number): Fold["matrix"] {
  const a = 1 - 2 * nx * nx;
  const b = -2 * nx * ny;
  const d = 1 - 2 * ny * ny;
  const e = 2 * along * nx;
  const f = 2 * along * ny;
  return [-a, -b, b, d, a * CARD.width + e, b * CARD.width + f];
}
