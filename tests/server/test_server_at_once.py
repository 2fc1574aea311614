"""The same thing sent many times at once, on either database: it happens once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from punto.client import Refused, Waiting
from punto.rules.authority import Role
from punto.server.sessions import Caller, SessionBook
from punto.store.errors import StoreLocked
from punto.store.people import administrators, lock_people, roles_of, set_roles
from punto.store.pit import approval_of
from punto.store.store import open_store
from tests.server.running_floor import RunningFloor, running_floor
from tests.server.test_table_routes_approvals import TWO, asked
from tests.server.test_table_routes_commands import BET, opened_round

CROWD = 8


@pytest.fixture
def floor(database: str) -> Iterator[RunningFloor]:
    with running_floor(database) as made:
        yield made


def at_once(call: Callable[[int], Any], number: int = CROWD) -> list[Any]:
    """What comes of a call that many threads make at the same moment."""
    gate = Barrier(number)

    def together(n: int) -> Any:
        gate.wait(60)
        return call(n)

    with ThreadPoolExecutor(number) as crowd:
        return list(crowd.map(together, range(number)))


class Sender:
    """Sends requests over a connection of its own each time."""

    def __init__(self, floor: RunningFloor, name: str) -> None:
        self._url = f"{floor.url}/api/v1"
        session = floor.client(name).session
        assert session is not None
        self._headers = {"authorization": f"Bearer {session.token}"}

    def send(self, path: str, body: dict[str, Any], method: str = "POST") -> httpx.Response:
        return httpx.request(method, self._url + path, json=body, headers=self._headers, timeout=60)


def statuses(answers: list[httpx.Response]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


@pytest.mark.slow
def test_money_moves_once_for_each_key(floor: RunningFloor) -> None:
    cashier = Sender(floor, "Cas")
    bought = {"key": "in", "account": "Lee", "amount": 50_000}
    answers = at_once(lambda _: cashier.send("/cashier/buy-in", bought))
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
    taken = [{"key": f"out{n}", "account": "Lee", "amount": 10_000} for n in range(CROWD)]
    assert statuses(at_once(lambda n: cashier.send("/cashier/cash-out", taken[n]))) == [200] * 5 + [409] * 3
    fix = {"key": "fix", "account": "Lee", "amount": 700, "reason": "not booked"}
    waiting = at_once(lambda _: cashier.send("/cashier/correct", fix))
    assert statuses(waiting) == [202] * CROWD and len({answer.content for answer in waiting}) == 1
    path, manager, other = (f"/approvals/{waiting[0].json()['approval']}", *(Sender(floor, n) for n in ("Mia", "Rob")))
    decided = at_once(lambda n: (manager, other)[n % 2].send(path, {"decision": "approve"}))
    assert statuses(decided) == [200] * 4 + [409] * 4, "one of the two was first, and may say it again"
    assert floor.client("Lee").http.get("/accounts/me").json()["free"] == 700


@pytest.mark.slow
def test_a_bet_is_placed_once_over_requests_and_streams(floor: RunningFloor) -> None:
    id, lee = opened_round(floor, "ez"), floor.client("Lee")
    before, player = floor.version(id), Sender(floor, "Lee")
    body = {"key": "k", "role": "player", "command": BET}
    tickets = [lee.http.post("/tickets").json()["ticket"] for _ in range(CROWD)]

    def streamed(ticket: str) -> int:
        with connect(f"{floor.url.replace('http', 'ws')}/api/v1/tables/{id}/stream") as line:
            line.send(json.dumps({"type": "hello", "ticket": ticket, "after": before}))
            line.send(json.dumps({"type": "command", "id": "c", **body}))
            while (frame := json.loads(line.recv(60)))["type"] != "answer":
                pass
            return int(frame["version"])

    def sent(n: int) -> int:
        if n % 2:
            return streamed(tickets[n])
        return int(player.send(f"/tables/{id}/commands", body).json()["version"])

    assert at_once(sent) == [before + 1] * CROWD and floor.version(id) == before + 1


@pytest.mark.slow
def test_a_ticket_opens_one_stream(floor: RunningFloor) -> None:
    id, ticket = floor.new_table("ez"), floor.client("Lee").http.post("/tickets").json()["ticket"]

    def opened(_: int) -> str | int:
        with connect(f"{floor.url.replace('http', 'ws')}/api/v1/tables/{id}/stream") as line:
            line.send(json.dumps({"type": "hello", "ticket": ticket}))
            try:
                return str(json.loads(line.recv(60))["type"])
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd is not None else "cut"

    assert sorted(map(str, at_once(opened))) == ["4401"] * (CROWD - 1) + ["snapshot"]


@pytest.mark.slow
def test_rules_about_all_people_hold(floor: RunningFloor) -> None:
    one, two = Sender(floor, "Ada"), Sender(floor, "Eve")
    names = [{"name": name, "password": "correct horse"} for name in ("Zoe", "ZOE", "zoe", "Ｚoe") * 2]
    assert statuses(at_once(lambda n: one.send("/people", names[n]))) == [201] + [409] * 7
    paths = [f"/people/{name}/roles" for name in ("Eve", "Ada")]
    gone = statuses(at_once(lambda n: (one, two)[n].send(paths[n], {"roles": []}, "PUT"), 2))
    assert gone in ([200, 409], [200, 403]), "the last one stays; or whoever is not one any more is refused"
    with floor.store.read() as reader:
        assert administrators(reader) == 1


@pytest.mark.slow
def test_who_has_just_lost_the_rank_agrees_to_nothing(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process took the role away, and the session is still remembered as it was."""
    table = floor.new_table("commission", authority=TWO)
    waiting = asked(floor, table)
    assert isinstance(waiting, Waiting)
    mia = floor.client("Mia")
    assert mia.http.get("/approvals").json()["approvals"]
    session = floor.app_state.sessions._remembered

    async def as_it_was(_: SessionBook, secret: str) -> Caller | None:
        return session[secret][1]

    monkeypatch.setattr(SessionBook, "_current", as_it_was)
    with floor.store.write() as transaction:
        set_roles(transaction, "Mia", (Role.PLAYER,), "Ada", 1)
        assert Role.PIT_MANAGER not in roles_of(transaction, "Mia")
    answer = mia.http.post(f"/approvals/{waiting.approval}", json={"decision": "approve"})
    assert answer.status_code == 403 and answer.json()["refusal"]["reason"] == "rank-needed"
    assert floor.version(table) == 1


def test_a_lock_is_for_one_transaction_at_a_time(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.store.sqlite.BUSY_MS", 10)
    monkeypatch.setattr("punto.store.postgres.LOCK_MS", 10)
    with open_store(database) as store:
        with store.write() as first:
            lock_people(first)
            with pytest.raises(StoreLocked), store.write() as second:
                lock_people(second)
        with store.write() as third:
            lock_people(third)


@pytest.mark.slow
def test_a_key_is_for_one_act_whatever_the_call(floor: RunningFloor) -> None:
    """A correction waits in another table of the database than what is done at once."""
    cashier, sue = Sender(floor, "Cas"), Sender(floor, "Sue")
    assert not isinstance(floor.client("Cas").buy_in("Lee", 100_000), Refused)
    for n in range(6):
        money = {"key": f"k{n}", "account": "Lee", "amount": 100}
        fix = {**money, "reason": "not booked"}
        calls = [
            ("/cashier/cash-out", money),
            ("/cashier/correct", fix),
            ("/cashier/buy-in", money),
            ("/cashier/correct", {**fix, "amount": 200}),
        ] * 2
        assert_one_act(calls, sent_at_once(cashier, calls))
        with floor.store.read() as reader:
            is_done, is_asked = reader.answer("Cas", f"k{n}"), approval_of(reader, "Cas", f"k{n}")
            assert (is_done is None) is not (is_asked is None)
        two, one = floor.new_table("ez", authority=TWO), floor.new_table("ez")
        pause = {"key": f"p{n}", "role": "pit-supervisor", "command": {"type": "pause-table"}}
        paused = [(f"/tables/{id}/commands", pause) for id in (two, one)] * 2
        assert_one_act(paused, sent_at_once(sue, paused))
        with floor.store.read() as reader:
            is_done, is_asked = reader.answer("Sue", f"p{n}"), approval_of(reader, "Sue", f"p{n}")
            assert (is_done is None) is not (is_asked is None)


def sent_at_once(sender: Sender, calls: list[Any]) -> list[httpx.Response]:
    return at_once(lambda n: sender.send(*calls[n]), len(calls))


def assert_one_act(calls: list[Any], answers: list[httpx.Response]) -> None:
    """One of these calls was taken, and has its answer each time; the others are told of the key."""
    taken = {json.dumps(call) for call, answer in zip(calls, answers, strict=True) if answer.status_code in (200, 202)}
    refused = [answer for answer in answers if answer.status_code not in (200, 202)]
    assert len(taken) == 1
    assert {(a.status_code, a.json()["refusal"]["reason"]) for a in refused} == {(409, "key-reused")}
