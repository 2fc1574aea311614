// A line of links that is pushed sideways on a phone shows the one that is open.

import { address } from "../state/router.svelte";

/** To be attached to the line; whenever another page is open, its link is brought to the middle. */
export function showsCurrent(line: HTMLElement): void {
  void address.path;
  requestAnimationFrame(() => {
    const link = line.querySelector("[aria-current]");
    if (!link) return;
    const [inner, outer] = [link.getBoundingClientRect(), line.getBoundingClientRect()];
    line.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  });
}
