import { describe, expect, it } from "vitest";

import type { Bead, Mark, RoadView } from "../api/schema";
import { bigMarks, circles, drawBeads, drawBig, drawDerived, paper, strokes } from "./roads";

const bead = (column: number, row: number, more: Partial<Bead> = {}): Bead => ({
  column,
  row,
  result: "banker",
  banker_pair: false,
  player_pair: false,
  ...more,
});
const mark = (column: number, row: number, more: Partial<Mark> = {}): Mark => ({
  column,
  row,
  winner: "banker",
  ties: 0,
  banker_pair: false,
  player_pair: false,
  ...more,
});

describe("paper", () => {
  it("has six rows, and room for every mark and a shoe not begun", () => {
    expect(paper(0, 12, 10)).toMatchObject({ width: 120, height: 60 });
    expect(paper(40, 12, 10).width).toBe(400);
  });
});

describe("the bead plate", () => {
  it("puts every bead in the middle of its cell", () => {
    const drawn = drawBeads([bead(0, 0), bead(0, 5), bead(1, 0, { result: "tie" })], 12, 20);
    expect(drawn.rings.map((r) => [r.cx, r.cy])).toEqual([[10, 10], [10, 110], [30, 10]]);
    expect(drawn.rings[2]!.winner).toBe("tie");
  });
});

describe("pairs", () => {
  it("are dots: Banker's at the top left, Player's at the bottom right", () => {
    const [banker, player] = drawBig([mark(2, 1, { banker_pair: true, player_pair: true })], 12, 10).dots;
    expect([banker!.of, banker!.cx, banker!.cy]).toEqual(["banker", 22, 12]);
    expect([player!.of, player!.cx, player!.cy]).toEqual(["player", 28, 18]);
  });
});

describe("a tie", () => {
  it("is a slash on the last ring, and no ring of its own", () => {
    const drawn = drawBig([mark(0, 0, { ties: 2 })], 12, 10);
    expect(drawn.rings).toHaveLength(1);
    expect(drawn.slashes).toEqual([expect.objectContaining({ count: 2, x1: 1.8, y1: 8.2 })]);
  });

  it("waits on a cell of its own until somebody wins", () => {
    const roads = (big: Mark[], tie: number) => ({ big, counts: { banker: 0, player: 0, tie } }) as unknown as RoadView;
    expect(drawBig(bigMarks(roads([], 2)), 12, 10).slashes).toEqual([expect.objectContaining({ count: 2 })]);
    expect(bigMarks(roads([], 0))).toEqual([]);
    const won = [mark(0, 0, { ties: 2 })];
    expect(bigMarks(roads(won, 2))).toBe(won);
  });

  it("before the first win is a slash with no ring", () => {
    const drawn = drawBig([mark(0, 0, { ties: 1, winner: "tie" })], 12, 10);
    expect([drawn.rings.length, drawn.slashes.length]).toEqual([0, 1]);
  });
});

describe("marks as one path", () => {
  it("go round every middle once, and back to where they began", () => {
    const path = circles([{ cx: 10, cy: 20, r: 4 }, { cx: 30.04, cy: 20, r: 4 }]);
    expect(path).toBe("M6 20a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M26 20a4 4 0 1 0 8 0a4 4 0 1 0 -8 0");
    expect([circles([]), strokes([])]).toEqual(["", ""]);
    expect(strokes([{ x1: 1, y1: 9, x2: 9, y2: 1, count: 1 }])).toBe("M1 9L9 1");
  });
});

describe("derived roads", () => {
  const cells = [{ column: 0, row: 0, red: true }, { column: 1, row: 0, red: false }, { column: 1, row: 1, red: false }];

  it("are red and blue rings, or strokes for the cockroach", () => {
    const rings = drawDerived(cells, 12, 10, "ring");
    expect([rings.red.match(/M/g)?.length, rings.blue.match(/M/g)?.length]).toEqual([1, 2]);
    expect(rings.red).toMatch(/^M1\.\d+ 5a3\.4/);
    const strokes = drawDerived(cells, 12, 10, "slash");
    expect(strokes.blue).toBe("M11.8 8.2l6.4 -6.4M11.8 18.2l6.4 -6.4");
    expect(strokes.end).toBe(20);
  });

  it("of a shoe not begun are empty paper", () => {
    expect(drawDerived([], 12, 10, "ring")).toMatchObject({ red: "", blue: "", width: 120 });
  });
});
