import { describe, expect, it } from "vitest";

import type { Hand } from "../api/schema";
import { keepWishes, wishesAt } from "./wishes";

function memory(): Storage {
  const kept = new Map<string, string>();
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) } as Storage;
}

describe("the wish to squeeze", () => {
  it("is kept for each player and table until it is taken back", () => {
    const storage = memory();
    keepWishes("Lee", "t1", new Set<Hand>(["banker"]), storage);
    keepWishes("Kim", "t1", new Set<Hand>(["player", "banker"]), storage);
    expect([...wishesAt("Lee", "t1", storage)]).toEqual(["banker"]);
    expect([...wishesAt("Kim", "t1", storage)]).toEqual(["player", "banker"]);
    expect(wishesAt("Lee", "t2", storage).size).toBe(0);
    keepWishes("Lee", "t1", new Set(), storage);
    expect(wishesAt("Lee", "t1", storage).size).toBe(0);
  });

  it("is none where what is kept is not ours", () => {
    for (const text of ["", "{}", "[1]", '[["Lee t1", 3]]', '[["Lee t1", ["tie"]]]']) {
      const storage = memory();
      storage.setItem("punto.squeeze", text);
      expect(wishesAt("Lee", "t1", storage).size).toBe(0);
    }
  });
});
