import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { repeat } from "./repeat";

class Page extends EventTarget {
  hidden = false;
  show(isHidden: boolean) {
    this.hidden = isHidden;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("looking again and again", () => {
  it("is gentle while the page is hidden, and at once when it is back", async () => {
    const page = new Page();
    let looks = 0;
    const end = repeat(async () => void looks++, 1000, page as unknown as Document);
    await vi.advanceTimersByTimeAsync(5500);
    expect(looks).toBe(6);
    page.show(true);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(looks).toBe(6 + 3);
    page.show(false);
    expect(looks).toBe(10);
    await vi.advanceTimersByTimeAsync(2000);
    expect(looks).toBe(12);
    end();
    page.show(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(12);
  });

  it("never runs in two lines, also where an answer is slow", async () => {
    const page = new Page();
    let looks = 0;
    const end = repeat(async () => {
      looks++;
      await new Promise((done) => setTimeout(done, 400));
    }, 1000, page as unknown as Document);
    page.show(false);
    page.show(false);
    expect(looks).toBe(3);
    await vi.advanceTimersByTimeAsync(1400 * 3);
    expect(looks).toBe(6);
    end();
  });
});
