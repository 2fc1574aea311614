// The stream of one table: a ticket, a hello, frames, and again after a loss. What it hears it passes on, nothing more.

import { ask, Refused } from "./client";
import type { ClientFrame, HelloFrame, ServerFrame } from "./frames";
import type { Role } from "./schema";

export type Ended = "session" | "role" | "table" | "frame";

export interface Listener {
  onOpen(): void;
  onFrame(frame: ServerFrame): void;
  /** The connection is lost, and is tried again. */
  onLost(): void;
  /** It will not come back by itself. */
  onEnded(why: Ended): void;
}

const CLOSES: Record<number, Ended> = { 4400: "frame", 4401: "session", 4403: "role", 4404: "table" };
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;

export class Stream {
  private socket: WebSocket | null = null;
  private last: number | null = null;
  private wait = FIRST_WAIT_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isOver = false;

  constructor(
    private readonly table: string,
    private readonly role: Role | null,
    private readonly listener: Listener,
    /** What opens it: a ticket of the session, which holds once; null for somebody without an account, who only listens. */
    private readonly draw: (() => Promise<string>) | null = async () => (await ask<{ ticket: string }>("POST", "/tickets")).ticket,
  ) {
    addEventListener("offline", this.drop);
    addEventListener("online", this.hurry);
    void this.connect();
  }

  /** Whether it went out; what did not is for the caller to take back. */
  send(frame: ClientFrame): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    removeEventListener("offline", this.drop);
    removeEventListener("online", this.hurry);
    this.socket?.close(1000);
  }

  private readonly drop = () => {
    // A machine that has lost its network may not notice for a minute; the browser knows at once.
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.lose();
  };

  private readonly hurry = () => {
    this.wait = FIRST_WAIT_MS;
    if (!this.socket) void this.connect();
  };

  private async connect(): Promise<void> {
    clearTimeout(this.timer);
    let ticket: string | null;
    try {
      ticket = this.draw && (await this.draw());
    } catch (error) {
      if (error instanceof Refused && error.status === 401) this.finish("session");
      else this.lose();
      return;
    }
    if (this.isOver || this.socket) return;
    const place = `${this.draw ? "" : "/watch"}/tables/${this.table}/stream`;
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/v1${place}`;
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => {
      if (ticket === null) return;
      const after = this.last === null ? {} : { after: this.last };
      const hello: HelloFrame = { type: "hello", ticket, ...(this.role && { role: this.role }), views: true, ...after };
      socket.send(JSON.stringify(hello));
    };
    let isGreeted = false;
    socket.onmessage = (message: MessageEvent<string>) => {
      if (this.socket !== socket) return;
      if (!isGreeted) {
        isGreeted = true;
        this.wait = FIRST_WAIT_MS;
        this.listener.onOpen();
      }
      const frame = JSON.parse(message.data) as ServerFrame;
      if ("seq" in frame) this.last = frame.seq;
      this.listener.onFrame(frame);
    };
    socket.onclose = (closed) => {
      if (this.socket !== socket) return;
      this.socket = null;
      const why = CLOSES[closed.code];
      if (why) this.finish(why);
      else this.lose();
    };
  }

  private lose(): void {
    if (this.isOver) return;
    this.listener.onLost();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  private finish(why: Ended): void {
    if (this.isOver) return;
    this.end();
    this.listener.onEnded(why);
  }
}
