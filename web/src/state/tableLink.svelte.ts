// A table page and its stream: what is heard goes through `update`, what is done goes out as a command.

import { ask, Refused, Unreachable } from "../api/client";
import { bodyOf, freshKey, type Command } from "../api/command";
import type { ApprovalFrame, CommandFrame } from "../api/frames";
import type { Approval, Role } from "../api/schema";
import { Stream } from "../api/stream";
import { expire } from "./session.svelte";
import { START, update, type Input, type TableState } from "./table";

let counter = 0;

export class TableLink {
  state = $state.raw<TableState>(START);
  private readonly stream: Stream;

  constructor(
    table: string,
    private readonly role: Role,
  ) {
    this.stream = new Stream(table, role, {
      onOpen: () => {
        this.take({ type: "opened" });
        void this.lookAtApproval();
      },
      onFrame: (frame) => this.take({ type: "frame", frame, now: Date.now() }),
      onLost: () => this.take({ type: "lost" }),
      onEnded: (why) => {
        this.take({ type: "ended", why });
        if (why === "session") expire();
      },
    });
  }

  /** Give a command; `expected` binds it to the version that is on the screen, as dealing commands must be. */
  act(command: Command, { expected = false } = {}): void {
    const id = `c${++counter}`;
    const frame: CommandFrame = { type: "command", id, key: freshKey(), role: this.role, command: bodyOf(command) };
    this.take({ type: "sent", id, command });
    const version = this.state.view?.seq;
    const isOut = this.stream.send(expected && version !== undefined ? { ...frame, expected: version } : frame);
    if (!isOut) this.take({ type: "unsent", id });
  }

  /** The viewer has read the last notice. */
  read(): void {
    this.take({ type: "read" });
  }

  end(): void {
    this.stream.end();
  }

  /** What was decided while the connection was lost. */
  private async lookAtApproval(): Promise<void> {
    const waiting = this.state.approval;
    if (!waiting || waiting.decision) return;
    try {
      const { approval, needs, expires, decision, refusal } = await ask<Approval>("GET", `/approvals/${waiting.id}`);
      const frame: ApprovalFrame = { type: "approval", approval, needs, expires, decision: decision ?? null, refusal: refusal ?? null };
      this.take({ type: "frame", now: Date.now(), frame });
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
    }
  }

  private take(input: Input): void {
    this.state = update(this.state, input);
  }
}
