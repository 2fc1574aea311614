// A table page and its stream: what is heard goes through `update`, what is done goes out as a command.

import { ask, Refused, Unreachable } from "../api/client";
import { bodyOf, freshKey, type Command } from "../api/command";
import type { AnswerFrame, ApprovalFrame, CommandFrame, EventFrame, FoldFrame } from "../api/frames";
import type { Approval, Role, TableView } from "../api/schema";
import { Stream, type Listener } from "../api/stream";
import { fetchRefusals } from "../words/refusals";
import { expire } from "./session.svelte";
import { START, turnedCards, update, type Input, type TableState } from "./table";

let counter = 0;

export interface Giving {
  /** Binds the command to a version, as dealing commands must be: true is the one that is on the screen. */
  expected?: boolean | number;
  /** Under the same key a command is done once, and answered the same each time that it is sent. */
  key?: string;
  /** The act of the viewer that this command is part of, where it has several; `isUndo` takes its share of it back. */
  act?: string;
  isUndo?: boolean;
  /** Called with the answer. */
  onanswer?: (answer: AnswerFrame) => void;
  /** Called where the connection is lost before the answer: it may be done, or not. */
  onlost?: () => void;
}

/** Somebody who hears everything as it comes: a page that is drawn again may skip what came in between. */
export interface Follower {
  onevent: (event: EventFrame["event"], view: TableView) => void;
  onview: (before: TableView | null, view: TableView) => void;
}

export class TableLink {
  state = $state.raw<TableState>(START);
  private readonly stream: Stream;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nobody looks at it
  private readonly asked = new Map<string, Pick<Giving, "onanswer" | "onlost">>();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nobody looks at it
  private readonly followers = new Set<Follower>();

  constructor(
    table: string,
    /** Null for somebody without an account, who watches and gives no commands. */
    private readonly role: Role | null,
  ) {
    const listener: Listener = {
      onOpen: () => {
        this.take({ type: "opened" });
        void this.lookAtApproval();
      },
      onFrame: (frame) => {
        this.take({ type: "frame", frame, now: Date.now() });
        if (frame.type === "answer") this.answer(frame);
      },
      onLost: () => {
        const lost = [...this.asked.values()];
        this.asked.clear();
        this.take({ type: "lost" });
        for (const { onlost } of lost) onlost?.();
      },
      onEnded: (why) => {
        this.take({ type: "ended", why });
        if (why === "session") expire();
      },
    };
    this.stream = role === null ? new Stream(table, null, listener, null) : new Stream(table, role, listener);
  }

  /** Give a command; whether it went out. */
  act(command: Command, { expected = false, key = freshKey(), act, isUndo = false, ...asked }: Giving = {}): boolean {
    if (this.role === null) return false;
    void fetchRefusals();
    const id = `c${++counter}`;
    const frame: CommandFrame = { type: "command", id, key, role: this.role, command: bodyOf(command) };
    this.take({ type: "sent", id, command, act: act ?? id, isUndo });
    const version = expected === true ? this.state.view?.seq : expected === false ? undefined : expected;
    this.asked.set(id, asked);
    const isOut = this.stream.send(version !== undefined ? { ...frame, expected: version } : frame);
    if (!isOut) {
      this.asked.delete(id);
      this.take({ type: "unsent", id });
    }
    return isOut;
  }

  /** Let the others see how a card is bent. Nobody answers, and nobody is told where it did not go out. */
  fold(bent: Omit<FoldFrame, "type">): void {
    this.stream.send({ type: "fold", ...bent });
  }

  /** Let somebody hear every event and view from now on; what comes back ends it. */
  follow(follower: Follower): () => void {
    this.followers.add(follower);
    if (this.state.view) follower.onview(null, this.state.view);
    return () => this.followers.delete(follower);
  }

  /** The viewer has read the last notice. */
  read(): void {
    this.take({ type: "read" });
  }

  end(): void {
    this.stream.end();
  }

  private answer(frame: AnswerFrame): void {
    const asked = this.asked.get(frame.id);
    this.asked.delete(frame.id);
    asked?.onanswer?.(frame);
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
    const before = this.state.view;
    this.state = update(this.state, input);
    const { view } = this.state;
    if (!view) return;
    const turned = input.type === "frame" && input.frame.type === "changes" ? turnedCards(before, view) : [];
    for (const follower of this.followers) {
      for (const event of turned) follower.onevent(event, view);
      if (input.type === "frame" && input.frame.type === "event") follower.onevent(input.frame.event, view);
      if (view !== before) follower.onview(before, view);
    }
  }
}
