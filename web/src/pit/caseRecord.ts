// The record of a case: its events in order, each said once, and whoever decided with the role, the remedy, the reason and
// the clause.

import type { EventFrame } from "../api/frames";
import { cardName } from "../words/cards";
import { consoleWords } from "../words/console";
import { say, words } from "../words/language.svelte";
import { pitWords } from "./words";

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

/** What somebody decided, or what came of it. */
function whatOf(event: Told["event"], choice: (option: string) => string): string {
  switch (event["type"]) {
    case "option-chosen":
      return choice(String(event["option"]));
    case "ruled":
      return [consoleWords().effects[String(event["effect"])] ?? "", ...players(event)].join(words().comma);
    case "reconstruction-judged":
      return consoleWords().possible[String(event["possible"])] ?? "";
    case "cards-ordered":
      return cards(event).map((card) => (card === null ? words().faceDown : cardName(words(), card))).join(words().comma);
    case "case-closed":
      return pitWords().resolutions[String(event["resolution"])] ?? "";
    default:
      return consoleWords().findings[String(event["finding"] ?? "")] ?? "";
  }
}

const cards = (event: Told["event"]) => (Array.isArray(event["cards"]) ? (event["cards"] as (string | null)[]) : []);
const players = (event: Told["event"]) => (Array.isArray(event["players"]) ? (event["players"] as string[]) : []);

/** An event in a line; `choice` says what a player's choice comes to. */
export function eventWords(record: readonly Told[], at: number, choice: (option: string) => string): string {
  const awaited = awaitedSince(record, at);
  if (awaited !== null) return consoleWords().awaits[awaited] ?? "";
  const event = record[at]!.event;
  const type = String(event["type"]);
  const by = String(event["by"] ?? "");
  const role = words().role[String(event["role"])];
  const who = type === "option-chosen" ? String(event["player"] ?? "") : role ? `${by} ${say(words().aside, { text: role })}` : by;
  const head = say(pitWords().events[type] ?? "", { who, n: Number(event["case"] ?? 0), what: whatOf(event, choice) });
  const why = [event["reason"], event["note"]].filter((text) => typeof text === "string" && text !== "").map((text) => `“${String(text)}”`);
  const clause = typeof event["clause"] === "string" && event["clause"] !== "" ? [say(words().byClause, { n: event["clause"] })] : [];
  return [head, ...why, ...clause].join(" ");
}
