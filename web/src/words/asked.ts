// What somebody has asked for and a second person decides, in a line: whoever agrees must know whom it is for, what moves
// and why. Of another table than one's own the server tells no more than the kind.

import type { Approval } from "../api/schema";
import { consoleWords } from "./console";
import { language } from "./language.svelte";
import { money, signedMoney } from "./numbers";

const isThere = (part: unknown) => part !== undefined && part !== null && part !== "";

export function askedOf({ command }: Pick<Approval, "command">): string {
  const { type, kind, account, player, area, hand, table, amount, chips, reason } = command;
  const name = consoleWords().commands[String(type)] ?? String(type);
  const slip = isThere(kind) ? (consoleWords().slips[String(kind)] ?? String(kind)) : "";
  const pieces = Array.isArray(chips) ? (chips as { value: number; count: number }[]).reduce((sum, one) => sum + one.value * one.count, 0) : null;
  // Chips that are staked or counted have no sign; a correction gives or takes.
  const sum = typeof amount === "number" ? (type === "correct-account" ? signedMoney : money)(amount, language.code) : pieces === null ? "" : money(pieces, language.code);
  const parts = [name, table, slip, account, player, area ?? hand, sum, isThere(reason) ? `“${String(reason)}”` : ""];
  return parts.filter(isThere).map(String).join(" · ");
}
