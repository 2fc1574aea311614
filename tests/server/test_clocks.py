"""The clocks of an automatic table on its stream: one after the other, and what comes when they run out."""

from __future__ import annotations

from typing import Any

import pytest

from punto.client import Done, Stream
from punto.table.terms import Drawing
from tests.server.running_floor import RunningFloor
from tests.server.test_streams import opened

PACE = {"bets": 500, "antes": 300, "insurance": 300, "squeeze": 300, "draw": 400, "cards": 0, "rounds": 0}
TOLD = ("clock", "bets-called", "draw-taken", "card-dealt", "round-settled")


def told(stream: Stream) -> tuple[str, dict[str, Any]]:
    """The next clock or event that tells of the round, by its name."""
    while True:
        frame = stream.next(20)
        name = frame["event"]["type"] if frame["type"] == "event" else frame["type"]
        if name in TOLD:
            return name, frame


@pytest.mark.slow
def test_a_clock_that_follows_another_without_an_event_is_told(floor: RunningFloor) -> None:
    """Lee has bet and should draw, and does nothing more: bets, then the draw, then the dealer draws."""
    id = floor.new_table("ez", drawing=Drawing.PLAYERS)
    floor.client("Cas").buy_in("Lee", 100_000)
    with opened(floor.client("Lee"), id) as stream:
        assert isinstance(floor.client("Lee").give(id, {"type": "take-seat", "box": 1}), Done)
        running = {"dealer": "automatic", "pace": PACE}
        shown = floor.client("Sue").http.put(f"/tables/{id}/running", json=running).json()
        assert shown["pace"]["options"] == PACE["antes"], "what is left out has the time of an ante"
        while told(stream)[0] != "bets-called":
            pass
        bet = {"type": "place-bet", "round": 1, "box": 1, "area": "banker", "amount": 10_000}
        assert isinstance(floor.client("Lee").give(id, bet), Done)
        clocks: list[str] = []
        while (name := told(stream))[0] == "clock":
            clocks.append(name[1]["what"])
            assert 0 < name[1]["ends_in_ms"] <= 500
        assert list(dict.fromkeys(clocks)) == ["bets", "drawer"]
        assert name[0] == "draw-taken" and name[1]["event"]["player"] == "Lee"
        assert told(stream)[1]["event"]["by"] == "the dealer"
    stopped = floor.client("Sue").http.put(f"/tables/{id}/running", json={"dealer": "person"})
    assert stopped.status_code == 200
