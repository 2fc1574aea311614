// Somebody who signs in beside the dealer for one act. Their session is a token that only this object holds: the cookie,
// and with it whoever is logged in at this page, stays as it is.

import { ask } from "./client";
import { freshKey, type Command } from "./command";
import { pitRole } from "./roles";
import type { LegalView, Role, TableView } from "./schema";

export interface TableNow {
  version: number;
  view: TableView;
  legal: readonly LegalView[];
}

export class Beside {
  private constructor(
    readonly name: string,
    /** The highest role of the pit that this person holds; null where there is none. */
    readonly role: Role | null,
    readonly token: string,
  ) {}

  static async signIn(name: string, password: string, code: string | null = null): Promise<Beside> {
    const { account, roles, token } = await ask<{ account: string; roles: Role[]; token: string }>("POST", "/sessions", { name, password, ...(code ? { code } : {}) }, { token: null });
    return new Beside(account, pitRole(roles), token);
  }

  /** The table as this person sees it, with what they may do. */
  look(table: string): Promise<TableNow> {
    return ask<TableNow>("GET", `/tables/${table}?role=${this.role ?? ""}`, undefined, this);
  }

  act(table: string, command: Command, expected: number): Promise<unknown> {
    return ask("POST", `/tables/${table}/commands`, { key: freshKey(), role: this.role, expected, command }, this);
  }

  async signOut(): Promise<void> {
    await ask("DELETE", "/sessions/current", undefined, this).catch(() => undefined);
  }
}
