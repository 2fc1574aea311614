import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { TableView } from "../api/schema";
import { prefer } from "./preferences.svelte";
import { listenForTouch, play, soundOfEvent, soundsBetween, ticksBefore } from "./sounds";

const table = (phase: string, stake = 0, net: number | null = null, round = 1): TableView =>
  ({
    phase,
    round,
    void: false,
    areas: [],
    seats: [{ box: 1, bets: stake ? [{ mine: true, area: "banker", stake }] : [] }],
    result: net === null ? null : { settled: true, net },
  }) as unknown as TableView;

describe("what is heard", () => {
  it("is a card that comes or is turned, and nothing of other events", () => {
    expect(["card-dealt", "card-revealed", "bet-placed", "squeeze-asked"].map((type) => soundOfEvent({ type }))).toEqual(["card", "card", null, null]);
  });

  it("is a chip of one's own, the close and a win, each once", () => {
    expect(soundsBetween(table("betting"), table("betting", 100))).toEqual(["chip"]);
    expect(soundsBetween(table("betting", 100), table("betting", 100))).toEqual([]);
    expect(soundsBetween(table("betting", 200), table("betting", 100))).toEqual([]);
    expect(soundsBetween(table("betting", 100), table("dealing", 100))).toEqual(["close"]);
    expect(soundsBetween(table("dealing", 100), table("settled", 100, 95))).toEqual(["win"]);
    expect(soundsBetween(table("settled", 100, 95), table("settled", 100, 95))).toEqual([]);
    expect(soundsBetween(table("dealing", 100), table("settled", 100, -100))).toEqual([]);
  });

  it("is nothing of what happened before somebody came in", () => {
    expect(soundsBetween(null, table("settled", 100, 95))).toEqual([]);
  });

  it("is each of the last five seconds that has not begun", () => {
    expect(ticksBefore(10_000, 2_000).map(({ second, ms }) => [second, ms])).toEqual([[5, 3000], [4, 4000], [3, 5000], [2, 6000], [1, 7000]]);
    expect(ticksBefore(10_000, 7_500).map(({ second }) => second)).toEqual([2, 1]);
    expect(ticksBefore(10_000, 11_000)).toEqual([]);
  });
});

describe("playing", () => {
  const started: string[] = [];
  const listeners = new Map<string, () => void>();
  const shaken: unknown[] = [];
  const page = { hidden: false, addEventListener: (name: string, what: () => void) => listeners.set(name, what), removeEventListener: vi.fn() };
  let clock = 0;

  class Param {
    setValueAtTime() {}
    exponentialRampToValueAtTime() {}
  }
  class Part {
    gain = new Param();
    frequency = new Param();
    connect = (next: unknown) => next;
    start = () => started.push("stroke");
    stop() {}
  }
  class Audio {
    state = "running";
    currentTime = 0;
    sampleRate = 400;
    destination = {};
    createGain = () => new Part();
    createBuffer = () => ({ getChannelData: () => new Float32Array(100) });
    suspend = () => Promise.resolve();
    resume = () => Promise.resolve();
  }

  beforeEach(() => {
    started.length = shaken.length = 0;
    page.hidden = false;
    vi.stubGlobal("AudioContext", Audio);
    vi.stubGlobal("OscillatorNode", Part);
    vi.stubGlobal("BiquadFilterNode", Part);
    vi.stubGlobal("AudioBufferSourceNode", Part);
    vi.stubGlobal("document", page);
    vi.stubGlobal("addEventListener", (name: string, what: () => void) => listeners.set(name, what));
    vi.stubGlobal("removeEventListener", vi.fn());
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    vi.stubGlobal("navigator", { userActivation: { hasBeenActive: true }, vibrate: (pattern: unknown) => shaken.push(pattern) });
    vi.stubGlobal("performance", { now: () => (clock += 1000) });
    prefer({ sound: true });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("is silent until the page was touched, while it is hidden, and while it is switched off", () => {
    const end = listenForTouch();
    play("chip");
    expect(started).toEqual([]);
    listeners.get("pointerdown")!();
    play("chip");
    expect(started.length).toBeGreaterThan(0);
    expect(shaken).toEqual([[8], [8]]);
    started.length = shaken.length = 0;
    page.hidden = true;
    play("win");
    page.hidden = false;
    prefer({ sound: false });
    play("win");
    expect([started, shaken]).toEqual([[], []]);
    prefer({ sound: true });
    play("win");
    expect(started.length).toBe(4);
    end();
  });
});
