"""The router: the way from an address to what answers it, and what is said where there is none."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from punto.server.endpoint import COOKIE, Reply
from punto.server.router import Router
from punto.server.validation import LARGEST_BODY
from tests.server.running_floor import RunningFloor
from tests.server.test_table_routes_commands import BET, opened_round

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


def test_a_slash_at_the_end_or_twice_makes_no_difference(floor: RunningFloor, table: str) -> None:
    statuses = set()
    for what, request in asked(floor).items():
        path = f"tables/{request.pop('table', table)}/commands"
        method = request.pop("method", "POST")
        answers = [
            httpx.request(method, f"{floor.url}/api/v1/{way}", **request) for way in (path, f"{path}/", f"/{path}")
        ]
        for answer in answers[1:]:
            assert (answer.status_code, answer.content) == (answers[0].status_code, answers[0].content), what
            headers = [{n: v for n, v in each.headers.items() if n != "date"} for each in (answer, answers[0])]
            assert headers[0] == headers[1], what
        statuses.add(answers[0].status_code)
    assert statuses == {200, 204, 400, 401, 403, 404, 405, 409, 413}


@pytest.mark.parametrize(
    ("method", "path", "status", "allow"),
    [
        ("PATCH", "/api/v1/tables", 405, "GET, HEAD, OPTIONS, POST"),
        ("OPTIONS", "/api/v1/tables", 204, "GET, HEAD, OPTIONS, POST"),
        ("GET", "/api/v1/tables/t/commands", 405, "OPTIONS, POST"),
        ("GET", "/api/v1/tables/t/stream", 405, ""),
        ("OPTIONS", "/api/v1/tables/t/stream", 405, ""),
        ("POST", "/docs", 405, "GET, HEAD, OPTIONS"),
        ("OPTIONS", "/tables/t", 204, "GET, HEAD, OPTIONS"),
        ("GET", "/tables/t", 200, None),
        ("GET", "/health/more", 200, None),
        ("GET", "/nothing.js", 404, None),
        ("GET", "/api", 404, None),
        ("GET", "/api/v1/nothing", 404, None),
        ("POST", "/api/v1/nothing", 404, None),
        ("GET", "/api/v1/tables/t/nothing", 404, None),
    ],
)
def test_every_address_says_what_is_possible(
    floor: RunningFloor, method: str, path: str, status: int, allow: str | None
) -> None:
    answer = httpx.request(method, f"{floor.url}{path}")
    assert (answer.status_code, answer.headers.get("allow")) == (status, allow)
    if status in (404, 405):
        reason = {404: "not-there", 405: "no-method"}[status]
        assert answer.json()["refusal"]["reason"] == reason
        assert answer.headers["cache-control"] == "no-store"


async def _page(*_: Any) -> Reply:
    return Reply(200, b"")


def test_a_name_goes_before_a_parameter() -> None:
    router = Router(_page)
    for path in ("/accounts/me", "/accounts/{handle}", "/accounts/{handle}/statement"):
        router.add(path, {path: _page})
    assert router.find("/accounts/me") == ({"/accounts/me": _page}, {})
    assert router.find("/accounts/lee") == ({"/accounts/{handle}": _page}, {"handle": "lee"})
    assert router.find("/accounts/lee/statement")[1] == {"handle": "lee"}
    assert router.find("/accounts")[0] is None and router.find("/accounts/lee/other")[0] is None


def test_a_parameter_has_one_name_at_its_place() -> None:
    router = Router(_page)
    router.add("/accounts/{handle}", {"GET": _page})
    with pytest.raises(AssertionError, match="one name"):
        router.add("/accounts/{name}/statement", {"GET": _page})
