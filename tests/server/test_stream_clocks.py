"""The clocks of an automatic table on its stream: one after the other, and what comes when they run out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from punto.client import Done, Stream
from punto.server.app_state import AppState
from punto.table.terms import Drawing
from tests.server.running_floor import RunningFloor, running_floor
from tests.server.test_stream import opened

PACE = {"bets": 300, "antes": 200, "insurance": 200, "squeeze": 200, "draw": 100, "cards": 0, "rounds": 0}
TOLD = ("clock", "bets-called", "draw-taken", "card-dealt", "round-settled")


class HouseClock:
    """The time of a house, which stands still until somebody moves it: nobody is ever too late."""

    def __init__(self) -> None:
        self.now = time.time_ns() // 1_000_000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HouseClock:
    made = HouseClock()
    monkeypatch.setattr(AppState, "now", lambda _: made.now)
    return made


@pytest.fixture
def floor(tmp_path: Path, clock: HouseClock) -> Iterator[RunningFloor]:
    assert clock.now
    with running_floor(str(tmp_path / "house.db")) as made:
        yield made


def told(stream: Stream) -> tuple[str, dict[str, Any]]:
    """The next clock or event that tells of the round, by its name."""
    while True:
        frame = stream.next(60)
        name = frame["event"]["type"] if frame["type"] == "event" else frame["type"]
        if name in TOLD:
            return name, frame


@pytest.mark.slow
@pytest.mark.gli("4.4.13")
def test_a_clock_that_follows_another_without_an_event_is_told(floor: RunningFloor, clock: HouseClock) -> None:
    """Lee has bet and should draw, and does nothing more: bets, then the draw, then the dealer draws."""
    id = floor.new_table("ez", drawing=Drawing.PLAYERS)
    floor.client("Cas").buy_in("Lee", 100_000)
    with opened(floor.client("Lee"), id) as stream:
        assert stream.next(60)["type"] == "snapshot"
        assert isinstance(floor.client("Lee").give(id, {"type": "take-seat", "box": 1}), Done)
        running = {"dealer": "automatic", "pace": PACE}
        shown = floor.client("Sue").http.put(f"/tables/{id}/running", json=running).json()
        assert shown["pace"]["options"] == PACE["antes"], "what is left out has the time of an ante"
        while told(stream)[0] != "bets-called":
            pass
        bet = {"type": "place-bet", "round": 1, "box": 1, "area": "banker", "amount": 10_000}
        assert isinstance(floor.client("Lee").give(id, bet), Done)
        for what, length in (("bets", PACE["bets"]), ("drawer", PACE["draw"])):
            name, frame = told(stream)
            assert name == "clock" and (frame["what"], frame["ends_in_ms"]) == (what, length)
            clock.now += length
        name, frame = told(stream)
        assert name == "draw-taken" and frame["event"]["player"] == "Lee"
        assert told(stream)[1]["event"]["by"] == "the dealer"
    stopped = floor.client("Sue").http.put(f"/tables/{id}/running", json={"dealer": "person"})
    assert stopped.status_code == 200
