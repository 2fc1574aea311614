// An act in words: its name, and what is already settled in it.

import type { LegalView, TableView } from "../api/schema";
import { areaLabel } from "../table/spots";
import { cardName } from "../words/cards";
import type { ConsoleWords } from "../words/console";
import { say, type Words } from "../words/language.svelte";
import { fieldsOf, typeOf } from "./acts";

export interface Speech {
  words: Words;
  console: ConsoleWords;
  label: (label: TableView["hands"]["player"]["label"] | undefined) => string;
  money: (minor: number) => string;
}

/** Fields that say nothing to a reader, or that the form asks for. */
const UNSAID = new Set(["type", "round", "window", "amount", "reason", "note", "players"]);

export function describeAct(one: LegalView, view: TableView, speech: Speech): string {
  const { console } = speech;
  const asked: readonly string[] = fieldsOf(one);
  const parts = Object.entries(one.command)
    .filter(([name]) => !UNSAID.has(name) && !asked.includes(name))
    .map(([name, value]) => describeField(name, value, view, speech))
    .filter(Boolean);
  return [console.commands[typeOf(one)] ?? typeOf(one), ...parts].join(" · ");
}

function describeField(name: string, value: unknown, view: TableView, { words, console, label }: Speech): string {
  switch (name) {
    case "area":
      return label(areaLabel(view, value)) || String(value);
    case "box":
      return value === null ? "" : say(words.box, { n: Number(value) });
    case "hand":
      return value === "player" || value === "banker" ? label(view.hands[value].label) : "";
    case "number":
      return say(console.nth, { n: Number(value) });
    case "card":
      return typeof value === "string" ? cardName(words, value) : "";
    case "possible":
      return console.possible[String(value)] ?? "";
    case "effect":
      return console.effects[String(value)] ?? "";
    case "consent":
      return value === true ? console.consent : console.refuse;
    case "seen":
      return Array.isArray(value) ? value.map((fact) => console.facts[String(fact)] ?? String(fact)).join(words.comma) : "";
    case "cards":
      return Array.isArray(value) ? value.map((card) => (typeof card === "number" ? say(console.nth, { n: card }) : "")).filter(Boolean).join(words.comma) : "";
    default:
      return value === null || typeof value === "object" ? "" : String(value);
  }
}
