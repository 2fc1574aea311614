// The results of a shoe that somebody types in: what each key does to them, and how they are kept on this machine. Which
// roads they make, the server says.

import type { TypedResult } from "../api/schema";

export type Typed = readonly TypedResult[];

/** As many as the server draws; no shoe has nearly as many. */
export const MOST = 500;
const WINNERS = { b: "banker", p: "player", t: "tie" } as const;
const MARKS = { 1: "banker_pair", 2: "player_pair", n: "natural" } as const;

export type Mark = (typeof MARKS)[keyof typeof MARKS];

export function won(typed: Typed, winner: TypedResult["winner"]): Typed {
  return typed.length >= MOST ? typed : [...typed, { winner, banker_pair: false, player_pair: false, natural: false }];
}

/** Put a mark on the last round, or take it off again. */
export function marked(typed: Typed, mark: Mark): Typed {
  const last = typed.at(-1);
  return last ? [...typed.slice(0, -1), { ...last, [mark]: !last[mark] }] : typed;
}

export function undone(typed: Typed): Typed {
  return typed.slice(0, -1);
}

/** The results after a key; the same ones where it does nothing. */
export function afterKey(typed: Typed, key: string): Typed {
  const small = key.toLowerCase();
  if (Object.hasOwn(WINNERS, small)) return won(typed, WINNERS[small as keyof typeof WINNERS]);
  if (Object.hasOwn(MARKS, small)) return marked(typed, MARKS[small as unknown as keyof typeof MARKS]);
  return key === "Backspace" ? undone(typed) : typed;
}

/** In letters, such as `BbnPT`: the winner, `b` and `p` for pairs, `n` for a natural. */
export function written(typed: Typed): string {
  return typed.map((one) => ({ banker: "B", player: "P", tie: "T" })[one.winner] + (one.banker_pair ? "b" : "") + (one.player_pair ? "p" : "") + (one.natural ? "n" : "")).join("");
}

export function read(text: string): Typed {
  return [...text.matchAll(/([BPT])(b?)(p?)(n?)/g)]
    .slice(0, MOST)
    .map(([, winner, b, p, n]) => ({ winner: WINNERS[winner!.toLowerCase() as keyof typeof WINNERS], banker_pair: !!b, player_pair: !!p, natural: !!n }));
}
