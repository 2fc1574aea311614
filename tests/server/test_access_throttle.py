"""How often somebody may ask: too many requests, and those that keep a processor busy, have to wait."""

from __future__ import annotations

import logging
from pathlib import Path

import httpx
import pytest

from punto.client import Stream
from punto.server.access import Throttle
from punto.server.book_routes import ODDS_COST
from punto.server.floor_protocol import FloorProtocol
from tests.server.running_floor import running_floor
from tests.server.test_access_gate import refusal


def test_too_many_requests_are_told_when_to_come_back(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db"), rate=0.01) as slow:
        lee = slow.client("Lee")
        statuses = [lee.http.get("/accounts/me") for _ in range(8)]
        last = statuses[-1]
        assert last.status_code == 429 and refusal(last)["reason"] == "too-often"
        assert int(last.headers["retry-after"]) >= 1
        assert slow.client("Kim").http.get("/accounts/me").status_code == 200


@pytest.mark.parametrize("path", ["/api/v1/house", "/api/v1/watch/tables"])
def test_whoever_has_a_network_of_addresses_asks_no_more_often(tmp_path: Path, path: str) -> None:
    """Of IPv6 addresses one customer has 2^64: counted one by one they would bound nobody."""
    with running_floor(str(tmp_path / "house.db")) as floor:
        floor.app_state.by_address = floor.app_state.by_guest = Throttle(1, 3, clock=lambda: 0.0)

        def ask(address: str) -> int:
            return httpx.get(f"{floor.url}{path}", headers={"x-forwarded-for": address}).status_code

        statuses = [ask(f"2001:db8::{number}") for number in range(4)]
        assert 429 not in statuses[:3] and statuses[3] == 429
        assert ask("2001:db8:0:1::1") != 429, "that is somebody else"


def test_connections_of_a_network_of_addresses_are_counted_together() -> None:
    one, other = (FloorProtocol.__new__(FloorProtocol) for _ in range(2))
    one.client, other.client = ("2001:db8::1", 1), ("2001:db8::ffff", 2)
    assert one._address == other._address == "2001:db8::/64"


def test_commands_on_a_stream_are_counted_with_requests(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db"), rate=0.01) as slow:
        id, lee = slow.new_table("ez"), slow.client("Lee")
        stream = lee.stream(id)  # its ticket is the one request that may come at once
        assert isinstance(stream, Stream)
        with stream:
            body = {"key": "k", "role": "player", "command": {"type": "take-seat", "box": 1}}
            stream.send({"type": "command", "id": "c", **body})
            while (frame := stream.next(60))["type"] != "answer":
                pass
        assert frame["refusal"]["reason"] == "too-often" and frame["refusal"]["params"]["seconds"] >= 1


def test_what_keeps_a_processor_busy_counts_as_many_requests(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as slow:
        id, lee, kim = slow.new_table("ez"), slow.client("Lee"), slow.client("Kim")
        slow.app_state.by_account = Throttle(1, 2 * ODDS_COST + 1, clock=lambda: 0.0)  # nothing is given back
        for path in ("odds", "odds?shoe=live"):
            assert lee.http.get(f"/tables/{id}/{path}").status_code == 200
        advice = lee.http.post(f"/tables/{id}/advice", json={"cards": []})
        assert advice.status_code == 429 and refusal(advice)["reason"] == "too-often"
        assert lee.http.get("/accounts/me").status_code == 200, "there is enough left for a usual request"
        assert kim.http.get(f"/tables/{id}/odds").status_code == 200


def test_what_costs_much_costs_those_more_who_have_no_session(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as floor:
        floor.app_state.by_address = Throttle(1, 11, clock=lambda: 0.0)
        codes = [httpx.get(f"{floor.url}/api/v1/board/code/t1").status_code for _ in range(3)]
        assert codes == [200, 200, 429], "to draw a code takes ten milliseconds of the loop"


def test_an_address_that_a_stranger_chose_fills_no_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with running_floor(str(tmp_path / "house.db")) as floor, caplog.at_level(logging.INFO, "punto.server"):
        assert httpx.get(f"{floor.url}/api/v1/board/code/{'t' * 50_000}").status_code == 404
    [logged] = [record.__dict__["path"] for record in caplog.records if record.getMessage() == "request"]
    assert len(logged) == 200


def test_a_dear_request_waits_until_there_is_enough() -> None:
    now = 0.0
    throttle = Throttle(10, 40, clock=lambda: now)
    assert [throttle.wait("Lee", 20) for _ in range(3)] == [0, 0, 2.0]
    now = 1.0
    assert throttle.wait("Lee", 20) == 1.0 and throttle.wait("Lee") == 0
    now = 3.0
    assert throttle.wait("Lee", 20) == 0
    assert Throttle(0.1).wait("Lee", 20) == 0, "the first one is always answered"
