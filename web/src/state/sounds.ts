// What is heard and felt at a table: cards, chips, the last seconds, the close, a win. Made here from tones and noise; no file
// is loaded. One switch is for both, kept with the other preferences. A browser plays nothing before somebody has touched the
// page, and a page that is hidden is silent. Motion is another matter: whoever wants none still hears.

import type { EventFrame } from "../api/frames";
import type { TableView } from "../api/schema";
import { preferences } from "./preferences.svelte";
import { betsOf } from "./table";

export type Sound = "card" | "chip" | "tick" | "close" | "win" | "call";

/** What an event sounds like. */
export function soundOfEvent({ type }: EventFrame["event"]): Sound | null {
  return type === "card-dealt" || type === "card-revealed" ? "card" : null;
}

/** What the change from one view to the next sounds like. */
export function soundsBetween(before: TableView | null, after: TableView): Sound[] {
  if (before === null) return []; // whoever comes in has missed it
  const sounds: Sound[] = [];
  const staked = (view: TableView) => (view.phase === "betting" ? betsOf(view).reduce((sum, bet) => sum + bet.amount, 0) : 0);
  if (before.round === after.round && staked(after) > staked(before)) sounds.push("chip");
  if (before.phase === "betting" && after.phase !== "betting" && !after.void) sounds.push("close");
  if (after.result?.settled && !before.result?.settled && after.result.net > 0) sounds.push("win");
  return sounds;
}

export const LAST_SECONDS = 5;

/** How long until each of the last seconds of a clock begins; those that have begun are over. */
export function ticksBefore(endsAt: number, now: number): { second: number; ms: number }[] {
  const seconds = Array.from({ length: LAST_SECONDS }, (_, i) => LAST_SECONDS - i);
  return seconds.map((second) => ({ second, ms: endsAt - second * 1000 - now })).filter(({ ms }) => ms > 0);
}

/** One stroke of a sound, in seconds and hertz. Noise is heard through a narrow band that moves from one pitch to the other. */
interface Stroke {
  at: number;
  length: number;
  from: number;
  to: number;
  level: number;
  wave: OscillatorType | "noise";
}

const tone = (at: number, length: number, from: number, level: number, wave: Stroke["wave"] = "sine", to = from): Stroke => ({ at, length, from, to, level, wave });

const STROKES: Record<Sound, Stroke[]> = {
  card: [tone(0, 0.1, 3600, 0.5, "noise", 1200), tone(0.085, 0.035, 500, 0.5, "noise", 260)],
  chip: [tone(0, 0.05, 3150, 0.09, "triangle", 2900), tone(0, 0.02, 5200, 0.3, "noise"), tone(0.055, 0.045, 3500, 0.05, "triangle", 3300)],
  tick: [tone(0, 0.05, 1250, 0.09, "sine")],
  close: [tone(0, 0.18, 660, 0.13, "sine"), tone(0.15, 0.34, 440, 0.13, "sine")],
  call: [tone(0, 0.16, 880, 0.12, "sine"), tone(0.2, 0.16, 880, 0.12, "sine"), tone(0.4, 0.3, 1174.66, 0.12, "sine")],
  win: [523.25, 659.25, 783.99, 1046.5].map((pitch, i) => tone(i * 0.09, 0.32, pitch, 0.09, "triangle")),
};

/** Milliseconds on and off, for machines that can be felt. */
const FELT: Record<Sound, number[]> = { card: [12], chip: [8], tick: [10], close: [30, 50, 30], call: [40, 60, 40, 60, 40], win: [20, 40, 20, 40, 60] };
const APART_MS = 40;

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;
const last = new Map<Sound, number>();

/** Be ready from the first touch on; what comes back ends it. */
export function listenForTouch(): () => void {
  const wake = () => {
    if (!preferences.sound || typeof AudioContext === "undefined") return;
    context ??= new AudioContext();
    if (context.state === "suspended" && !document.hidden) void context.resume();
  };
  const look = () => {
    if (context) void (document.hidden ? context.suspend() : context.resume());
  };
  addEventListener("pointerdown", wake);
  addEventListener("keydown", wake);
  document.addEventListener("visibilitychange", look);
  return () => {
    removeEventListener("pointerdown", wake);
    removeEventListener("keydown", wake);
    document.removeEventListener("visibilitychange", look);
  };
}

export function play(sound: Sound): void {
  const now = performance.now();
  if (!preferences.sound || document.hidden || now - (last.get(sound) ?? -Infinity) < APART_MS) return;
  last.set(sound, now);
  // A browser complains of a page that shakes before it was touched.
  if (navigator.userActivation?.hasBeenActive && matchMedia("(pointer: coarse)").matches) navigator.vibrate?.(FELT[sound]);
  if (context?.state === "running") for (const stroke of STROKES[sound]) strike(context, stroke);
}

function strike(audio: AudioContext, { at, length, from, to, level, wave }: Stroke): void {
  const start = audio.currentTime + at;
  const end = start + length;
  const loudness = audio.createGain();
  loudness.gain.setValueAtTime(0.0001, start);
  loudness.gain.exponentialRampToValueAtTime(level, start + Math.min(0.008, length / 4));
  loudness.gain.exponentialRampToValueAtTime(0.0001, end);
  loudness.connect(audio.destination);
  if (wave === "noise") {
    const band = new BiquadFilterNode(audio, { type: "bandpass", Q: 1.2 });
    band.frequency.setValueAtTime(from, start);
    band.frequency.exponentialRampToValueAtTime(to, end);
    const source = new AudioBufferSourceNode(audio, { buffer: (noise ??= whiteNoise(audio)) });
    source.connect(band).connect(loudness);
    source.start(start);
    source.stop(end);
    return;
  }
  const voice = new OscillatorNode(audio, { type: wave });
  voice.frequency.setValueAtTime(from, start);
  voice.frequency.exponentialRampToValueAtTime(to, end);
  voice.connect(loudness);
  voice.start(start);
  voice.stop(end);
}

function whiteNoise(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate / 4, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
