// What the lobby shows to the pit; fetched only for those who are of it.

export { default as Disputes } from "./Disputes.svelte";
export { default as PitCalls } from "./PitCalls.svelte";
export { default as PitMark } from "./PitMark.svelte";
