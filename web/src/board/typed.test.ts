import { describe, expect, it } from "vitest";

import { afterKey, MOST, read, written, type Typed } from "./typed";

const typedIn = (keys: string[]) => keys.reduce<Typed>(afterKey, []);

describe("a board kept by hand", () => {
  it("takes results and marks of the last round by their keys", () => {
    expect(written(typedIn(["b", "1", "P", "n", "t", "2", "1"]))).toBe("BbPnTbp");
  });
  it("takes a mark off again, and the last round back", () => {
    expect(written(typedIn(["b", "1", "1", "p", "Backspace"]))).toBe("B");
    expect(typedIn(["Backspace", "1", "n"])).toEqual([]);
  });
  it("does nothing at other keys", () => {
    const before = typedIn(["b"]);
    for (const key of ["x", "3", "Enter", "constructor", "toString"]) expect(afterKey(before, key)).toBe(before);
  });
  it("is kept as text and read again, and never grows beyond what is drawn", () => {
    const typed = typedIn(["b", "1", "2", "n", "t", "p"]);
    expect(read(written(typed))).toEqual(typed);
    expect(read("what B else ☃")).toEqual(typedIn(["b"]));
    const full = typedIn(Array<string>(MOST + 5).fill("p"));
    expect(full).toHaveLength(MOST);
    expect(read(written(full) + "BBB")).toHaveLength(MOST);
  });
});
