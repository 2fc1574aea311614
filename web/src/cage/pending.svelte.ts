// What this cashier has asked for and a second person decides: corrections and slips of racks. Whoever asks for one
// looks at once; the page looks again every few seconds, because the second person may decide elsewhere.

import { ask } from "../api/client";
import type { Approval, ApprovalsAnswer } from "../api/schema";
import { login } from "../state/session.svelte";

interface Pending {
  waiting: readonly Approval[];
  /** What has ended since the page was opened, until it is hidden. */
  ended: readonly Approval[];
  /** Counts what was carried out, for whoever shows what it changes. */
  done: number;
}

export const pending = $state<Pending>({ waiting: [], ended: [], done: 0 });

/** Whether a request is one of the cage, and not a table's own. */
const isOfCage = (one: Approval) => one.table === null && one.actor === login.session?.account;

/** Looks are counted, because several may be under way: the page's own, and the one of whoever has just asked. */
let begun = 0;
let told = 0;

export async function lookAtPending(): Promise<void> {
  const own = ++begun;
  const { approvals } = await ask<ApprovalsAnswer>("GET", "/approvals");
  const waiting = approvals.filter((one) => isOfCage(one) && (one.decision ?? null) === null);
  const gone = pending.waiting.filter((one) => !waiting.some((other) => other.approval === one.approval));
  const ended = await Promise.all(gone.map((one) => ask<Approval>("GET", `/approvals/${one.approval}`)));
  if (own < told) return; // a later look has told more
  told = own;
  const isNew = (one: Approval) => !pending.ended.some((other) => other.approval === one.approval);
  const fresh = ended.filter(isNew);
  pending.waiting = waiting;
  pending.ended = [...fresh, ...pending.ended].slice(0, 5);
  if (fresh.some((one) => one.decision === "approve")) pending.done += 1;
}

export function hideEnded(approval: string): void {
  pending.ended = pending.ended.filter((one) => one.approval !== approval);
}
