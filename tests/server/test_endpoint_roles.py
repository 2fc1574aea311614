"""Every role and every command, over HTTP and over a stream: who may give what is for book and terms to say.

The oracle is the table of authorities of the book and the house, not the server. Whoever may not give a
command is refused for that reason, and nothing changes.
"""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from punto.books import load
from punto.client import Client, Refused
from punto.rules.authority import ROLES_OF_PEOPLE, Role, authority_over
from punto.server.app import INSIDE
from punto.server.endpoint import Endpoint
from punto.server.messages import KINDS
from tests.server.running_floor import RunningFloor
from tests.server.samples import sample

BOOK = "commission"
PERSON = {
    Role.PLAYER: "Lee",
    Role.DEALER: "Dan",
    Role.PIT_SUPERVISOR: "Sue",
    Role.PIT_MANAGER: "Mia",
    Role.SHIFT_MANAGER: "Rob",
    Role.CASHIER: "Cas",
    Role.AUDITOR: "Aud",
    Role.ADMINISTRATOR: "Ada",
}
OF_ROLE = ("not-allowed", "not-your-role", "role-needed")


def may_give(role: Role, command: str) -> bool:
    return role in authority_over(command, load(BOOK).authority, ()).roles


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES_OF_PEOPLE)
def test_every_command_over_http(role: Role, floor: RunningFloor) -> None:
    id, client = floor.new_table(BOOK), floor.client(PERSON[role])
    for name in KINDS:
        before = floor.version(id)
        answer = client.give(id, sample(name), role, expected=before)
        check(role, name, answer.reason if isinstance(answer, Refused) else None)
        if isinstance(answer, Refused):
            assert answer.status == (403 if answer.reason in OF_ROLE else answer.status)
            assert floor.version(id) == before
        other = Role.DEALER if role is not Role.DEALER else Role.PLAYER
        claimed = client.give(id, sample(name), other, expected=before)
        assert isinstance(claimed, Refused)
        assert (claimed.status, claimed.reason) == (403, "not-your-role")


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES_OF_PEOPLE)
def test_every_command_over_a_stream(role: Role, floor: RunningFloor) -> None:
    id, client = floor.new_table(BOOK), floor.client(PERSON[role])
    stream = client.stream(id, role=role)
    assert not isinstance(stream, Refused)
    with stream:
        for name in KINDS:
            before = floor.version(id)
            answer = give(stream, {"role": role.value, "command": sample(name), "expected": before})
            check(role, name, answer["refusal"]["reason"] if "refusal" in answer else None)
            if "refusal" in answer:
                assert floor.version(id) == before
            other = Role.DEALER if role is not Role.DEALER else Role.PLAYER
            claimed = give(stream, {"role": other.value, "command": sample(name)})
            assert claimed["refusal"]["reason"] == "not-your-role"


def check(role: Role, name: str, reason: str | None) -> None:
    if may_give(role, name):
        assert reason not in OF_ROLE, (role, name, reason)
    else:
        assert reason in ("not-allowed", "table-closed"), (role, name, reason)


def give(stream: Any, body: dict[str, Any]) -> dict[str, Any]:
    """The answer to a command on a stream; other frames are passed over."""
    from punto.client.api_call import fresh_key

    id = fresh_key()
    stream.send({"type": "command", "id": id, "key": id, **body})
    while True:
        frame: dict[str, Any] = stream.next(60)
        if frame["type"] == "answer" and frame["id"] == id:
            return frame


def test_somebody_without_a_role_watches_nothing(floor: RunningFloor) -> None:
    stream = floor.client("Non").stream(floor.new_table(BOOK))
    assert isinstance(stream, Refused) and (stream.status, stream.reason) == (403, "no-role")


OWN = (
    *("/sessions/current", "/sessions/current/authenticate", "/sessions", "/sessions/{session}"),
    *("/accounts/me/password", "/accounts/me/second-factor", "/accounts/me/second-factor/confirm"),
)


@pytest.mark.parametrize("endpoint", INSIDE, ids=lambda each: f"{each.method} {each.path}")
def test_somebody_without_a_role_reads_and_does_nothing(endpoint: Endpoint, floor: RunningFloor) -> None:
    """Everybody else's session and password are their own; nothing else is."""
    if endpoint.path in OWN or endpoint.is_open or endpoint.is_for_devices:
        return
    path = address_of(endpoint, floor.new_table(BOOK))
    is_command = endpoint.path.endswith("/commands")
    body = {"key": "k", "role": "player", "command": sample("take-seat")} if is_command else {}
    answer = floor.client("Non").http.request(endpoint.method, path, json=body)
    assert answer.status_code == 403, (path, answer.text)
    assert answer.json()["refusal"]["reason"] == ("not-your-role" if is_command else "no-role")


def address_of(endpoint: Endpoint, id: str) -> str:
    path = endpoint.path.replace("{id}", id).replace("{round}", "1").replace("{shoe}", "1")
    return re.sub(r"\{\w+\}", "Lee", path)


@pytest.mark.parametrize("endpoint", INSIDE, ids=lambda each: f"{each.method} {each.path}")
def test_somebody_without_an_account_is_asked_to_log_in(endpoint: Endpoint, floor: RunningFloor) -> None:
    """What is not open, as the calls of guests are, needs a session."""
    if endpoint.is_open:
        return
    answer = httpx.request(
        endpoint.method, f"{floor.url}/api/v1{address_of(endpoint, floor.new_table(BOOK))}", json={}, timeout=60
    )
    assert answer.status_code == 401, (endpoint.path, answer.text)


@pytest.mark.gli("B.2.3")
def test_a_role_that_is_taken_away_is_gone_at_once(floor: RunningFloor) -> None:
    admin = floor.client("Ada")
    body = {"name": "Tom", "password": "something long", "roles": ["dealer"]}
    assert admin.http.post("/people", json=body).status_code == 201
    id = floor.new_table(BOOK)
    with Client(floor.url) as tom:
        tom.log_in("Tom", "something long")
        assert not isinstance(tom.give(id, {"type": "load-shoe"}, Role.DEALER, expected=1), Refused)
        assert admin.http.put("/people/Tom/roles", json={"roles": []}).status_code == 200
        gone = tom.give(id, {"type": "call-bets"}, Role.DEALER, expected=2)
        assert isinstance(gone, Refused) and gone.reason == "not-your-role"
