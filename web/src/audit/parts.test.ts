import { expect, it } from "vitest";

import { momentOf, partsOf, query } from "./parts";

it("a role finds the parts whose calls it may make", () => {
  expect(partsOf(["auditor"])).toEqual(["rounds", "events", "verify", "software"]);
  expect(partsOf(["administrator"])).toEqual(["events", "software"]);
  expect(partsOf(["player", "dealer", "pit-manager"])).toEqual([]);
});

it("only what is wanted is asked", () => {
  expect(query({ table: "t1", player: "", from: null, limit: 50 })).toBe("?table=t1&limit=50");
  expect(query({ table: "" })).toBe("");
});

it("amounts and moments are read, and nothing else", () => {
  expect(momentOf("2026-11-18T03:05")).toBe(new Date(2026, 10, 18, 3, 5).getTime());
  expect(momentOf("")).toBeNull();
});
