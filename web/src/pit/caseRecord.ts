// The record of a case: its events in order, each said once.

import type { EventFrame } from "../api/frames";

export interface Told {
  seq: number;
  event: EventFrame["event"];
}

/** What a case waits for since this event, where the book found the same clause before it: only that is new then. */
export function awaitedSince(record: readonly Told[], at: number): string | null {
  const { event } = record[at] ?? {};
  if (event?.type !== "clause-found") return null;
  const before = record.slice(0, at).findLast((one) => one.event.type === "clause-found")?.event;
  const isSame = before?.["finding"] === event["finding"] && before?.["clause"] === event["clause"];
  return isSame ? String(event["awaits"]) : null;
}
