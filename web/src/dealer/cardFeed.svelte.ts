// The queue of named cards of a console, joined to its stream: keys in, commands out, answers back.

import { freshKey } from "../api/command";
import type { RefusedAct } from "../state/table";
import type { TableLink } from "../state/tableLink.svelte";
import * as cardQueue from "./cardQueue";
import { EMPTY, type CardQueue, type Look, type Sent } from "./cardQueue";

export class CardFeed {
  queue = $state.raw<CardQueue>(EMPTY);
  /** Whether the card that is on its way was sent over the connection of now. */
  private isOut = false;
  private round = -1;
  /** Whether the last key belonged to a card: Enter then ends the card, and presses no button. */
  private isEnding = false;

  constructor(private readonly link: TableLink) {}

  /** Whether this table has cards that a dealer names. */
  get isUsed(): boolean {
    const view = this.link.state.view;
    return !!view?.next && view.terms?.source === "entered";
  }

  get isIdle(): boolean {
    return cardQueue.firstWaiting(this.queue) === null && cardQueue.onItsWay(this.queue) === null;
  }

  private get look(): Look | null {
    const { view, link, pending, own, lostAt } = this.link.state;
    return view && { view, isLive: link === "live" && lostAt === null, isPending: pending.length > 0, own };
  }

  /** Whether a key was one of ours. */
  press(key: string): boolean {
    const look = this.look;
    if (look === null || !this.isUsed) return false;
    const isEnding = this.isEnding;
    this.isEnding = cardQueue.isCardKey(this.queue, key);
    if (this.isEnding) this.queue = cardQueue.type(this.queue, key, look);
    else if (key === "Enter" && (isEnding || this.queue.typed !== "")) this.queue = cardQueue.enter(this.queue);
    else if (key === "Backspace") this.queue = cardQueue.takeBack(this.queue, look);
    else if (key === "Escape") this.queue = cardQueue.leave(this.queue);
    else if (key.toLowerCase() === "r" && cardQueue.firstRefused(this.queue)) this.again(cardQueue.firstRefused(this.queue)!.id);
    else return false;
    return true;
  }

  /** The mouse or a finger was used: a key for Enter is no card's any more. */
  touch(): void {
    this.isEnding = false;
  }

  /** A card was pressed on the pad. */
  name(card: string): void {
    const look = this.look;
    if (look) this.queue = cardQueue.name(this.queue, card, look);
  }

  remove(id: number): void {
    this.queue = cardQueue.remove(this.queue, id);
  }

  again(id: number): void {
    this.queue = cardQueue.nameAgain(this.queue, id);
  }

  /** The dealer lets a queue that is held go on; whether there was one. */
  goOn(): boolean {
    const look = this.look;
    if (look === null || !cardQueue.canGoOn(this.queue, look.view)) return false;
    this.queue = cardQueue.goOn(this.queue, look);
    return true;
  }

  /** Whether a refusal is of a card in the queue, where it is shown. */
  owns(refused: RefusedAct | null): boolean {
    return refused !== null && this.queue.entries.some((one) => one.refusal === refused.refusal);
  }

  /** Send what can be sent, and again what was on its way when the connection was lost. */
  advance(): void {
    const look = this.look;
    if (look === null) return;
    if (look.view.round !== this.round) {
      this.round = look.view.round;
      this.queue = cardQueue.newRound(this.queue);
    }
    const lost = cardQueue.onItsWay(this.queue)?.sent;
    if (lost && !this.isOut && look.isLive) this.send(lost);
    const { queue, send } = cardQueue.advance(this.queue, look, freshKey);
    if (queue !== this.queue) this.queue = queue;
    if (send) this.send(send);
  }

  private send({ key, expected, command }: Sent): void {
    this.isOut = this.link.act(command, {
      key,
      expected,
      onanswer: (answer) => {
        this.isOut = false;
        this.queue = cardQueue.answered(this.queue, key, answer);
      },
      onlost: () => (this.isOut = false),
    });
  }
}
