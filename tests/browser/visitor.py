"""Somebody with a browser: one page in a context of its own, with what it asked for and heard."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import TracebackType
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, WebSocket, expect

from tests.server.running_floor import PASSWORD, RunningFloor
from tests.server.served import ServedFloor

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / ".browser-tests"
"""Where pictures of pages are kept; Git ignores it."""
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
DESKTOP, TABLET, PHONE = (1440, 900), (820, 1180), (390, 844)
LANGUAGES = ("en", "zh-Hans", "zh-Hant")

OVERLAPS = """() => {
  const boxes = (what) =>
    [...document.querySelectorAll(what)].map((one) => [one, one.getBoundingClientRect()]);
  return boxes(".table [data-notice], .table [data-call-of]").flatMap(([, a]) =>
    boxes(".card, .spot, .seat")
      .filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map(([one]) => one.className + " " + one.textContent.trim()));
}"""
"""Elements of the felt that a notice lies on."""

expect.set_options(timeout=30_000)


class Visitor:
    """A page of somebody who is logged in, or of nobody."""

    def __init__(
        self,
        browser: Browser,
        floor: RunningFloor | ServedFloor,
        name: str | None,
        *,
        size: tuple[int, int] = DESKTOP,
        language: str = "en",
        **options: Any,
    ) -> None:
        self.floor = floor
        width, height = size
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, base_url=floor.url, locale="en-GB", **options
        )
        self.context.add_init_script(
            f"localStorage.getItem('punto.language') ?? localStorage.setItem('punto.language', '{language}')"
        )
        self.asked: list[str] = []
        """Addresses that were asked for."""
        self.frames: list[dict[str, Any]] = []
        """Frames that arrived on streams."""
        self.errors: list[str] = []
        """What the page itself complained of."""
        self.context.on("request", lambda request: self.asked.append(request.url))
        if name is not None:
            answer = self.context.request.post("/api/v1/sessions", data={"name": name, "password": PASSWORD})
            assert answer.status == 201, answer.text()
        self.page: Page = self.context.new_page()
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._hear)

    def __enter__(self) -> Visitor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.context.close()

    def _hear(self, said: ConsoleMessage) -> None:
        # Chromium writes a line for every answer of 400 and above; refusals are part of the game. So is a connection
        # that a test has cut off.
        is_cut = "net::ERR_INTERNET_DISCONNECTED" in said.text
        if said.type == "error" and not is_cut and not said.text.startswith("Failed to load resource"):
            self.errors.append(said.text)

    def _listen(self, socket: WebSocket) -> None:
        self.asked.append(socket.url)
        socket.on("framereceived", lambda text: self.frames.append(json.loads(text)))

    # ── Where ────────────────────────────────────────────────────────────────────────────────────

    def open(self, path: str) -> Visitor:
        """Go to a page of the floor."""
        self.page.goto(path)
        return self

    def at_table(self, table: str) -> Visitor:
        """Go to a table and wait until it is live."""
        self.open(f"/tables/{table}")
        expect(self.page.locator("[data-link=live]")).to_be_visible()
        return self

    def at_console(self, table: str) -> Visitor:
        """Go to the dealer's console of a table and wait until it is live."""
        self.open(f"/tables/{table}/dealer")
        expect(self.page.locator("main[data-link=live]")).to_be_visible()
        return self

    def sized(self, size: tuple[int, int]) -> None:
        """Another size of the window; the page is laid out for it when this ends."""
        sized(self.page, size)

    # ── Acts ─────────────────────────────────────────────────────────────────────────────────────

    def sit(self, box: int) -> None:
        self.page.locator(f".seat.free[data-seat='{box}']").click()
        expect(self.page.locator(f".seat.mine[data-seat='{box}']")).to_be_visible()

    def spot(self, area: str) -> Locator:
        return self.page.locator(f".spot[data-area='{area}']")

    def bet(self, area: str, amount: int) -> None:
        """One chip on a spot; the bet is on the table when this ends."""
        self.page.locator(f"[data-chip='{amount}']").click()
        self.spot(area).click()
        self.sees_bet(area, amount)

    def sees_bet(self, area: str, amount: int) -> None:
        expect(self.spot(area).locator(".mine:not(.pale) b")).to_have_text(f"{amount // 100:,}")

    def phase(self, name: str) -> None:
        """Wait until the head of the page names this phase."""
        expect(self.page.locator(f"[data-phase-name={name}]")).to_be_visible()

    def balance(self) -> int:
        """What is free, and what was paid and is held until the next call."""
        return int(self.page.locator("[data-worth]").get_attribute("data-worth") or 0)

    # ── What it found ────────────────────────────────────────────────────────────────────────────

    def outside(self) -> list[str]:
        """Addresses outside the floor."""
        own = (self.floor.url, self.floor.url.replace("http", "ws", 1), "data:", "blob:")
        return [address for address in self.asked if not address.startswith(own)]

    def said(self) -> str:
        """The assertive region."""
        return self.page.locator("[data-live=assertive]").inner_text()

    def faults(self) -> list[str]:
        """What axe finds on this page."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        return [
            f"{one['id']}: {node['target']} {node['failureSummary']}"
            for one in found["violations"]
            for node in one["nodes"]
        ]

    def covered(self) -> list[str]:
        """What notices lie on: cards, spots or seats."""
        found: list[str] = self.page.evaluate(OVERLAPS)
        return found

    def picture(self, name: str) -> None:
        """Keep a picture of the page as it is."""
        PICTURES.mkdir(exist_ok=True)
        self.page.screenshot(animations="disabled", path=PICTURES / f"{re.sub(r'[^a-zA-Z0-9-]+', '-', name)}.png")


def sized(page: Page, size: tuple[int, int]) -> None:
    """Another size of the window; the page is laid out for it when this ends, also what it works out for itself."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("document.fonts.ready")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
