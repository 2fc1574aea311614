import { describe, expect, it } from "vitest";

import { area, foldCard, gripAt, isInside, pullTo, seenAt, type Point } from "./fold";
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
