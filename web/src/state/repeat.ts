// Looking again and again: less often while the page is hidden, and at once when it is back.

const HIDDEN_EVERY_MS = 10_000;

type Page = Pick<Document, "hidden" | "addEventListener" | "removeEventListener">;

/** Does it now and then `every` so many milliseconds after it is done; the function that comes back ends it. */
export function repeat(act: () => Promise<void>, every: number, page: Page = document): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turns = 0;
  async function turn() {
    const own = ++turns;
    clearTimeout(timer);
    await act();
    // Another turn has begun meanwhile, or it is over: this one is the last of its line.
    if (own === turns) timer = setTimeout(turn, page.hidden ? Math.max(every, HIDDEN_EVERY_MS) : every);
  }
  const back = () => {
    if (!page.hidden) void turn();
  };
  page.addEventListener("visibilitychange", back);
  void turn();
  return () => {
    turns = -1;
    clearTimeout(timer);
    page.removeEventListener("visibilitychange", back);
  };
}
