// The roads of a shoe that has not begun.

import type { AnswerView, RoadView } from "./schema";

const first = (winner: "banker" | "player"): AnswerView => ({
  big: { column: 0, row: 0, winner, ties: 0, banker_pair: false, player_pair: false },
  big_eye: null,
  small: null,
  cockroach: null,
});

export const NO_ROADS: RoadView = {
  shoe: 0,
  results: "",
  bead: [],
  big: [],
  big_eye: [],
  small: [],
  cockroach: [],
  patterns: [],
  ask: { banker: first("banker"), player: first("player") },
  counts: { rounds: 0, player: 0, banker: 0, tie: 0, player_pair: 0, banker_pair: 0, naturals: 0 },
};
