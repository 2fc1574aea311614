// Cards and chips that move over the felt. What flies is a picture: the thing itself is already where it belongs, and waits
// unseen until its picture has landed. So nothing on the page is pushed about, and a test or a slow machine loses nothing.

export interface Flight {
  /** Milliseconds from the start to the landing, and before the start. */
  ms: number;
  delay?: number;
  /** What is seen to fly; the thing itself where nothing is said. */
  picture?: Element | null;
  /** It has gone when it lands. */
  fades?: boolean;
}

export const CARD_MS = 320;
export const CHIP_MS = 260;

function isStill(): boolean {
  return document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The place that a thing comes from or goes to, by its mark in the page. */
export function placeOf(mark: string): Element | null {
  return document.querySelector(mark);
}

/** What a place is called in the page: a place of the table, a seat by its box, a betting area. */
function markOf(place: Element): string {
  const { place: name, seat, area } = (place.closest<HTMLElement>("[data-place], [data-seat], [data-area]") ?? document.body).dataset;
  return name ?? (seat ? `seat ${seat}` : (area ?? ""));
}

/** Let a picture of something fly from one place to another. Where people want no motion, nothing does. */
export function fly(what: Element, from: Element | null, to: Element | null, { ms, delay = 0, picture, fades = false }: Flight): void {
  if (!from || !to || isStill()) return;
  const start = from.getBoundingClientRect();
  const end = to.getBoundingClientRect();
  const size = what.getBoundingClientRect();
  if (!size.width || !start.width || !end.width) return;
  const sheet = document.createElement("div");
  Object.assign(sheet.style, { position: "fixed", left: "0", top: "0", width: `${size.width}px`, height: `${size.height}px`, pointerEvents: "none", zIndex: "9" });
  sheet.className = "flight";
  Object.assign(sheet.dataset, { from: markOf(from), to: markOf(to) });
  sheet.ariaHidden = "true";
  const shown = (picture ?? what).cloneNode(true) as HTMLElement;
  Object.assign(shown.style, { position: "static", width: "100%", height: "100%", margin: "0", opacity: "1" });
  sheet.append(shown);
  document.body.append(sheet);
  const middle = (box: DOMRect) => `translate(${box.left + (box.width - size.width) / 2}px, ${box.top + (box.height - size.height) / 2}px)`;
  const small = (box: DOMRect) => Math.min(1, box.width / size.width, box.height / size.height);
  const away = `${middle(start)} scale(${small(start)})`;
  const there = `${middle(end)} scale(${small(end)})`;
  const move = sheet.animate(
    [
      { transform: away, opacity: 1 },
      { transform: there, opacity: fades ? 0 : 1 },
    ],
    { duration: ms, delay, easing: "cubic-bezier(0.25, 0.7, 0.3, 1)", fill: "both" },
  );
  move.onfinish = move.oncancel = () => sheet.remove();
}

/** Keep something unseen until its picture has landed on it. */
export function hide(what: Element, ms: number): void {
  if (!isStill()) what.animate([{ opacity: 0 }, { opacity: 0 }], { duration: ms });
}

const NOTHING = { duration: 0 };

/** Whether things on a page move: not those that were there when it came, nor those that go because it is left. */
export class Motion {
  private readonly page = location.pathname;
  private isThere = false;

  begin(): void {
    setTimeout(() => (this.isThere = true));
  }

  get isOn(): boolean {
    return this.isThere && location.pathname === this.page;
  }
}

/** For `in:`: it comes from a place. */
export function comesFrom(node: Element, { from, motion, ms = CHIP_MS, delay = 0 }: { from: string | null; motion?: Motion; ms?: number; delay?: number }) {
  const place = from && motion?.isOn !== false ? placeOf(from) : null;
  if (place) {
    fly(node, place, node, { ms, delay });
    hide(node, ms + delay);
  }
  return NOTHING;
}

/** For `out:`: it goes to a place. */
export function goesTo(node: Element, { to, motion, ms = CHIP_MS }: { to: string | null; motion?: Motion; ms?: number }) {
  if (to && motion?.isOn !== false) fly(node, node, placeOf(to), { ms, fades: true });
  return NOTHING;
}

/** For `in:`: it lies there from one moment to another, and is then taken away to a place. */
export function takenTo(node: Element, { to, motion, from, at }: { to: string; motion: Motion; from: number; at: number }) {
  if (isStill() || !motion.isOn) return NOTHING;
  node.animate([{ opacity: 1 }, { opacity: 1 }], { delay: from, duration: at - from });
  setTimeout(() => node.isConnected && fly(node, node, placeOf(to), { ms: CHIP_MS, fades: true }), at);
  return NOTHING;
}

/** For `in:`: a card comes out of the shoe with its back up, and is turned where it lies. */
export function fromShoe(node: Element) {
  const shoe = placeOf("[data-place=shoe]");
  if (!shoe) return NOTHING;
  fly(node, shoe, node, { ms: CARD_MS, picture: shoe.querySelector("svg.back") });
  hide(node, CARD_MS);
  if (!isStill()) {
    node.querySelector(".face")?.animate([{ transform: "scaleX(0.05)" }, { transform: "none" }], { delay: CARD_MS, duration: 260, fill: "backwards" });
  }
  return NOTHING;
}
