// The roads of a shoe as a picture that can be kept or sent: table, book, shoe and time, the five roads, and that they are
// information only. Drawn on a canvas from the same shapes as the page.

import type { RoadView } from "../api/schema";
import { language, words } from "../words/language.svelte";
import { clockTime } from "../words/numbers";
import { bigMarks, circles, drawBeads, drawBig, drawDerived, ROWS, strokes, type Drawn, type Shades } from "./roads";
import type { RoadKind } from "./Road.svelte";

export interface Sheet {
  kind: RoadKind;
  x: number;
  y: number;
  size: number;
  drawn: Drawn | Shades;
}

const MARGIN = 28;
const HEAD = 92;
const TITLE = 24;
const GAP = 16;
const FOOT = 44;
const LARGE = 26;
const SMALL = 14;
const LEAST = 24;

/** Where each road stands, and how large the picture is: every road whole, the three derived ones side by side. */
export function layOut(roads: RoadView): { width: number; height: number; sheets: Sheet[] } {
  const big = drawBig(bigMarks(roads), LEAST, LARGE);
  const bead = drawBeads(roads.bead, LEAST, LARGE);
  const derived = [
    ["bigEye", drawDerived(roads.big_eye, 14, SMALL, "ring")],
    ["small", drawDerived(roads.small, 14, SMALL, "ring")],
    ["cockroach", drawDerived(roads.cockroach, 14, SMALL, "slash")],
  ] as const;
  const below = derived.reduce((sum, [, drawn]) => sum + drawn.width, 0) + 2 * GAP;
  const width = 2 * MARGIN + Math.max(big.width, bead.width, below);
  const sheets: Sheet[] = [];
  let y = MARGIN + HEAD;
  for (const [kind, drawn] of [["big", big], ["bead", bead]] as const) {
    sheets.push({ kind, x: MARGIN, y: y + TITLE, size: LARGE, drawn });
    y += TITLE + ROWS * LARGE + GAP;
  }
  let x = MARGIN;
  for (const [kind, drawn] of derived) {
    sheets.push({ kind, x, y: y + TITLE, size: SMALL, drawn });
    x += drawn.width + GAP;
  }
  return { width, height: y + TITLE + ROWS * SMALL + FOOT + MARGIN / 2, sheets };
}

/** Send the picture where this machine can, else keep it as a file. */
export async function shareRoads(roads: RoadView, table: string, book: string): Promise<void> {
  const blob = await pictureOf(roads, table, book);
  const file = new File([blob], `punto-${table}-${roads.shoe}.png`, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: `${table} · ${book}` });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return; // they thought better of it
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function pictureOf(roads: RoadView, table: string, book: string): Promise<Blob> {
  const { width, height, sheets } = layOut(roads);
  const canvas = document.createElement("canvas");
  const scale = 2;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext("2d")!;
  pen.scale(scale, scale);
  const look = getComputedStyle(document.documentElement);
  const colour = (name: string) => look.getPropertyValue(`--${name}`).trim();
  const ink = { banker: colour("road-banker"), player: colour("road-player"), tie: colour("road-tie") };
  const face = getComputedStyle(document.body).fontFamily;
  const write = (text: string, x: number, y: number, font: string, fill: string, align: CanvasTextAlign = "left") => {
    Object.assign(pen, { font: `${font} ${face}`, fillStyle: fill, textAlign: align });
    pen.fillText(text, x, y);
  };
  pen.fillStyle = colour("ground");
  pen.fillRect(0, 0, width, height);
  const time = clockTime(Date.now(), language.code);
  const { banker, player, tie } = roads.counts;
  const letters = words().letters;
  write(table, MARGIN, MARGIN + 22, "600 26px", colour("ivory"));
  write(book, MARGIN, MARGIN + 48, "400 15px", colour("muted"));
  write(`${words().shoe} ${roads.shoe} · ${time}`, MARGIN, MARGIN + 72, "400 15px", colour("muted"));
  const sums = [[`${letters.banker} ${banker}`, "banker"], [`${letters.player} ${player}`, "player"], [`${letters.tie} ${tie}`, "tie"]] as const;
  [...sums].reverse().forEach(([text, name], i) => write(text, width - MARGIN - i * 76, MARGIN + 24, "600 20px", colour(name), "right"));
  for (const sheet of sheets) {
    write(words().roadNames[sheet.kind], sheet.x, sheet.y - 8, "400 14px", colour("muted"));
    pen.save();
    pen.translate(sheet.x, sheet.y);
    drawSheet(pen, sheet, ink, { paper: colour("paper"), line: colour("paper-line"), face });
    pen.restore();
  }
  write(words().informationOnly, MARGIN, height - MARGIN / 2 - 8, "400 13px", colour("muted"));
  write("Punto", width - MARGIN, height - MARGIN / 2 - 8, "600 13px", colour("muted"), "right");
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}

type Inks = Record<"banker" | "player" | "tie", string>;

function drawSheet(pen: CanvasRenderingContext2D, { kind, size, drawn }: Sheet, ink: Inks, look: { paper: string; line: string; face: string }): void {
  const paint = (path: string, colour: string, isFilled: boolean, width = size * 0.12) => {
    Object.assign(pen, { strokeStyle: colour, fillStyle: colour, lineWidth: width, lineCap: "round" });
    const shape = new Path2D(path);
    if (isFilled) pen.fill(shape);
    else pen.stroke(shape);
  };
  pen.fillStyle = look.paper;
  pen.fillRect(0, 0, drawn.width, drawn.height);
  paint(drawn.grid, look.line, false, 1);
  if ("red" in drawn) {
    paint(drawn.red, ink.banker, kind === "small");
    paint(drawn.blue, ink.player, kind === "small");
    return;
  }
  const write = (text: string, x: number, y: number, colour: string) => {
    Object.assign(pen, { font: `600 14px ${look.face}`, fillStyle: colour, textAlign: "center" });
    pen.fillText(text, x, y + 5);
  };
  for (const winner of ["banker", "player", "tie"] as const) {
    paint(circles(drawn.rings.filter((ring) => ring.winner === winner)), ink[winner], kind === "bead");
  }
  if (kind === "bead") for (const ring of drawn.rings) write(words().letters[ring.winner], ring.cx, ring.cy, "#fff");
  paint(strokes(drawn.slashes), ink.tie, false);
  for (const slash of drawn.slashes) if (slash.count > 1) write(String(slash.count), (slash.x1 + slash.x2) / 2, (slash.y1 + slash.y2) / 2, ink.tie);
  for (const hand of ["banker", "player"] as const) paint(circles(drawn.dots.filter((dot) => dot.of === hand)), ink[hand], true);
}
