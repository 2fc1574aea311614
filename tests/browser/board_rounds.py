"""A board that is shown round after round: frames as the server sends them, put into its stream, and no table plays.

.venv/bin/python -m tests.browser.board_rounds 5000     plays so many, and says what the page holds on the way
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from playwright.sync_api import Page, expect, sync_playwright

from punto.roads.roads import RoundWinner
from punto.views.history_view import TypedResult, typed_roads
from tests.browser.conftest import FLAGS
from tests.browser.croupier import Croupier
from tests.browser.visitor import ROOT, Visitor
from tests.server.running_floor import RunningFloor, running_floor

ROUNDS_A_SHOE = 80
CATCH = """
const Native = WebSocket;
window.WebSocket = class extends Native {
  constructor(...args) {
    super(...args);
    window.socket = this;
  }
};
"""
"""Keeps the stream of the page at hand."""
HEAR = "(frames) => frames.forEach((data) => window.socket.dispatchEvent(new MessageEvent('message', { data })))"
LEVEL = 1.10  # What a page may hold more than after its first shoe: what is compiled and kept on the way.


def screen_of(floor: RunningFloor, visitor: Visitor) -> str:
    """A table of the floor with a round behind it, and a screen that shows it; the table."""
    croupier = Croupier(floor, "commission")
    croupier.play("2S 4S 3S 5S")
    key = floor.client("Dan").http.post(f"/tables/{croupier.table}/board/key").json()["key"]
    visitor.context.add_init_script(CATCH)
    visitor.open(f"/board/{croupier.table}#{key}")
    expect(visitor.page.locator("[data-board=on][data-link=live]")).to_be_visible()
    return croupier.table


def play_rounds(visitor: Visitor, first: int, number: int, random: Random) -> None:
    """Let the page hear so many rounds: bets open, cards, a result, and the roads after it."""
    view = next(frame for frame in reversed(visitor.frames) if frame["type"] in ("view", "snapshot"))["view"]
    for round in range(first, first + number):
        place = round % ROUNDS_A_SHOE + 1
        shoe = [TypedResult(random.choice(list(RoundWinner)), random.random() < 0.08) for _ in range(place)]
        frames = [*_views(view, round, random), _roads(view, round, shoe)]
        visitor.page.evaluate(HEAR, [msgspec.json.encode(frame).decode() for frame in frames])
        if round % ROUNDS_A_SHOE == 0:
            expect(visitor.page.locator(f"[data-round='{round}']")).to_be_visible()


def _views(view: dict[str, Any], round: int, random: Random) -> list[dict[str, Any]]:
    """A round as three views: called, closed with its cards, settled."""
    frames = []
    for step, phase in enumerate(("betting", "dealing", "idle")):
        seq = view["seq"] + 4 * round + step
        cards = {hand: [_card(random) for _ in range(2 if step else 0)] for hand in ("player", "banker")}
        hands = {hand: {**view["hands"][hand], "cards": cards[hand], "points": 6 if step else None} for hand in cards}
        result = {**view["result"], "round": round} if step == 2 and view["result"] else None
        now = {**view, "seq": seq, "round": round, "phase": phase, "hands": hands, "result": result}
        frames.append({"type": "view", "seq": seq, "view": now})
        frames.append({"type": "event", "seq": seq, "event": {"type": "card-dealt"}})
    return frames


def _card(random: Random) -> dict[str, Any]:
    card = random.choice("A23456789JQK") + random.choice("SHDC")
    return {"card": card, "up": True, "crosswise": False, "squeezable": False}


def _roads(view: dict[str, Any], round: int, shoe: list[TypedResult]) -> dict[str, Any]:
    roads = msgspec.to_builtins(typed_roads(tuple(shoe)))
    return {"type": "roads", "version": view["seq"] + 4 * round + 3, "roads": roads}


def held(page: Page) -> tuple[int, int]:
    """Bytes of the page's heap once what nobody needs is gone, and the nodes that it draws."""
    session = page.context.new_cdp_session(page)
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    used = int(session.send("Runtime.getHeapUsage")["usedSize"])
    session.detach()
    return used, int(page.evaluate("document.getElementsByTagName('*').length"))


def main(rounds: int) -> int:
    found = subprocess.run([ROOT / "tools/browser"], capture_output=True, text=True, check=True)
    with (
        TemporaryDirectory() as folder,
        running_floor(str(Path(folder) / "house.db")) as floor,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=found.stdout.strip(), args=list(FLAGS), chromium_sandbox=False
        )
        with Visitor(browser, floor, None, size=(1920, 1080)) as visitor:
            screen_of(floor, visitor)
            random = Random(11)
            play_rounds(visitor, 1, 2 * ROUNDS_A_SHOE, random)
            first, nodes = held(visitor.page)
            print(f"after {2 * ROUNDS_A_SHOE} rounds: {first:,} bytes, {nodes} elements", flush=True)
            last, done = first, 2 * ROUNDS_A_SHOE
            while done < rounds:
                some = min(800, rounds - done)
                play_rounds(visitor, done + 1, some, random)
                done += some
                last, nodes = held(visitor.page)
                print(f"after {done:,} rounds: {last:,} bytes, {nodes} elements", flush=True)
        browser.close()
    return 0 if last <= first * LEVEL else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
