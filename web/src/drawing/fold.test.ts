import { describe, expect, it } from "vitest";

import { area, edgeOf, foldCard, gripAt, isInside, PARTS, progressOf, pullFrom, pullTo, seenAt, TURN_AT, type Point } from "./fold";
import { CARD, pipsOf, type Rank } from "./suits";

const whole = CARD.width * CARD.height;

/** Many grips and pulls, the same ones in every run. */
function* pulls(): Generator<[Point, Point]> {
  let seed = 7;
  const next = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  for (let i = 0; i < 300; i++) {
    const grip = gripAt({ x: next() * CARD.width, y: next() * CARD.height });
    yield [grip, pullTo(grip, { x: next() * CARD.width, y: next() * CARD.height })];
  }
}

describe("a fold", () => {
  it("shows as much face as back is lifted, and no more", () => {
    for (const [grip, held] of pulls()) {
      const fold = foldCard(grip, held);
      expect(area(fold.lying) + area(fold.bent)).toBeCloseTo(whole, 4);
      expect(area(fold.bent) / whole).toBeCloseTo(fold.share, 8);
    }
  });

  it("brings the gripped place to the finger", () => {
    for (const [grip, held] of pulls()) {
      const seen = seenAt(foldCard(grip, held), { x: CARD.width - grip.x, y: grip.y });
      expect(seen.x).toBeCloseTo(held.x, 6);
      expect(seen.y).toBeCloseTo(held.y, 6);
    }
  });

  it("never mirrors the face: an index stays readable", () => {
    for (const [grip, held] of pulls()) {
      const [a, b, c, d] = foldCard(grip, held).matrix;
      if (foldCard(grip, held).share > 0) expect(a * d - b * c).toBeCloseTo(1, 8);
    }
  });

  it("shows a place of the face exactly when its back is lifted", () => {
    for (const [grip, held] of pulls()) {
      const fold = foldCard(grip, held);
      for (const pip of pipsOf("10")) {
        const under = { x: CARD.width - pip.x, y: pip.y };
        const lifted = !isInside(fold.lying, under);
        expect(isInside(fold.bent, seenAt(fold, pip))).toBe(lifted);
      }
    }
  });

  it("is nothing before the finger moves", () => {
    expect(foldCard({ x: 0, y: 0 }, { x: 0, y: 0 }).share).toBe(0);
  });

  it("from the long side shows pips of a six sooner in number than of a two", () => {
    const fold = foldCard({ x: CARD.width, y: 175 }, { x: CARD.width - 190, y: 175 });
    const shown = (rank: Rank) => pipsOf(rank).filter((pip) => isInside(fold.bent, seenAt(fold, pip))).length;
    expect([shown("2"), shown("4"), shown("6"), shown("9")]).toEqual([0, 2, 3, 4]);
  });
});

describe("a grip", () => {
  it("takes a corner when it is near, else the nearest edge", () => {
    expect(gripAt({ x: 20, y: 20 })).toEqual({ x: 0, y: 0 });
    expect(gripAt({ x: 240, y: 160 })).toEqual({ x: CARD.width, y: 160 });
    expect(gripAt({ x: 130, y: 340 })).toEqual({ x: 130, y: CARD.height });
  });
});

describe("how far a pull has gone", () => {
  it("is half where half of the drag is done, from an edge or a corner, however little of the card is bent up", () => {
    const { width, height } = CARD;
    const edges: [Point, Point][] = [
      [{ x: 0, y: 90 }, { x: width / 2, y: 90 }],
      [{ x: width, y: 90 }, { x: width / 2, y: 90 }],
      [{ x: 70, y: 0 }, { x: 70, y: height / 2 }],
      [{ x: 70, y: height }, { x: 70, y: height / 2 }],
      [{ x: 0, y: 0 }, { x: width / 2, y: height / 2 }],
      [{ x: width, y: height }, { x: width / 2, y: height / 2 }],
      [{ x: width, y: 0 }, { x: width / 2, y: 0 }],
    ];
    for (const [grip, held] of edges) {
      expect(progressOf(grip, held)).toBeCloseTo(TURN_AT, 8);
      expect(foldCard(grip, held).share).toBeLessThan(0.3);
      const before = { x: grip.x + 0.49 * 2 * (held.x - grip.x), y: grip.y + 0.49 * 2 * (held.y - grip.y) };
      expect(progressOf(grip, before)).toBeLessThan(TURN_AT);
    }
    expect(progressOf({ x: 0, y: 90 }, { x: 0, y: 90 })).toBe(0);
  });

  it("is never more than the whole way: a pull ends at the far side", () => {
    for (const [grip] of pulls()) {
      for (const far of [{ x: -400, y: 900 }, { x: 900, y: -400 }, { x: 900, y: 900 }, { x: -50, y: -50 }]) {
        const progress = progressOf(grip, pullTo(grip, far));
        expect(progress).toBeGreaterThanOrEqual(0);
        expect(progress).toBeLessThanOrEqual(1 + 1e-9);
      }
    }
  });
});

describe("what others are told of a fold", () => {
  const EDGES = ["top", "right", "bottom", "left", "top-left", "top-right", "bottom-left", "bottom-right"] as const;

  it("is its edge or corner and how far, and leads back to the same", () => {
    for (const edge of EDGES) {
      for (let part = 1; part <= PARTS; part++) {
        const { grip, held } = pullFrom(edge, part / PARTS);
        expect(edgeOf(grip)).toBe(edge);
        expect(Math.round(progressOf(grip, held) * PARTS)).toBe(part);
        expect(foldCard(grip, held).share).toBeGreaterThan(0);
      }
      expect(foldCard(pullFrom(edge, 0).grip, pullFrom(edge, 0).held).share).toBe(0);
    }
  });

  it("names every grip that a finger can have", () => {
    for (const [grip] of pulls()) expect(EDGES).toContain(edgeOf(grip));
  });
});
