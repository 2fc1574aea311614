"""What the client reads is what the server sends: every call, every field, every type."""

from __future__ import annotations

import inspect
import re
from typing import Any

import httpx
import msgspec
import pytest

from punto import books
from punto.client import client as messages
from punto.client.client import Client, ClientSession, Done, Events, Refused, ShownTable, Ticket
from punto.floor.answers import Account, Moved, Waiting
from punto.refusal import RefusalText
from punto.rules.authority import Role
from punto.server.access import PREFIX
from punto.server.app import INSIDE
from punto.store.record import PitCall
from punto.table import default_terms
from tests.client.agreement import differences

CALLS: dict[str, dict[int, Any]] = {
    "POST /sessions": {201: ClientSession},
    "DELETE /sessions/current": {204: None},
    "POST /tickets": {200: Ticket},
    "GET /tables": {200: messages._Tables},
    "GET /tables/{id}": {200: ShownTable},
    "POST /tables": {201: dict[str, Any]},
    "GET /tables/{id}/events": {200: Events},
    "POST /tables/{id}/commands": {200: Done, 202: Waiting},
    "POST /approvals/{id}": {200: Done},
    "POST /tables/{id}/pit-calls": {200: PitCall, 201: PitCall},
    "GET /pit-calls": {200: messages._PitCalls},
    "POST /pit-calls/{id}": {200: PitCall},
    "GET /accounts/me": {200: Account},
    "POST /cashier/buy-in": {200: Moved},
    "POST /cashier/cash-out": {200: Moved},
}
"""Every call that the client makes: by status, what it reads the answer as."""
MEANT = {
    "Done.decision: is sent and not read",
    "Refused.status: is read and not sent",
    "Refused.retry_after: is read and not sent",
}
"""Differences that are meant: what the client passes over, and what it takes from the answer's head."""
ENDPOINTS = {f"{each.method} {re.sub('{[^}]*}', '{id}', each.path)}": each for each in INSIDE}


@pytest.mark.parametrize("call", CALLS)
def test_every_answer_is_read_as_it_is_sent(call: str) -> None:
    endpoint = ENDPOINTS[call]
    sent = {endpoint.status: endpoint.answer, **endpoint.also}
    assert sent.keys() == CALLS[call].keys()
    for status, read in CALLS[call].items():
        if read is None:
            assert sent[status] is None
        else:
            assert set(differences(sent[status], read)) <= MEANT


def test_a_refusal_is_read_as_it_is_sent() -> None:
    assert set(differences(RefusalText, Refused)) <= MEANT


def test_these_are_all_calls_and_all_messages() -> None:
    """Each method is called once; what it asked for is among the calls above, and nothing else is there."""
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(f"{request.method} {request.url.path.removeprefix(PREFIX)}".replace("/x", "/{id}"))
        return httpx.Response(500, json={"refusal": {"reason": "x", "params": {}, "sentence": "x"}})

    terms, role = default_terms(books.load("ez")), Role.DEALER
    given: dict[str, Any] = {"id": "x", "terms": terms, "role": role, "amount": 1, "command": {"type": "x"}}
    with Client("http://floor") as client:
        client.http = httpx.Client(base_url=f"http://floor{PREFIX}", transport=httpx.MockTransport(answer))
        for name, method in inspect.getmembers(client, inspect.ismethod):
            if name.startswith("_") or name in ("close", "call"):
                continue
            needed = [p.name for p in inspect.signature(method).parameters.values() if p.default is p.empty]
            assert isinstance(method(**{each: given.get(each, "x") for each in needed}), Refused), name
    assert set(asked) == CALLS.keys()
    here = [each for each in vars(messages).values() if getattr(each, "__module__", "") == messages.__name__]
    structs = {each for each in here if hasattr(each, "__struct_fields__")}
    inner = {messages.SentRecord, messages.LegalCommand, messages._RefusalBody, Refused}
    assert structs - inner == {kind for each in CALLS.values() for kind in each.values() if kind in structs}


class _Inner(msgspec.Struct):
    at: int | None


class _Certain(msgspec.Struct):
    at: int


class _Empty(msgspec.Struct):
    pass


class _Sent(msgspec.Struct, omit_defaults=True):
    role: Role
    rows: tuple[_Inner, ...]
    by: dict[str, int]
    perhaps: int = 0


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("role", int, "Role is read as int"),
        ("rows", tuple[str, ...], "_Inner is read as str"),
        ("rows", tuple[dict[str, int], ...], "any is read as int"),
        ("by", dict[str, str], "int is read as str"),
        ("more", int, "is read and not sent"),
        ("perhaps", int, "may be absent, and must be there"),
        ("rows", tuple[_Certain, ...], "none is read as int"),
        ("rows", tuple[_Empty, ...], "is sent and not read"),
    ],
)
def test_every_kind_of_difference_is_seen(name: str, kind: Any, words: str) -> None:
    fields: dict[str, Any] = {"role": str, "rows": tuple[_Inner, ...], "by": dict[str, int]}
    right = msgspec.defstruct("Read", [*fields.items(), ("perhaps", int, 0)])
    assert differences(_Sent, right) == []
    wrong = msgspec.defstruct("Read", list({**fields, name: kind}.items()))
    assert any(words in each for each in differences(_Sent, wrong)), differences(_Sent, wrong)
