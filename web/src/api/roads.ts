// The roads of a shoe that has not begun.

import type { RoadView } from "./schema";

const NOTHING = { big_eye: null, small: null, cockroach: null };

export const NO_ROADS: RoadView = {
  shoe: 0,
  results: "",
  bead: [],
  big: [],
  big_eye: [],
  small: [],
  cockroach: [],
  ask: { banker: NOTHING, player: NOTHING },
  counts: { rounds: 0, player: 0, banker: 0, tie: 0, player_pair: 0, banker_pair: 0, naturals: 0 },
};
