// A command as the page passes it on. Its type is one that the server has; its fields are those that the server listed as
// legal, or that a form has filled in: the server reads them strictly, and says so where they are not what it takes.

import type { CommandBody } from "./frames";

export type CommandType = CommandBody["type"];
export type Command = { type: CommandType } & Record<string, unknown>;

/** What the server lists as legal, as a command to give. */
export function commandOf(listed: Record<string, unknown>): Command {
  return { ...listed, type: listed["type"] as CommandType };
}

/** A key that nobody has used: what is sent under it is done once. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Something that is asked for until an answer comes: while none has, the same is sent under the same key, and done once. */
export class Asking {
  private last: { said: string; key: string } | null = null;

  /** What is to be sent, and to where, with its key. */
  keyed<T extends object>(place: string, body: T): T & { key: string } {
    const said = JSON.stringify([place, body]);
    if (this.last?.said !== said) this.last = { said, key: freshKey() };
    return { ...body, key: this.last.key };
  }

  /** The server has answered, whatever it said. */
  answered(): void {
    this.last = null;
  }
}

/** The same as a frame has it. */
export function bodyOf(command: Command): CommandBody {
  return command as unknown as CommandBody;
}
