"""The whole floor over HTTP: stopping play, and what everybody sees of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from punto.client import Refused, Stream
from punto.floor.orders import OrderBoard
from punto.rules.authority import Role
from punto.table.state import Phase
from tests.browser.croupier import Croupier
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
        assert rob.post("/house/start", json={}).json()["stops"] == []
        wait_for(stream, "view", lambda frame: frame["view"]["stopped"] is None)
    seen = dan.table(table)
    assert not isinstance(seen, Refused) and "call-bets" in [legal.command["type"] for legal in seen.legal]


@pytest.mark.parametrize("named", ["/etc/secrets.toml", "../punto.toml", "x.toml"])
def test_no_rule_names_a_file_of_the_server(floor: RunningFloor, tmp_path: Path, named: str) -> None:
    """What is in it, and whether it is there, is nothing for an administrator somewhere else."""
    secret = tmp_path / "secret.toml"
    secret.write_text('metrics_token = "x"\n', encoding="utf-8")
    for profile in (named, str(secret)):
        answer = floor.client("Ada").http.post("/house/rules/effect", json={"rules": {"profile": profile}})
        problem = answer.json()["refusal"]["params"]["problem"]
        assert answer.status_code == 409 and problem.startswith(f"{profile!r} is not a profile"), problem


def test_where_a_round_is_still_being_finished_is_told(floor: RunningFloor) -> None:
    croupier, rob = Croupier(floor, "ez"), floor.client("Rob").http
    croupier.open_bets()
    before = rob.get("/house/stops").json()
    assert [one["tables"] for one in before["books"] if one["book"] == "ez"] == [1]
    assert before["yours"] and before["finishing"] == []
    told = rob.post("/house/stop", json={**REASON, "book": "ez"}).json()
    assert ([stop["book"] for stop in told["stops"]], told["finishing"]) == (["ez"], [croupier.table])
    assert not floor.client("Mia").http.get("/house/stops").json()["yours"]
    croupier.deal("6D 2C KH 5S")
    while croupier.shown().phase is not Phase.IDLE:
        croupier.give(**croupier.next())
    assert rob.get("/house/stops").json()["finishing"] == []
    assert rob.post("/house/start", json={"book": "ez"}).json()["stops"] == []


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
