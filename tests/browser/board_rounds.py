"""A board that is shown round after round: frames as the server sends them, put into its stream, and no table plays.

.venv/bin/python -m tests.browser.board_rounds 5000     plays so many, and says what the page holds on the way
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
from playwright.sync_api import Page, expect, sync_playwright

from punto.roads.roads import RoundWinner
from punto.views.history_view import TypedResult, typed_roads
from tests.browser.conftest import FLAGS
from tests.browser.croupier import Croupier
from tests.browser.visitor import ROOT, Visitor
from tests.server.running_floor import RunningFloor, running_floor

ROUNDS_A_SHOE = 80
SCREEN = (640, 360)
"""The smallest that has everything: fewer pixels to fill, and not an element less."""
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
HEAR = """async (rounds) => {
  for (const frames of rounds) {
    for (const data of frames) {
      window.socket.dispatchEvent(new MessageEvent("message", { data }));
      await null;
    }
    await new Promise((drawn) => requestAnimationFrame(drawn));
  }
}"""
"""Lets the page hear rounds, frame by frame, and draws it after each of them."""
FIRST_SHOES = 4
"""So many are played before anything is counted: what a browser makes once is there by then."""
LEVEL = 1.02
"""What a page may hold more than after its first shoes: a browser also remembers how its objects are used."""

OWN_LEVEL = 1.3
"""The same of what the browser holds for itself."""


class Held(NamedTuple):
    """What a page holds once what nobody needs is gone, whether it is drawn or not."""

    bytes: int
    """Of its heap, without machine code and bytecode: a browser goes on compiling what is done often."""
    own: int
    """What the browser itself holds for it beside the heap: tables that grow by doubling, and notes of frames that
    came late, which it keeps up to a number. On a busy machine there are more of those."""
    nodes: int
    listeners: int

    def is_level(self, first: Held, level: float = LEVEL) -> bool:
        """Whether it is no more than at first."""
        is_heap_level = self.bytes <= first.bytes * level and self.own <= first.own * OWN_LEVEL
        return is_heap_level and self.nodes <= first.nodes and self.listeners <= first.listeners


def screen_of(floor: RunningFloor, visitor: Visitor) -> None:
    """A screen that shows a table of the floor with a round behind it."""
    croupier = Croupier(floor, "insurance")
    croupier.play("2S 4S 3S 5S")
    key = floor.client("Dan").http.post(f"/tables/{croupier.table}/board/key").json()["key"]
    visitor.context.add_init_script(CATCH)
    visitor.open(f"/board/{croupier.table}#{key}")
    expect(visitor.page.locator("[data-board=on][data-link=live]")).to_be_visible()
    # The roads come after the table, from a room that may be busy: later they would come between those that are played.
    expect(visitor.page.locator("[data-last] li")).to_have_count(1)


class Shoes:
    """Shoes that the board of a visitor hears, one after the other."""

    def __init__(self, visitor: Visitor, seed: int) -> None:
        self.visitor, self.random, self.round = visitor, Random(seed), 0
        frames = [frame["view"] for frame in visitor.frames if frame["type"] in ("view", "snapshot")]
        self.view: dict[str, Any] = frames[-1]
        self.seq: int = self.view["seq"]

    def play(self, number: int, length: int = ROUNDS_A_SHOE) -> Held:
        """Let the page hear so many whole shoes, and the first call of the one after them; what it holds then.

        That is the same place of a shoe each time: the roads have grown, and are gone.
        """
        for _ in range(number):
            shoe: list[TypedResult] = []
            rounds = [list(self._round(shoe)) for _ in range(length)]
            self.visitor.page.evaluate(HEAR, rounds)
            expect(self.visitor.page.locator(f"[data-round='{self.round}']")).to_be_visible()
            expect(self.visitor.page.locator("[data-last] li")).to_have_count(min(12, length))
        self.visitor.page.evaluate(HEAR, [list(self._call([]))])
        expect(self.visitor.page.locator("[data-last] li")).to_have_count(0)
        return held(self.visitor.page)

    def _call(self, shoe: list[TypedResult]) -> Iterator[str]:
        """Bets are called: no card lies there, and a clock runs. In a new shoe the roads begin again."""
        if not shoe:
            yield self._roads(shoe)
        yield self._shown(phase="betting", result=None, hands=self._hands(0))
        yield _text(type="clock", what="bets", ends_in_ms=15_000)

    def _round(self, shoe: list[TypedResult]) -> Iterator[str]:
        """One round as a board hears it: the call, card after card, insurance, the result, and the roads after it."""
        self.round += 1
        yield from self._call(shoe)
        for cards in (1, 2, 3):
            yield self._shown(phase="dealing", result=None, hands=self._hands(cards), clock=None)
        offer = {"window": 1, "odds": [{"hand": "player", "odds": "3:1"}], "offers": []}
        yield self._shown(phase="insurance", result=None, hands=self._hands(3), insurance=offer)
        winner = self.random.choice(list(RoundWinner))
        shoe.append(TypedResult(winner, self.random.random() < 0.08, self.random.random() < 0.07))
        yield self._shown(
            phase="idle", hands=self._hands(3), result={**self.view["result"], "winner": winner, "round": self.round}
        )
        yield self._roads(shoe)

    def _shown(self, **changed: Any) -> str:
        self.seq += 1
        view = {**self.view, "insurance": None, "seq": self.seq, "round": self.round, **changed}
        return _text(type="view", seq=self.seq, view=view)

    def _hands(self, cards: int) -> dict[str, Any]:
        dealt = {hand: [self._card(place == 2) for place in range(cards)] for hand in ("player", "banker")}
        points = self.random.randrange(10) if cards else None
        return {hand: {**self.view["hands"][hand], "cards": dealt[hand], "points": points} for hand in dealt}

    def _card(self, crosswise: bool) -> dict[str, Any]:
        card = self.random.choice("A23456789TJQK") + self.random.choice("SHDC")
        return {"card": card, "up": True, "crosswise": crosswise, "squeezable": False}

    def _roads(self, shoe: list[TypedResult]) -> str:
        return _text(type="roads", version=self.seq, roads=typed_roads(tuple(shoe)))


def _text(**frame: Any) -> str:
    return msgspec.json.encode(frame).decode()


def held(page: Page) -> Held:
    session = page.context.new_cdp_session(page)
    chunks: list[str] = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda told: chunks.append(told["chunk"]))
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})  # collects garbage first
    session.send("Performance.enable")
    metrics = {one["name"]: int(one["value"]) for one in session.send("Performance.getMetrics")["metrics"]}
    session.detach()
    return Held(*_bytes(msgspec.json.decode("".join(chunks))), metrics["Nodes"], metrics["JSEventListeners"])


def _bytes(snapshot: dict[str, Any]) -> tuple[int, int]:
    """Of the heap without code, and of what the browser holds beside it."""
    fields = snapshot["snapshot"]["meta"]["node_fields"]
    kinds = snapshot["snapshot"]["meta"]["node_types"][fields.index("type")]
    nodes, width = snapshot["nodes"], len(fields)
    kind_of, size_of = nodes[fields.index("type") :: width], nodes[fields.index("self_size") :: width]
    code, native = kinds.index("code"), kinds.index("native")
    heap = sum(size for kind, size in zip(kind_of, size_of, strict=True) if kind not in (code, native))
    return heap, sum(size for kind, size in zip(kind_of, size_of, strict=True) if kind == native)


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
        with Visitor(browser, floor, None, size=SCREEN) as visitor:
            screen_of(floor, visitor)
            shoes = Shoes(visitor, 11)
            first = last = shoes.play(FIRST_SHOES)
            print(f"after {shoes.round:,} rounds: {first}", flush=True)
            while shoes.round < rounds:
                last = shoes.play(min(10, -(-(rounds - shoes.round) // ROUNDS_A_SHOE)))
                print(f"after {shoes.round:,} rounds: {last}", flush=True)
        browser.close()
    return 0 if last.is_level(first) else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
