// Which phase the head of a table names: the server's own, with what stands over it.

import type { Phase, TableView } from "../api/schema";
import type { Words } from "../words/language.svelte";

export type PhaseName = keyof Words["phase"];

/** Whether the table has to get a shoe, or to burn cards of the new one, before bets can open. */
export function isShoeDue(view: TableView): boolean {
  return view.phase === "idle" && !view.void && (view.shoe === null || view.shoe.finished || view.shoe.burn_due);
}

/** What the name of a phase depends on. */
interface Standing {
  phase: Phase;
  paused: boolean;
  case: boolean;
  void: boolean;
  isInsuring: boolean;
  isDecided: boolean;
  isShoeDue: boolean;
}

export function phaseNamed(at: Standing): PhaseName {
  if (at.phase === "closed") return "closed";
  if (at.paused) return "paused";
  if (at.case) return "case";
  if (at.void) return "void";
  if (at.isInsuring) return "insurance";
  if (!at.isDecided && at.phase === "idle" && at.isShoeDue) return "shoe";
  if (at.phase === "idle" && at.isDecided) return "finished";
  return at.phase;
}

export function phaseOf(view: TableView): PhaseName {
  const isInsuring = view.insurance !== null && view.insurance.window !== null;
  const { phase, paused, void: isVoid } = view;
  return phaseNamed({ phase, paused, case: view.case !== null, void: isVoid, isInsuring, isDecided: view.result !== null, isShoeDue: isShoeDue(view) });
}
