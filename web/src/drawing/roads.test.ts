import { describe, expect, it } from "vitest";

import { NO_ROADS } from "../api/roads";
import type { Bead, Mark, RoadView } from "../api/schema";
import { layOut } from "./roadPicture";
import { bigMarks, circles, countsOf, drawBeads, drawBig, drawDerived, paper, roadSizes, squares, strokes, windowOf } from "./roads";

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

  it("says how many there were with a place for each figure", () => {
    const drawn = drawBig([mark(0, 0, { ties: 2 }), mark(1, 0, { ties: 1 }), mark(2, 0, { ties: 12 })], 12, 20);
    const counts = countsOf(drawn.slashes, 13);
    expect(counts.text).toBe("212");
    expect(counts.x).toEqual([10, 46.1, 53.9]);
    expect(new Set(counts.y).size).toBe(1);
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

describe("the room that roads have", () => {
  it("makes their cells larger where a panel is wider, and never so small that they cannot be read", () => {
    const { big, derived } = roadSizes(356);
    expect(big * 18).toBeCloseTo(356, 6);
    expect(derived * 33).toBeCloseTo(340, 6);
    const wide = roadSizes(620);
    expect(wide.big).toBeGreaterThan(30);
    expect(wide.derived).toBeGreaterThan(16);
    expect(roadSizes(100)).toEqual({ big: 17, bead: 20, derived: 9 });
  });

  it("shows whole columns, the latest, with one free for what comes", () => {
    expect(windowOf(3, 118, 10)).toEqual({ columns: 11, from: 0 });
    expect(windowOf(30, 118, 10)).toEqual({ columns: 11, from: 20 });
    for (let used = 0; used < 60; used++) {
      const { columns, from } = windowOf(used, 357, 19);
      expect(columns * 19).toBeLessThanOrEqual(357);
      expect(from === 0 || from + columns === used + 1).toBe(true);
    }
  });

  it("marks cells as squares of one path", () => {
    expect(squares([{ column: 1, row: 2 }], 10)).toBe("M10 20h10v10h-10Z");
  });
});

describe("the picture of the roads", () => {
  it("has every road whole, and none over another", () => {
    const long = { ...NO_ROADS, big: Array.from({ length: 60 }, (_, i) => mark(i, 0)), big_eye: Array.from({ length: 50 }, (_, column) => ({ column, row: 0, red: true })) };
    for (const roads of [NO_ROADS, long]) {
      const { width, height, sheets } = layOut(roads);
      expect(sheets.map((sheet) => sheet.kind)).toEqual(["big", "bead", "bigEye", "small", "cockroach"]);
      for (const one of sheets) {
        expect(one.x + one.drawn.width).toBeLessThan(width);
        expect(one.y + one.drawn.height).toBeLessThan(height);
        for (const other of sheets.filter((sheet) => sheet !== one)) {
          const isApart = one.x >= other.x + other.drawn.width || other.x >= one.x + one.drawn.width || one.y >= other.y + other.drawn.height || other.y >= one.y + one.drawn.height;
          expect(isApart).toBe(true);
        }
      }
    }
  });
});
