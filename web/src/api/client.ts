// HTTP under /api/v1. A refusal is an error with the server's own sentence; a lost connection is another.

import type { HealthAnswer, RefusalText } from "./schema";

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly refusal: RefusalText,
  ) {
    super(refusal.sentence);
  }
}

export class Unreachable extends Error {}

let csrf: string | null = null;
let wordsOfRefusals: () => Promise<void> = () => Promise.resolve();

/** How the words of refusals are fetched, where the page does not speak the server's English: they are there when a refusal is. */
export function useWordsOfRefusals(fetching: () => Promise<void>): void {
  wordsOfRefusals = fetching;
}

/** The token that a browser sends with whatever it changes; the server gives it with the session. */
export function useCsrf(token: string | null): void {
  csrf = token;
}

/** Somebody else than whoever is logged in at this page, by a token of their own; null before they have one. */
export interface Other {
  token: string | null;
}

export async function ask<T>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown, other?: Other): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (other?.token) headers["Authorization"] = `Bearer ${other.token}`;
  else if (!other && method !== "GET" && csrf !== null) headers["X-CSRF-Token"] = csrf;
  let answer: Response;
  try {
    answer = await fetch(`/api/v1${path}`, {
      method,
      headers,
      // Without credentials a browser neither sends the cookie nor takes a new one.
      credentials: other ? "omit" : "same-origin",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Unreachable(path);
  }
  if (answer.status === 204) return undefined as T;
  const told: unknown = await answer.json().catch(() => null);
  if (answer.ok) return told as T;
  await wordsOfRefusals();
  throw new Refused(answer.status, refusalIn(told) ?? unreadable(answer.status));
}

/** The text of a file that lies beside the pages. */
export async function fileText(path: string): Promise<string> {
  const answer = await fetch(path).catch(() => null);
  if (!answer?.ok) throw new Unreachable(path);
  return answer.text();
}

/** A file that the server makes, under /api/v1. */
export async function askFile(path: string): Promise<Blob> {
  let answer: Response;
  try {
    answer = await fetch(`/api/v1${path}`, { credentials: "same-origin" });
  } catch {
    throw new Unreachable(path);
  }
  if (answer.ok) return answer.blob();
  await wordsOfRefusals();
  throw new Refused(answer.status, refusalIn(await answer.json().catch(() => null)) ?? unreadable(answer.status));
}

/** Which software the server is; it says so to anybody, outside the prefix. */
export async function health(): Promise<HealthAnswer> {
  const answer = await fetch("/health");
  return (await answer.json()) as HealthAnswer;
}

function refusalIn(told: unknown): RefusalText | null {
  const refusal = (told as { refusal?: RefusalText } | null)?.refusal;
  return refusal && typeof refusal.sentence === "string" ? refusal : null;
}

function unreadable(status: number): RefusalText {
  return { reason: "unreadable-answer", params: {}, sentence: `the server answered ${status}`, clause: null };
}
