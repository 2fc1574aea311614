// What a table shows to somebody who plays there, and to nobody else. It is fetched when a seat is taken or a bet is placed:
// whoever only looks at a table takes nothing of it along.

export { default as RealityCheck } from "../protection/RealityCheck.svelte";
export { default as Decisions } from "./Decisions.svelte";
export { default as Results } from "./Results.svelte";
export { default as Squeeze } from "./Squeeze.svelte";
export { default as SqueezeWish } from "./SqueezeWish.svelte";
