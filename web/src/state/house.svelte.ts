// What everybody may know of the house, asked for once when the pages open: who runs it, and whether it is for play money.

import { ask } from "../api/client";
import type { HouseAnswer } from "../api/schema";

export const house = $state<{ told: HouseAnswer | null }>({ told: null });

export async function learnHouse(): Promise<void> {
  house.told = await ask<HouseAnswer>("GET", "/house").catch(() => house.told);
}
