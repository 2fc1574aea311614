"""The pace of the cards is the dealer's: the page adds no beat and takes none away, with or without motion.

A round is put before the page frame by frame while its clock stands still, and is moved on by one beat of the
house between the cards. Every change of the cards is written down with the time of the page.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
import pytest
from playwright.sync_api import WebSocketRoute, expect

from punto.floor.floor import HUMAN_PACE
from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

CARDS = "KS KH 2D 3C 4S 5H"
START = datetime(2026, 1, 1, tzinfo=UTC)
WRITE_DOWN = """() => {
  const start = Date.now(), cards = () => document.querySelectorAll('.hands .card').length;
  window.changes = [];
  let before = cards();
  new MutationObserver(() => {
    if (cards() === before) return;
    before = cards();
    window.changes.push([Date.now() - start, before, document.getAnimations().length > 0]);
  }).observe(document.querySelector('.hands'), { childList: true, subtree: true });
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_beats_between_cards_keep_their_length(
    floor: RunningFloor, visit: Visit, motion: Literal["no-preference", "reduce"]
) -> None:
    frames = round_in_frames(floor)
    lee = visit("Lee", reduced_motion=motion)
    lines: list[WebSocketRoute] = []

    def answer(line: WebSocketRoute) -> None:
        lines.append(line)
        line.on_message(lambda _: line.send(json.dumps(frames[0] | {"type": "snapshot", "legal": []})))

    lee.page.route_web_socket(re.compile("/stream$"), answer)
    lee.page.clock.install(time=START)
    lee.at_table(frames[0]["view"]["table"])
    lee.page.clock.pause_at(START.replace(hour=1))
    lee.page.evaluate(WRITE_DOWN)
    for number, frame in enumerate(frames[1:], start=1):
        lee.page.clock.run_for(HUMAN_PACE.cards)
        lines[-1].send(json.dumps(frame))
        expect(lee.page.locator(".hands .card")).to_have_count(number)
    lee.page.clock.run_for(HUMAN_PACE.cards)
    moves = motion != "reduce"
    assert lee.page.evaluate("window.changes") == [[n * HUMAN_PACE.cards, n, moves] for n in range(1, len(frames))]


def round_in_frames(floor: RunningFloor) -> list[dict[str, Any]]:
    """What the stream of a player says of a round: the table with open bets, then after every card."""
    croupier, frames = Croupier(floor, "commission"), list[dict[str, Any]]()
    croupier.open_bets()
    for card in ("", *CARDS.split()):
        croupier.deal(card)
        shown = croupier.shown("Lee", Role.PLAYER)
        frames.append({"type": "view", "seq": shown.version, "view": msgspec.to_builtins(shown.view)})
    return frames
