// Who is logged in. A reloaded page asks the server; a session that ended sends people to the log-in and back again.

import { ask, Refused, useCsrf } from "../api/client";
import { LADDER, PIT } from "../api/roles";
import type { Role, SessionAnswer } from "../api/schema";
import { house } from "./house.svelte";
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

/** Where to go after the log-in is kept with the tab, so that a page that is loaded again at the log-in still knows it. */
const WANTED = "punto.wanted";
/** Pages that open without a log-in where the house lets people watch; of a book the one that a table is played by. */
const FOR_GUESTS: readonly string[] = ["watch", "table", "round", "shoe", "rules"];

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
  want("/");
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
  if (!["login", "join", "enter"].includes(address.route.page)) want(address.route.page === "watch" ? "/" : address.path);
  else if (login.wanted === "/") login.wanted = kept();
}

function want(path: string): void {
  login.wanted = path;
  try {
    sessionStorage.setItem(WANTED, path);
  } catch {
    // A browser that keeps nothing knows it until the page is loaded again.
  }
}

function kept(): string {
  try {
    return sessionStorage.getItem(WANTED) ?? "/";
  } catch {
    return "/";
  }
}

/** Whether the house lets people watch without an account. */
export function mayWatch(): boolean {
  return typeof house.told?.watch_delay_seconds === "number";
}

/** Whether the page that is open is seen by somebody without an account, in the form for such people. Whoever was logged
 *  in a moment ago is asked to log in again, and not shown something else. */
export function isGuest(): boolean {
  const { route } = address;
  const isForThem = FOR_GUESTS.includes(route.page) && !(route.page === "rules" && route.digest === null);
  return login.session === null && !login.hasExpired && !login.hasChanged && isForThem && mayWatch();
}

/** Where the tables are listed, for whoever is here. */
export function lobby(): string {
  return isGuest() ? "/watch" : "/";
}

/** What is asked of the server about a book. */
export function bookAddress(digest: string): string {
  return `${isGuest() ? "/watch" : ""}/books/${digest}`;
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
