// Which page is open: a path of the address, read and written here only.

import type { HousePage } from "../api/schema";

export type Route =
  | { page: "lobby" }
  | { page: "login" }
  | { page: "watch" }
  | { page: "join" }
  | { page: "enter" }
  | { page: "table"; table: string }
  | { page: "dealer"; table: string }
  | { page: "round"; table: string; round: number }
  | { page: "account" }
  | { page: "rules"; digest: string | null }
  | { page: "board"; table: string }
  | { page: "shoe"; table: string; shoe: number }
  | { page: HousePage | "odds"; parts: readonly string[] }
  | { page: "lost" };

/** Pages with addresses of their own below them, which each reads itself: /pit/cases/t12. */
const WITH_PARTS: readonly string[] = ["pit", "cage", "office", "reports", "audit", "odds"] satisfies readonly (HousePage | "odds")[];
const NUMBER = /^[1-9]\d{0,9}$/;

export function readRoute(path: string): Route {
  const [first = "", second, third, fourth, ...rest] = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (WITH_PARTS.includes(first)) return { page: first as HousePage | "odds", parts: [second, third, fourth, ...rest].filter((part) => part !== undefined) };
  if (first === "tables" && third === "rounds" && NUMBER.test(fourth ?? "") && !rest.length) return { page: "round", table: second!, round: Number(fourth) };
  if (first === "rounds" && second !== undefined && NUMBER.test(third ?? "") && fourth === undefined) return { page: "round", table: second, round: Number(third) };
  if (first === "shoes" && second !== undefined && NUMBER.test(third ?? "") && fourth === undefined) return { page: "shoe", table: second, shoe: Number(third) };
  if (first === "board" && third === undefined) return { page: "board", table: second ?? "" }; // without a table: kept by hand
  if (fourth !== undefined) return { page: "lost" };
  if (first === "") return { page: "lobby" };
  if (first === "login" && second === undefined) return { page: "login" };
  if (first === "watch" && second === undefined) return { page: "watch" };
  if (first === "join" && second === undefined) return { page: "join" };
  if (first === "enter" && second === undefined) return { page: "enter" };
  if (first === "account" && second === undefined) return { page: "account" };
  if (first === "rules" && third === undefined) return { page: "rules", digest: second ?? null };
  if (first === "tables" && second !== undefined) {
    if (third === undefined) return { page: "table", table: second };
    if (third === "dealer") return { page: "dealer", table: second };
  }
  return { page: "lost" };
}

export const address = $state<{ route: Route; path: string }>({ route: { page: "lobby" }, path: "/" });

export function startRouter(): void {
  const read = () => {
    address.path = location.pathname;
    address.route = readRoute(location.pathname);
  };
  read();
  addEventListener("popstate", read);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented || link.origin !== location.origin) return;
    if (link.target || link.hasAttribute("download") || link.pathname.startsWith("/api/")) return;
    if (link.hash && link.pathname === location.pathname) return; // a place on this page: the browser goes there
    event.preventDefault();
    go(link.pathname + link.hash);
  });
}

/** Open another page; `still` where it is the same page and the reader stays where they are on it. */
export function go(path: string, { replace = false, still = false } = {}): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  address.path = location.pathname;
  address.route = readRoute(location.pathname);
  if (!still) scrollTo(0, 0);
}
