// The book that a page is about, for what links to its clauses.

import { getContext, setContext } from "svelte";

interface BookInHand {
  digest: () => string | null;
  /** Clauses open in another tab: whoever plays does not leave the table for them. */
  isApart: boolean;
}

const KEY = Symbol("the book of this page");

/** Say which book everything below is about, by its digest. */
export function holdBook(digest: () => string | null, isApart = false): void {
  setContext<BookInHand>(KEY, { digest, isApart });
}

export function bookInHand(): BookInHand {
  return getContext<BookInHand | undefined>(KEY) ?? { digest: () => null, isApart: false };
}
