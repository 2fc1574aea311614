// A board and its stream. A screen has a key of its own and nobody who could log in again: whatever happens, it tries again
// by itself, and holds no more after a week than after a minute.

import { ask, health } from "../api/client";
import type { BoardAnswer, BoardSettings, Role } from "../api/schema";
import { Stream } from "../api/stream";
import { repeat } from "../state/repeat";
import { START, update, type TableState } from "../state/table";

export const USUAL: BoardSettings = { on: true, language: null, roads: ["big", "bead", "bigEye", "small", "cockroach"], mirrored: false, code: true, address: "" };
const AGAIN_MS = 15_000;
const LOOK_MS = 10_000;

const kept = (table: string) => `punto.board.${table}`;

/** The key of this screen: from the link that it was opened by, which is not left in the address, or as it was kept. */
export function keyOf(table: string): string | null {
  const told = location.hash.slice(1);
  try {
    if (told) {
      localStorage.setItem(kept(table), told);
      history.replaceState(null, "", location.pathname);
    }
    return localStorage.getItem(kept(table));
  } catch {
    return told || null; // a browser that keeps nothing has the key in its address
  }
}

export class BoardLink {
  state = $state.raw<TableState>(START);
  settings = $state.raw<BoardSettings>(USUAL);
  /** Whether the settings are known: a board that is switched off does not light up first. */
  isKnown = $state(false);
  private stream: Stream | null = null;
  /** The version of the server as it was first met. */
  private version = "";
  private again: ReturnType<typeof setTimeout> | undefined;
  private readonly endLooking: (() => void) | null;

  constructor(
    private readonly table: string,
    private readonly key: string | null,
    private readonly role: Role | null,
    /** Somebody without an account looks at it: later, and as a board is that nobody has changed. */
    private readonly isGuest = false,
  ) {
    this.isKnown = isGuest;
    this.connect();
    this.endLooking = key === null && !isGuest ? repeat(() => this.look(), LOOK_MS) : null;
  }

  end(): void {
    clearTimeout(this.again);
    this.endLooking?.();
    this.stream?.end();
  }

  private connect(): void {
    const { key } = this;
    this.stream = new Stream(
      this.table,
      this.role,
      {
        onOpen: () => {
          this.state = update(this.state, { type: "opened" });
          void this.reloadIfNewer();
        },
        onFrame: (frame) => {
          if (frame.type === "board") this.show(frame.settings);
          else this.state = update(this.state, { type: "frame", frame, now: Date.now() });
        },
        onLost: () => (this.state = update(this.state, { type: "lost" })),
        onEnded: (why) => {
          this.state = { ...update(this.state, { type: "ended", why }), view: null };
          this.again = setTimeout(() => this.connect(), AGAIN_MS);
        },
      },
      this.isGuest ? null : key === null ? undefined : () => Promise.resolve(key),
    );
  }

  /** For whoever looks at a board with a session: what it shows is asked for, where a screen is told. */
  private async look(): Promise<void> {
    const board = await ask<BoardAnswer>("GET", `/tables/${this.table}/board`).catch(() => null);
    if (board) this.show(board.settings);
  }

  private show(settings: BoardSettings): void {
    this.settings = settings;
    this.isKnown = true;
  }

  /** A server that came back as another version brings other pages. */
  private async reloadIfNewer(): Promise<void> {
    const { version } = await health().catch(() => ({ version: "" }));
    if (this.version && version && version !== this.version) location.reload();
    this.version = version || this.version;
  }
}
