"""Every call of the API has a method, which sends what the server takes and reads what it sends."""

from __future__ import annotations

import inspect
import re
from decimal import Decimal
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

import msgspec
import pytest

from punto import books
from punto.client import AsyncClient, Client, ShownTable
from punto.client.api_call import ApiCall, Method, own_fields
from punto.floor.answers import Waiting
from punto.roads.roads import parse_results
from punto.server.access import PREFIX
from punto.server.app import INSIDE, OUTSIDE
from punto.server.endpoint import Endpoint
from punto.server.messages import TableAnswer
from punto.server.openapi import openapi_document
from punto.server.validation import read_query
from punto.table import default_terms

METHODS: dict[str, Method[..., Any]] = {
    name: method for name, method in inspect.getmembers(Client) if isinstance(method, Method)
}
ENDPOINTS = {(each.method, path): each for base, some in ((PREFIX, INSIDE), ("", OUTSIDE)) for each in some
             for path in [f"{base}{each.path}"]}  # fmt: skip
LOADED = ("punto.floor.answers", "punto.store.record")
"""Where a client finds structs of answers without loading what reads a database; the rest it reads as JSON."""
REPORTS = ("floor", "table", "cashier", "player", "staff", "alterations")
PACE = dict.fromkeys(("bets", "antes", "insurance", "squeeze", "cards", "rounds"), 1000)
GIVEN: dict[str, Any] = {
    **{"id": "t1", "round": 3, "number": 3, "limit": 20, "before": 9, "after": 1, "role": "dealer", "after_": 1},
    **{"terms": default_terms(books.load("ez")), "command": {"type": "pause-table"}, "expected": 7, "at": 2},
    **{"dealer": "automatic", "pace": PACE, "bots": ("banker",), "decision": "decline", "answer": "cleared"},
    **{"cards": "2♠ KH", "card": "K♠", "decks": 6, "removed": "AS", "shoe": "live", "latest": True, "all": True},
    **{"limits": ({"what": "stake", "period": "day", "amount": 5},), "days": 3, "minutes": 30, "amount": 1250},
    **{"chips": {"100": 5}, "roles": ("player", "dealer"), "currency": "EUR", "kind": "test", "rules": {}},
    **{"buy_in": "12.50", "hours": 4, "day": "2026-01-31", "month": "2026-01", "year": "2026", "from_": 1, "to": 2},
    **{"rounds": "1-9", "on": False, "roads": ("big",), "mirrored": True, "code": True, "address": "http://floor"},
    **{"amount_over": "5", "result": "tie", "event": 4, "anchor": {}, "public_keys": ("0" * 64,), "format": "json"},
    **{"results": ({"winner": "banker"},), "table": "t1", "digest": "ez", "file": "book.toml"},
    **{"is_large": True, "act": "buy-in"},
}
"""What is given for each parameter; a text where nothing is said."""
OTHERWISE: dict[str, dict[str, Any]] = {
    "add_slip": {"kind": "fill"},
    "find_rounds": {"before": "1/t1/1"},
    "odds": {"shoe": "live"},
    "shoe_check": {"shoe": 3},
    "watch_shoe": {"shoe": 3},
    "log_in": {"code": "123456"},
    "enter": {"code": "x"},
    "confirm_second_factor": {"code": "x"},
    "join": {"code": "x"},
    "answer_dispute": {"answer": "no"},
    "significant_events": {"code": "table-opened"},
    "significant_events_file": {"code": "table-opened", "format": "csv"},
    "make_invitations": {"role": "player"},
}
"""Where a parameter of this name means another thing."""


def described(name: str, *, is_whole: bool, **more: Any) -> ApiCall[Any]:
    """The call of a method: with every parameter, or only with those that it needs."""
    method = METHODS[name]
    given = {**GIVEN, **OTHERWISE.get(name, {}), **more}
    asked = list(inspect.signature(method.describe).parameters.values())[1:]
    return method.describe(None, **{p.name: given.get(p.name, "x") for p in asked if is_whole or p.default is p.empty})


def test_results_for_the_roads_are_text_too() -> None:
    typed: list[dict[str, Any]] = [{"winner": "banker", "banker_pair": True, "player_pair": False}, {"winner": "tie"}]
    whole = {"banker_pair": False, "player_pair": False}
    ways: tuple[Any, ...] = ("BbT", parse_results("BbT"), typed)
    for results in ways:
        call = described("draw_roads", is_whole=True, results=results)
        assert [{**whole, **each} for each in call.body["results"]] == [{**whole, **each} for each in typed]
    with pytest.raises(ValueError, match="character 2 of the results, 'X'"):
        described("draw_roads", is_whole=True, results="BX")


def calls_of(name: str, *, is_whole: bool) -> list[ApiCall[Any]]:
    if name in ("report", "report_file"):
        return [described(name, is_whole=is_whole, kind=kind) for kind in REPORTS]
    return [described(name, is_whole=is_whole)]


def endpoint_of(call: ApiCall[Any]) -> Endpoint:
    """The endpoint that a call asks; one without parameters in its path comes before one with them."""
    path = call.path if call.is_outside else f"{PREFIX}{call.path}"
    fitting = [
        (found.count("{"), found)
        for method, found in ENDPOINTS
        if method == call.method and re.fullmatch(re.sub(r"{[^}]*}", "[^/]+", found), path)
    ]
    assert fitting, f"the server has no {call.method} {path}"
    return ENDPOINTS[call.method, min(fitting)[1]]


def fields_of(kind: Any) -> set[str]:
    return set() if kind is None else {each.encode_name for each in msgspec.structs.fields(kind)}


def test_every_call_of_the_document_has_a_method() -> None:
    asked = {id(endpoint_of(call)) for name in METHODS for call in calls_of(name, is_whole=True)}
    paths = openapi_document(INSIDE, OUTSIDE)["paths"]
    operations = [(method.upper(), path) for path, methods in paths.items() for method in methods]
    assert [operation for operation in operations if id(ENDPOINTS[operation]) not in asked] == []


@pytest.mark.parametrize("is_whole", [True, False], ids=["with everything", "with what it needs"])
def test_what_is_sent_is_what_the_server_takes(is_whole: bool) -> None:
    for call in (call for name in METHODS for call in calls_of(name, is_whole=is_whole)):
        endpoint = endpoint_of(call)
        assert (call.body is None) == (endpoint.body is None), call
        if endpoint.body is not None:
            msgspec.json.decode(msgspec.json.encode(call.body), type=endpoint.body)
        if endpoint.query is not None:
            read_query({field: [value] for field, value in call.query.items()}, endpoint.query)
        if is_whole:
            assert set(call.query) == fields_of(endpoint.query), call
            assert set(call.body or ()) == fields_of(endpoint.body), call


def test_what_is_read_is_what_the_server_sends() -> None:
    for call, kind in ((call, METHODS[name].kind) for name in METHODS for call in calls_of(name, is_whole=False)):
        endpoint = endpoint_of(call)
        if endpoint.files:
            assert kind is bytes, call
        elif endpoint.answer is None:
            assert kind is NoneType, call
        elif call.inner:
            hints = {each.encode_name: each.type for each in msgspec.structs.fields(endpoint.answer)}
            assert get_args(kind) == tuple(
                ShownTable if one is TableAnswer else one for one in get_args(hints[call.inner])
            )
        elif endpoint.answer is TableAnswer:
            assert kind is ShownTable
        elif endpoint.answer.__module__ in LOADED:
            kinds = set(get_args(kind)) if get_origin(kind) is UnionType else {kind}
            assert kinds == {endpoint.answer, *endpoint.also.values()}, call
        else:
            assert kind == dict[str, Any], call
        assert set(call.accepted) == {status for status in endpoint.also if status >= 400}
        assert (202 in (endpoint.status, *endpoint.also)) == (Waiting in (kind, *get_args(kind)))


def test_a_shown_table_has_the_fields_that_are_sent() -> None:
    assert ShownTable.__struct_fields__ == TableAnswer.__struct_fields__


def test_both_clients_have_the_same_methods() -> None:
    def own(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")}

    assert own(Client) == own(AsyncClient) and own(Client) >= METHODS.keys()
    assert all(METHODS[name].__doc__ for name in METHODS)


def test_roles_and_amounts_are_text() -> None:
    with Client("http://floor") as client:
        with pytest.raises(ValueError, match=r"'dealr' is not a role \(did you mean dealer\?\)"):
            client.table("t1", role="dealr")
        with pytest.raises(ValueError, match=r"12\.5 is not an amount: give minor units"):
            client.buy_in("Lee", 12.5)
    assert described("buy_in", is_whole=False, amount="1,000").body["amount"] == 100_000
    assert described("table", is_whole=True).query == {"role": "dealer"}


def test_cards_to_remove_are_named_as_the_server_reads_them() -> None:
    for removed, sent in (("8S 8♥", "8S,8H"), (["8S", "8H"], "8S,8H"), ("8", "8"), ("8, KD", "8,KD"), ("", "")):
        assert METHODS["book_odds"].describe(None, "ez", removed=removed).query["removed"] == sent


def test_the_amount_of_a_command_may_be_text_or_any_number_that_is_whole() -> None:
    bet = {"type": "place-bet", "round": 1, "box": 1, "area": "banker"}
    for amount, sent in ((1250, 1250), (1250.0, 1250), ("12.50", 1250), (Decimal("12.5"), 1250)):
        assert own_fields({**bet, "amount": amount}) == {**bet, "amount": sent}
    with pytest.raises(ValueError, match=r"1000\.5 is not an amount: give minor units"):
        own_fields({**bet, "amount": 1000.5})
    anything: Any = own_fields
    for wrong in ("Lee: bet 1 banker 10", None):
        with pytest.raises(ValueError, match=r"is not a command; give one of punto\.table"):
            anything(wrong)


def test_the_amount_of_a_limit_may_be_text_too_and_minutes_are_minutes() -> None:
    given: list[dict[str, Any]] = [
        {"what": "loss", "period": "day", "amount": "200"},
        {"what": "time", "period": "day", "amount": 120},
    ]
    sent = [{**given[0], "amount": 200_00}, given[1]]
    assert described("set_limits", is_whole=False, limits=given).body["limits"] == sent
    assert described("set_limits_of", is_whole=False, limits=given).body["limits"] == sent
    with pytest.raises(ValueError, match=r"12\.5 is not an amount"):
        METHODS["set_limits"].describe(None, [{**given[0], "amount": 12.5}])
