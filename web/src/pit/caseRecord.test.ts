import { expect, it } from "vitest";

import { awaitedSince, type Told } from "./caseRecord";

const told = (...events: Record<string, unknown>[]) => events.map((event, seq) => ({ seq, event })) as unknown as Told[];

it("a clause that is found again says only what is awaited now", () => {
  const found = { type: "clause-found", finding: "drawn-together", clause: "6.5" };
  const record = told(
    { type: "case-opened" },
    { ...found, awaits: "order" },
    { type: "cards-ordered" },
    { ...found, awaits: "options" },
    { ...found, clause: "6.7", awaits: "void" },
    { type: "case-closed" },
  );
  expect(record.map((_, at) => awaitedSince(record, at))).toEqual([null, null, null, "options", null, null]);
});
