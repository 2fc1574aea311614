import { describe, expect, it } from "vitest";

import { keepBets, lastBets } from "./lastBets";

function memory(): Storage {
  const kept = new Map<string, string>();
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) } as unknown as Storage;
}

const BANKER = { box: 3, area: "banker", amount: 2500 };

describe("the last bets", () => {
  it("are those of this person at this table, and the latest", () => {
    const storage = memory();
    keepBets("lee", "t1", [BANKER], storage);
    keepBets("lee", "t2", [{ ...BANKER, amount: 100 }], storage);
    keepBets("kim", "t1", [{ ...BANKER, area: "tie" }], storage);
    expect(lastBets("lee", "t1", storage)).toEqual([BANKER]);
    expect(lastBets("kim", "t1", storage)).toEqual([{ ...BANKER, area: "tie" }]);
    expect(lastBets("kim", "t2", storage)).toEqual([]);
    keepBets("lee", "t1", [{ ...BANKER, amount: 5000 }], storage);
    expect(lastBets("lee", "t1", storage)).toEqual([{ ...BANKER, amount: 5000 }]);
  });

  it("are forgotten for the table played at longest ago, and never break on what is not theirs", () => {
    const storage = memory();
    for (let i = 0; i < 25; i++) keepBets("lee", `t${i}`, [BANKER], storage);
    expect(lastBets("lee", "t4", storage)).toEqual([]);
    expect(lastBets("lee", "t5", storage)).toEqual([BANKER]);
    for (const text of ["{", "{}", "[1]", '[["lee t1",[{"box":1}]]]']) {
      storage.setItem("punto.bets", text);
      expect(lastBets("lee", "t1", storage)).toEqual([]);
    }
  });
});
