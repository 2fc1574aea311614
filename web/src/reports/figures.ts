// Values of a report as readers see them, by the form that the server names.

import type { FigureForm, FixedDay, IrregularityRow, LabelView, LargeCashRow, ReportColumn } from "../api/schema";
import { changesOf } from "../significant/changes";
import { aboutOf, whoIs } from "../significant/words";
import { labelOf, language, words } from "../words/language.svelte";
import { clockTime, money, percent } from "../words/numbers";
import { saysPace } from "../words/pace";
import { onSign } from "../words/tableName";
import { codeWords } from "./words";

export type Row = Readonly<Record<string, unknown>>;

/** What stands on every report; the rest is by its layout. */
export interface Told {
  from: number | null;
  to: number;
  made: number;
  operator: string;
  version: string;
  time_zone: string;
  is_active: boolean;
  table?: string | null;
  fixed?: readonly FixedDay[];
  rows: readonly object[];
  totals: object;
  by_currency?: readonly object[];
  apart?: readonly object[];
  irregularities?: readonly IrregularityRow[];
  large?: readonly LargeCashRow[];
}

/** Forms of numbers, which stand at the right of their column. */
const NUMBERS: readonly FigureForm[] = ["count", "money", "share", "rate", "hours"];
export const isNumber = (form: FigureForm): boolean => NUMBERS.includes(form);
/** Forms that no language translates. */
export const isName = (form: FigureForm): boolean => form === "name" || form === "state";

/** A moment in the time zone of the house. */
export function houseTime(ms: number, zone: string): string {
  return clockTime(ms, language.code, zone);
}

/** A field of a row; of so few rounds that they say nothing of the pace, a dash. */
export function fieldOf(row: Row, { field, form }: ReportColumn, zone: string): string {
  return form === "rate" && !saysPace(Number(row["rounds"])) ? "–" : figure(row[field], form, zone);
}

export function figure(value: unknown, form: FigureForm, zone: string): string {
  if (value === null || value === undefined) return "";
  switch (form) {
    case "count":
      return new Intl.NumberFormat(language.code).format(Number(value));
    case "money":
      return signed(money(Math.abs(Number(value)), language.code), Number(value));
    case "share":
      return signed(percent(Math.abs(Number(value)), language.code), Number(value));
    case "rate":
      return new Intl.NumberFormat(language.code, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(Number(value));
    case "hours":
      return hours(Number(value));
    case "time":
      return houseTime(Number(value), zone);
    case "kind":
      return codeWords(String(value));
    case "kinds":
      return Object.entries(value as Record<string, number>).map(([code, count]) => `${codeWords(code)} ${count}`).join(words().comma) || "–";
    case "role":
      return words().role[String(value)] ?? String(value);
    case "state":
      return changesOf({ before: null, after: value as Record<string, unknown> });
    default:
      return String(value);
  }
}

/** A minus sign as wide as a plus, as everywhere on the pages. */
function signed(text: string, value: number): string {
  return value < 0 ? `−${text}` : text;
}

/** 3:05 for three hours and five minutes. */
function hours(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Names of betting areas by table and area, where the table is still there to say them. */
export type Labels = ReadonlyMap<string, LabelView>;

export function nameIn(row: Row, field: string, labels: Labels): string {
  const value = String(row[field] ?? "");
  if (field === "subject") return aboutOf(value);
  if (field === "who") return whoIs(value);
  if (field === "table") return onSign(value);
  return field === "area" ? labelOf(labels.get(`${String(row["table"])} ${value}`)) || value : value;
}
