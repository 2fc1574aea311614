// Who is logged in. A reloaded page asks the server; a session that ended sends people to the log-in and back again.

import { ask, Refused, useCsrf } from "../api/client";
import { LADDER, PIT } from "../api/roles";
import type { Role, SessionAnswer } from "../api/schema";
import { address, go } from "./router.svelte";

export type Session = Pick<SessionAnswer, "account" | "roles" | "csrf" | "expires" | "last" | "must_enrol" | "pages">;

interface Login {
  /** Undefined until the server has been asked. */
  session: Session | null | undefined;
  /** The session ended while a page was open. */
  hasExpired: boolean;
  /** The password was changed, which ended the session. */
  hasChanged: boolean;
  /** Where to go after the log-in. */
  wanted: string;
}

export const login = $state<Login>({ session: undefined, hasExpired: false, hasChanged: false, wanted: "/" });

function keep(session: Session | null): void {
  login.session = session;
  useCsrf(session?.csrf ?? null);
}

export async function restore(): Promise<void> {
  try {
    keep(await ask<Session>("GET", "/sessions/current"));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    keep(null);
  }
}

export async function logIn(name: string, password: string, code: string | null): Promise<void> {
  keep(await ask<Session>("POST", "/sessions", { name, password, ...(code ? { code } : {}) }));
  login.hasExpired = login.hasChanged = false;
  go(login.wanted === "/" ? home() : login.wanted, { replace: true });
}

/** Come in by a link that holds once. Its code leaves the address before anything else is done with it. */
export async function enter(): Promise<void> {
  const code = location.hash.slice(1);
  history.replaceState(null, "", "/enter");
  keep(await ask<Session>("POST", "/sessions/entry", { code }));
  login.hasExpired = login.hasChanged = false;
  go("/", { replace: true });
}

export async function logOut(): Promise<void> {
  await ask<undefined>("DELETE", "/sessions/current").catch(() => undefined);
  keep(null);
  login.hasExpired = false;
  login.wanted = "/";
  go("/login");
}

/** Where this person begins: at the tables, or where they work if that is somewhere else. */
function home(): string {
  const first = login.session?.pages?.[0];
  return first && !may("player") && !may("dealer") ? `/${first}` : "/";
}

/** The server no longer knows this session. */
export function expire(): void {
  if (!login.session) return;
  keep(null);
  login.hasExpired = true;
}

/** The password is another one now: every session has ended. */
export function replaced(): void {
  keep(null);
  login.hasChanged = true;
}

export function rememberPage(): void {
  if (!["login", "join", "enter"].includes(address.route.page)) login.wanted = address.path;
}

/** Whether this person is of the pit. */
export function isPit(): boolean {
  return PIT.some(may);
}

/** Whether this person may open the console of a dealer. */
export function isStaff(): boolean {
  return LADDER.some(may);
}

export function may(role: Role): boolean {
  return login.session?.roles.includes(role) ?? false;
}
