// The viewer's session of play: how long, what it came to, and what protects the viewer. The server counts; the page only
// lets the minutes go on between two answers.

import { ask } from "../api/client";
import type { PlayerPlay } from "../api/schema";

export const play = $state<{ told: PlayerPlay | null; at: number }>({ told: null, at: 0 });

export function keepPlay(told: PlayerPlay): void {
  play.told = told;
  play.at = performance.now();
}

export async function lookAtPlay(): Promise<void> {
  try {
    keepPlay(await ask<PlayerPlay>("GET", "/accounts/me/play"));
  } catch {
    // What is known stays; the stream says whether there is a connection.
  }
}

/** Minutes since the session of play began, at a moment of this page's clock. */
export function minutesOf(told: PlayerPlay, at: number, now: number): number {
  return told.began_ms === null ? 0 : told.minutes + Math.max(0, Math.floor((now - at) / 60_000));
}
