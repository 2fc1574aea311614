"""Every call of the client reads what the server sends, as the struct that the server sends."""

from __future__ import annotations

import inspect
import re
from typing import Any

import httpx
import pytest

from punto import books
from punto.client import Client, Refused, ShownTable
from punto.client import client as client_module
from punto.floor.answers import Waiting
from punto.rules.authority import Role
from punto.server.access import PREFIX
from punto.server.app import INSIDE
from punto.server.messages import TableAnswer, TablesAnswer
from punto.table import default_terms

AS_JSON = {TableAnswer: ShownTable, TablesAnswer: client_module._Tables}
"""Where the client leaves the view of a table as JSON."""
WITHOUT = {"DELETE /sessions/current"}  # Calls without an answer.
WAITS = {"POST /tables/{id}/commands"}  # Calls that may wait for a second person.
REFUSED = Refused("x", {}, "x")


def test_every_answer_is_read_as_it_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each method is called once; the endpoint that it asks sends what the method reads."""
    asked: list[str] = []
    read: dict[str, Any] = {}

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(f"{request.method} {request.url.path.removeprefix(PREFIX)}".replace("/x", "/{id}"))
        return httpx.Response(500, json={"refusal": {"reason": "x", "params": {}, "sentence": "x"}})

    def note_kind(_: httpx.Response, kind: Any) -> Refused:
        read[asked[-1]] = kind
        return REFUSED

    monkeypatch.setattr(client_module, "_read", note_kind)
    terms, role = default_terms(books.load("ez")), Role.DEALER
    given: dict[str, Any] = {"id": "x", "terms": terms, "role": role, "amount": 1, "command": {"type": "x"}}
    with Client("http://floor") as client:
        client.http = httpx.Client(base_url=f"http://floor{PREFIX}", transport=httpx.MockTransport(answer))
        for name, method in inspect.getmembers(client, inspect.ismethod):
            if name.startswith("_") or name in ("close", "call"):
                continue
            needed = [p.name for p in inspect.signature(method).parameters.values() if p.default is p.empty]
            assert isinstance(method(**{each: given.get(each, "x") for each in needed}), Refused), name
    assert set(asked) - read.keys() == WITHOUT and len(read) > 10
    endpoints = {f"{each.method} {re.sub('{[^}]*}', '{id}', each.path)}": each for each in INSIDE}
    for call, kind in read.items():
        sent = {endpoints[call].answer, *endpoints[call].also.values()}
        assert {AS_JSON.get(each, each) for each in sent} == {kind, *([Waiting] if call in WAITS else [])}, call
    assert ShownTable.__struct_fields__ == TableAnswer.__struct_fields__
