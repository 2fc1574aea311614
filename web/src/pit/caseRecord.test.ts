import { expect, it } from "vitest";

import { awaitedSince, eventWords, type Told } from "./caseRecord";

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

it("says who decided, in which role, how, why and by which clause", () => {
  const by = { by: "Mia", role: "shift-manager" };
  const record = told(
    { type: "case-opened", by: "Dan", role: "dealer", case: 2 },
    { type: "reconstruction-judged", ...by, possible: false, clause: "5.13" },
    { type: "cards-ordered", by: "Sue", role: "pit-supervisor", cards: ["2C", null] },
    { type: "ruled", ...by, effect: "return", players: ["Lee", "Kim"], reason: "a light went out", clause: "5.10" },
    { type: "round-voided", ...by, reason: "wet cards", clause: "5.7" },
    { type: "case-closed", ...by, resolution: "dismissed", reason: "a reflection" },
    { type: "option-chosen", by: "Lee", role: "player", player: "Lee", option: "return", clause: "5.12" },
  );
  expect(record.map((_, at) => eventWords(record, at, (option) => `chose ${option}`))).toEqual([
    "Dan (Dealer) opened case 2",
    "Mia (Shift Manager) judged whether the hands can be put right: No, they cannot (clause 5.13)",
    "Sue (Pit Supervisor) set the order of the cards: 2 of clubs, card face down",
    "Mia (Shift Manager) ruled: Bets go back, Lee, Kim “a light went out” (clause 5.10)",
    "Mia (Shift Manager) voided the round “wet cards” (clause 5.7)",
    "The case was closed: the report was dismissed “a reflection”",
    "Lee: chose return (clause 5.12)",
  ]);
});
