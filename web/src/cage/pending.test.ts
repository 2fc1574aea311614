import { beforeEach, expect, test, vi } from "vitest";

import { ask } from "../api/client";
import type { Approval } from "../api/schema";
import { hideEnded, lookAtPending, pending } from "./pending.svelte";

vi.mock("../api/client", () => ({ ask: vi.fn() }));
vi.mock("../state/session.svelte", () => ({ login: { session: { account: "Cas" } } }));

const asked = { approval: "a1", table: null, actor: "Cas", decision: null } as unknown as Approval;
const approved = { ...asked, decision: "approve" } as Approval;

/** What the server knows: the answers wait until they are let go. */
let waiting: Approval[] = [];
let held: (() => void)[] = [];
beforeEach(() => {
  waiting = [];
  held = [];
  vi.mocked(ask).mockImplementation((_method, path) => {
    const answer = path === "/approvals" ? { approvals: waiting } : approved;
    return new Promise((resolve) => held.push(() => resolve(answer)));
  });
});

/** Lets go what is held in the order given by `order`, until nothing is. */
async function letGo(order: (all: (() => void)[]) => (() => void)[] = (all) => all): Promise<void> {
  while (held.length) {
    const now = order(held);
    held = [];
    now.forEach((one) => one());
    await new Promise((resolve) => setTimeout(resolve));
  }
}

test("two looks at once tell an end once", async () => {
  pending.waiting = [asked];
  const looks = [lookAtPending(), lookAtPending()];
  await letGo();
  await Promise.all(looks);
  expect(pending.ended).toEqual([approved]);
  expect(pending.done).toBe(1);
});

test("an answer that comes late brings nothing back", async () => {
  hideEnded("a1");
  waiting = [asked];
  const early = lookAtPending();
  const late = held;
  held = [];
  waiting = [];
  const later = lookAtPending();
  await letGo();
  await later;
  held = late;
  await letGo();
  await early;
  expect(pending.waiting).toEqual([]);
});
