"""The whole floor over HTTP: stopping play, and what everybody sees of it."""

from __future__ import annotations

from typing import Any

import pytest

from punto.client import Refused, Stream
from punto.floor.orders import OrderBoard
from punto.rules.authority import Role
from tests.server.running_floor import RunningFloor

REASON = {"reason": "fire alarm"}


def wait_for(stream: Stream, kind: str, holds: Any) -> dict[str, Any]:
    """The next frame of a kind of which something holds."""
    while True:
        frame = stream.next(30)
        if frame["type"] == kind and holds(frame):
            return frame


@pytest.mark.gli("2.4.1")
def test_a_stop_is_seen_and_obeyed_by_everybody(floor: RunningFloor) -> None:
    table, dan, rob = floor.new_table(), floor.client("Dan"), floor.client("Rob").http
    for kind in ("load-shoe", "burn-cards"):
        dan.give(table, {"type": kind}, Role.DEALER, expected=floor.version(table))
    stream = floor.client("Lee").stream(table, views=True)
    assert isinstance(stream, Stream)
    with stream:
        wait_for(stream, "snapshot", lambda frame: frame["view"]["stopped"] is None)
        assert rob.post("/house/stop", json=REASON).status_code == 200
        shown = wait_for(stream, "view", lambda frame: frame["view"]["stopped"] is not None)
        assert set(shown["view"]["stopped"]) == {"book", "since"}, "players are not told who and why"
        refused = dan.give(table, {"type": "call-bets"}, Role.DEALER, expected=floor.version(table))
        assert isinstance(refused, Refused) and (refused.reason, refused.status) == ("stopped", 409)
        seen = dan.table(table)
        assert not isinstance(seen, Refused) and seen.stopped is not None and seen.stopped.book is None
        assert "call-bets" not in [legal.command["type"] for legal in seen.legal]
        [stop] = rob.get("/house/stops").json()["stops"]
        assert (stop["by"], stop["reason"], stop["book"]) == ("Rob", "fire alarm", None)
        assert rob.post("/house/start", json={}).json() == {"stops": []}
        wait_for(stream, "view", lambda frame: frame["view"]["stopped"] is None)
    seen = dan.table(table)
    assert not isinstance(seen, Refused) and "call-bets" in [legal.command["type"] for legal in seen.legal]


@pytest.mark.parametrize("name", ["Lee", "Dan", "Sue", "Mia", "Cas", "Aud"])
def test_who_may_not_stop_play(floor: RunningFloor, name: str) -> None:
    answer = floor.client(name).http.post("/house/stop", json=REASON)
    assert answer.status_code == 403 and answer.json()["refusal"]["reason"] == "role-needed"


def test_what_another_process_orders_is_noticed(floor: RunningFloor) -> None:
    told: list[str] = []
    board = OrderBoard(floor.store)
    board.listen(lambda: told.append("changed"))
    assert floor.client("Ada").http.post("/house/stop", json=REASON).status_code == 200
    assert board().stops == () and told == []
    board.look()
    board.look()
    assert len(board().stops) == 1 and told == ["changed"]
    assert floor.client("Ada").http.post("/house/start", json={}).status_code == 200
