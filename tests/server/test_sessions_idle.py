"""Sessions in which nothing is done are locked, with their streams; what is done, listed and told over HTTP."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from punto.client import Client, Refused, Stream, StreamClosed
from punto.floor.house_rules import change_rules
from punto.server.app import INSIDE
from tests.server.running_floor import PASSWORD, RunningFloor, running_floor

MINUTE = 60_000
IDLE = {"name": "idle", "player_idle_minutes": 30, "dealer_idle_minutes": 5}


LOAD_SHOE = {
    **{"type": "command", "id": "1", "key": "k", "role": "dealer"},
    **{"command": {"type": "load-shoe"}, "expected": 1},
}


class Floor:
    """A floor whose time the test turns on."""

    def __init__(self, floor: RunningFloor) -> None:
        self.running, self._ahead = floor, 0
        floor.app_state._clock = self.now  # type: ignore[assignment]

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + self._ahead

    def later(self, ms: int) -> None:
        self._ahead += ms

    def set_profile(self, **fields: Any) -> None:
        change_rules(self.running.store, {"profile": {"name": "own", **fields}}, "Ada", self.now())
        self.running.app_state.orders.look()


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    with running_floor(str(tmp_path / "house.db")) as made:
        yield Floor(made)


def end_of(stream: Stream) -> StreamClosed:
    """Why a stream ends."""
    try:
        while True:
            stream.next(30)
    except StreamClosed as closed:
        return closed


def reason(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["refusal"]["reason"]


@pytest.mark.gli("2.5.4")
@pytest.mark.gli("C.6.5")
@pytest.mark.parametrize(("name", "minutes"), [("Lee", 30), ("Dan", 5), ("Cas", 30), ("Max", 5)])
def test_a_session_in_which_nothing_is_done_is_locked(floor: Floor, name: str, minutes: int) -> None:
    floor.set_profile(**IDLE)
    http = floor.running.fresh_client(name).http
    floor.later(minutes * MINUTE - 10_000)
    assert http.get("/books").status_code == 200, "this is something that a person does"
    floor.later(minutes * MINUTE - 10_000)
    assert http.get("/tables").status_code == 200, "this a page does by itself"
    assert http.get("/sessions/current").json()["locked"] is False
    floor.later(10_000)
    for path in ("/tables", "/books", "/accounts/me"):
        answer = http.get(path)
        assert reason(answer) == (401, "session-idle")
        assert f"{minutes} minutes" in answer.json()["refusal"]["sentence"]
    assert reason(http.post("/tickets")) == (401, "session-idle")
    assert http.get("/sessions/current").json()["locked"] is True
    wrong = http.post("/sessions/current/authenticate", json={"password": "not it"})
    assert reason(wrong) == (401, "wrong-password") and http.get("/tables").status_code == 401
    again = http.post("/sessions/current/authenticate", json={"password": PASSWORD})
    assert again.status_code == 200 and again.json()["locked"] is False
    assert http.get("/tables").status_code == 200


def test_without_idle_times_nothing_is_locked(floor: Floor) -> None:
    http = floor.running.fresh_client("Lee").http
    floor.later(11 * 60 * MINUTE)
    assert http.get("/tables").status_code == 200
    session = http.get("/sessions/current").json()
    assert session["locks"] is None and session["locked"] is False


@pytest.mark.gli("2.5.4")
@pytest.mark.gli("C.6.5")
def test_the_stream_of_an_idle_session_is_locked_too(floor: Floor) -> None:
    floor.set_profile(**IDLE)
    table, dan = floor.running.new_table(), floor.running.fresh_client("Dan")
    stream = dan.stream(table)
    assert isinstance(stream, Stream)
    with stream:
        stream.next(30)
        floor.later(4 * MINUTE)
        stream.send(
            {
                "type": "command",
                "id": "1",
                "key": "k",
                "role": "dealer",
                "command": {"type": "load-shoe"},
                "expected": 1,
            }
        )
        while stream.next(30)["type"] != "answer":
            pass
        floor.later(4 * MINUTE)
        assert dan.http.get("/sessions/current").json()["locked"] is False, "a command on a stream is something done"
        floor.later(1 * MINUTE)
        recheck(floor, "Dan")
        closed = end_of(stream)
    assert closed.code == 4401 and "5 minutes" in closed.reason
    refused = dan.stream(table)
    assert isinstance(refused, Refused) and refused.reason == "session-idle"


def recheck(floor: Floor, name: str) -> None:
    """What a stream does by itself when its time has come; the time of the test does not wake it."""
    app_state = floor.running.app_state
    loop = app_state.broadcaster._loop
    assert loop is not None
    loop.call_soon_threadsafe(app_state.broadcaster.recheck, name)


def test_a_command_on_a_locked_stream_is_not_carried_out(floor: Floor) -> None:
    floor.set_profile(**IDLE)
    table, dan = floor.running.new_table(), floor.running.fresh_client("Dan")
    stream = dan.stream(table)
    assert isinstance(stream, Stream)
    with stream:
        stream.next(30)
        floor.later(5 * MINUTE)
        version = floor.running.version(table)
        stream.send(
            {
                "type": "command",
                "id": "1",
                "key": "k",
                "role": "dealer",
                "command": {"type": "load-shoe"},
                "expected": 1,
            }
        )
        closed = end_of(stream)
    assert closed.code == 4401 and floor.running.version(table) == version


def test_another_process_knows_what_was_done(floor: Floor) -> None:
    """What one process has written down holds for the next one."""
    floor.set_profile(**IDLE)
    dan = floor.running.fresh_client("Dan")
    floor.later(4 * MINUTE)
    assert dan.http.get("/books").status_code == 200
    assert dan.http.get("/sessions").status_code == 200  # a list of sessions is true, so it is written down first
    book = floor.running.app_state.sessions
    floor.later(3 * MINUTE)
    book._active.clear()
    book.forget("Dan")
    assert dan.http.get("/books").status_code == 200


@pytest.mark.gli("2.8.9")
def test_the_last_log_in_is_shown(floor: Floor) -> None:
    with Client(floor.running.url) as first:
        told = first.log_in("Kim", PASSWORD)
        assert not isinstance(told, Refused) and told.last is None
        assert first.http.get("/sessions/current").json()["last"] is None
    before = floor.now()
    floor.later(MINUTE)
    with Client(floor.running.url) as second:
        told = second.log_in("Kim", PASSWORD)
        assert not isinstance(told, Refused) and told.last is not None
        assert told.last.address == "127.0.0.1" and before - MINUTE < told.last.time <= before
        assert second.http.get("/sessions/current").json()["last"]["time"] == told.last.time


@pytest.mark.gli("B.2.3")
def test_sessions_over_http(floor: Floor) -> None:
    lee, again = floor.running.fresh_client("Lee"), floor.running.fresh_client("Lee")
    listed = lee.http.get("/sessions").json()
    assert listed["account"] == "Lee" and [each["current"] for each in listed["sessions"]].count(True) == 1
    other = next(each for each in listed["sessions"] if not each["current"])
    assert reason(floor.running.client("Kim").http.delete(f"/sessions/{other['session']}")) == (404, "no-open-session")
    assert lee.http.delete(f"/sessions/{other['session']}").status_code == 204
    assert reason(again.http.get("/tables")) == (401, "no-session")
    ada = floor.running.client("Ada").http
    [left] = ada.get("/people/Lee/sessions").json()["sessions"]
    assert left["current"] is False and lee.http.get("/people/Lee/sessions").status_code == 403
    assert ada.delete(f"/sessions/{left['session']}").status_code == 204
    assert reason(lee.http.get("/tables")) == (401, "no-session")


@pytest.mark.gli("2.4.1")
@pytest.mark.gli("2.5.3")
def test_a_shut_log_in_over_http(floor: Floor) -> None:
    lee, ada = floor.running.fresh_client("Lee"), floor.running.client("Ada").http
    table = floor.running.new_table()
    stream = lee.stream(table)
    assert isinstance(stream, Stream)
    with stream:
        stream.next(30)
        shut = ada.post("/people/Lee/shut", json={"reason": "suspected of past posting"})
        assert shut.status_code == 200 and shut.json()["can_log_in"] is False
        assert end_of(stream).code == 4401
    assert reason(lee.http.get("/tables")) == (401, "no-session")
    with Client(floor.running.url) as again:
        wrong = again.http.post("/sessions", json={"name": "Lee", "password": "not it"})
        nobody = again.http.post("/sessions", json={"name": "Nobody", "password": "not it"})
        assert wrong.json() == nobody.json() and wrong.status_code == nobody.status_code == 401
        right = again.http.post("/sessions", json={"name": "Lee", "password": PASSWORD})
        assert reason(right) == (403, "log-in-shut") and "past posting" not in right.text
        assert ada.post("/people/Lee/open", json={"reason": "cleared"}).json()["can_log_in"] is True
        assert not isinstance(again.log_in("Lee", PASSWORD), Refused)


@pytest.mark.gli("2.5.3")
def test_a_new_password_is_as_long_as_the_profile_asks_for(floor: Floor) -> None:
    floor.set_profile(shortest_password=12)
    ada, kim = floor.running.client("Ada").http, floor.running.client("Kim").http
    short, long = {"password": "eleven char"}, {"password": "twelve chars"}
    new = {"name": "Zoe", "roles": ["player"]}
    for answer in (
        ada.post("/people", json={**new, **short}),
        ada.put("/people/Lee/password", json=short),
        kim.put("/accounts/me/password", json=short),
    ):
        assert reason(answer) == (409, "weak-password") and answer.json()["refusal"]["params"]["least"] == 12
    assert ada.post("/people", json={**new, **long}).status_code == 201
    assert kim.put("/accounts/me/password", json=long).status_code == 200
    assert not isinstance(floor.running.fresh_client("Lee").tables(), Refused), "a password that is there stays"


def test_what_pages_ask_for_by_themselves_is_no_act() -> None:
    automatic = {endpoint.path for endpoint in INSIDE if not endpoint.is_act}
    assert {"/tickets", "/tables", "/tables/{id}", "/tables/{id}/events", "/sessions/current"} <= automatic
    changing = {endpoint.path for endpoint in INSIDE if endpoint.method != "GET" and not endpoint.is_act}
    assert changing == {"/tickets"}
