// What goes over a table's stream, both ways. The parts are generated in schema.ts; the frames stand here.

import type { LegalView, TableView } from "./schema";

export interface Refusal {
  reason: string;
  params: Record<string, unknown>;
  sentence: string;
  clause: string | null;
}

/** A command as the API takes it: its type and fields, without who, when and key. */
export type Command = { type: string } & Record<string, unknown>;

export type Decision = "approve" | "decline";

export interface EventFrame {
  type: "event";
  seq: number;
  event: { type: string; by?: string } & Record<string, unknown>;
}

export type Frame =
  | { type: "snapshot"; seq: number; view: TableView; legal: readonly LegalView[] }
  | EventFrame
  | { type: "view"; seq: number; view: TableView }
  | { type: "legal"; seq: number; commands: readonly LegalView[] }
  | { type: "clock"; what: string; ends_in_ms: number }
  | { type: "answer"; id: string; version?: number; refusal?: Refusal; approval?: string; needs?: string }
  /** Something at this table waits for a second person, or was decided by one. */
  | { type: "approval"; approval: string; needs: string; expires: number; decision?: Decision };

export interface CommandFrame {
  type: "command";
  id: string;
  key: string;
  role: string;
  expected?: number;
  command: Command;
}
