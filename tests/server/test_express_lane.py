"""The express lane: commands have the same answers as by the usual way, the one with a slash at the end."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from punto.server.app import ExpressLane
from punto.server.endpoint import COOKIE
from punto.server.validation import LARGEST_BODY
from tests.server.running_floor import RunningFloor
from tests.server.test_commands import BET, opened_round

COMMAND: dict[str, Any] = {"key": "k", "role": "player", "command": BET}
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def table(floor: RunningFloor) -> str:
    return opened_round(floor)


def asked(floor: RunningFloor) -> dict[str, dict[str, Any]]:
    """Requests that are answered each in its own way, as httpx takes them."""
    bearer = {"authorization": floor.client("Lee").http.headers["authorization"]}
    token = bearer["authorization"].removeprefix("Bearer ")
    csrf = floor.client("Lee").http.get("/sessions/current").json()["csrf"]
    cookie = {"cookie": f"{COOKIE}={token}"}
    sent, known = {"content": json.dumps(COMMAND)}, {**JSON, **bearer}
    return {
        "accepted": {**sent, "headers": known},
        "by cookie": {**sent, "headers": {**JSON, **cookie, "x-csrf-token": csrf}},
        "by cookie without the token against forgery": {**sent, "headers": {**JSON, **cookie}},
        "nobody": {**sent, "headers": JSON},
        "somebody else": {**sent, "headers": {**JSON, "authorization": "Bearer x"}},
        "another scheme": {**sent, "headers": {**JSON, "authorization": "Basic x"}},
        "not JSON by its header": {**sent, "headers": bearer},
        "not JSON": {"content": b"{", "headers": known},
        "no body": {"headers": known},
        "an unknown field": {"content": json.dumps({**COMMAND, "x": 1}), "headers": known},
        "another role": {"content": json.dumps({**COMMAND, "role": "dealer"}), "headers": known},
        "refused": {"content": json.dumps({**COMMAND, "key": "o", "expected": 0}), "headers": known},
        "a body that is too large": {"content": b" " * (LARGEST_BODY + 1), "headers": known},
        "a query": {**sent, "headers": known, "params": {"a": "b"}},
        "another origin": {**sent, "headers": {**known, "origin": "https://evil.example"}},
        "another host": {**sent, "headers": {**known, "host": "evil.example"}},
        "a host that cannot be read": {**sent, "headers": {**known, "host": "127.0.0.1/x"}},
        "another method": {"method": "PUT", **sent, "headers": known},
        "what is possible": {"method": "OPTIONS", "headers": known},
        "another table": {**sent, "headers": known, "table": "nowhere"},
        "not a table": {**sent, "headers": known, "table": "T_1"},
    }


def test_both_ways_have_the_same_answer(floor: RunningFloor, table: str) -> None:
    statuses = set()
    for what, request in asked(floor).items():
        path = f"{floor.url}/api/v1/tables/{request.pop('table', table)}/commands"
        method = request.pop("method", "POST")
        fast, usual = (httpx.request(method, f"{path}{end}", **request) for end in ("", "/"))
        assert (fast.status_code, fast.content) == (usual.status_code, usual.content), what
        headers = [{n: v for n, v in answer.headers.items() if n != "date"} for answer in (fast, usual)]
        assert headers[0] == headers[1], what
        statuses.add(fast.status_code)
    assert statuses == {200, 204, 400, 401, 403, 404, 405, 409, 413}


def test_commands_take_it(floor: RunningFloor, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    call = ExpressLane.__call__

    async def watched(self: Any, scope: Any, receive: Any, send: Any) -> None:
        async def usual(*_: Any) -> None:
            taken.append("the usual way")
            await application(*_)

        application, self._application = self._application, usual
        try:
            await call(self, scope, receive, send)
        finally:
            self._application = application

    monkeypatch.setattr(ExpressLane, "__call__", watched)
    lee = floor.client("Lee")
    lee.give(table, BET, key="watched")
    assert taken == []
    lee.http.get("/tables")
    assert taken == ["the usual way"]
