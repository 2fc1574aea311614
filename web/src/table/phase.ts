// Which phase the head of a table names: the server's own, with what stands over it.

import type { TableView } from "../api/schema";
import type { Words } from "../words/language.svelte";

export type PhaseName = keyof Words["phase"];

/** Whether the table has to get a shoe, or to burn cards of the new one, before bets can open. */
export function isShoeDue(view: TableView): boolean {
  return view.phase === "idle" && !view.void && (view.shoe === null || view.shoe.finished || view.shoe.burn_due);
}

export function phaseOf(view: TableView): PhaseName {
  if (view.phase === "closed") return "closed";
  if (view.paused) return "paused";
  if (view.case !== null) return "case";
  if (view.void) return "void";
  if (view.insurance && view.insurance.window !== null) return "insurance";
  if (view.result === null && isShoeDue(view)) return "shoe";
  if (view.phase === "idle" && view.result !== null) return "finished";
  return view.phase;
}
