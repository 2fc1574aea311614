// Answers of the API that the pages read.

import type { LabelView, LegalView, TableView } from "./schema";

export interface TableAnswer {
  table: string;
  version: number;
  digest: string;
  view: TableView;
  legal: readonly LegalView[];
}

export interface AccountAnswer {
  account: string;
  display: string | null;
  roles: readonly string[];
  currency: string;
  free: number;
  held: Record<string, number>;
}

export interface StatementLine {
  id: number;
  time: number;
  kind: string;
  amount: number;
  balance: number;
  table: string | null;
  round: number | null;
  area: string | null;
  clause: string | null;
  reason: string | null;
}

export interface CostLine {
  table: string;
  staked: number;
  expected: number | null;
  actual: number;
}

export interface StatementAnswer {
  lines: readonly StatementLine[];
  costs?: readonly CostLine[];
  last: number;
}

export interface BookSummary {
  name: string;
  title: string;
  digest: string;
}

export interface BookAnswer extends BookSummary {
  source: string | null;
  version: string | null;
  effective: string | null;
  bets: readonly {
    area: string;
    label: LabelView;
    clause?: string | null;
    rows: readonly { when: string; pays: string; clause: string | null }[];
  }[];
  clauses: readonly { number: string; kind: string; sense: string; reading: string | null }[];
}
