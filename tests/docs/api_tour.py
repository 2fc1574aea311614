"""One evening at a floor over HTTP: every call of the API once, as its page shows it.

`tools/reference.py` writes the exchanges to docs/reference/api-calls.md. Tokens, times and digests differ each time
and stand there as fixed words; everything else is what a server really answered.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import httpx
import msgspec
import pyotp

from punto.books import load
from punto.table.terms import default_terms
from tests.server.running_floor import PASSWORD, RunningFloor, running_floor

DAY = "2026-11-17"
"""The day of the evening, as it is shown."""
MOMENT = 1_794_942_000_000  # Milliseconds, as they are shown.
EARLIER = "2026-01-05"  # A gaming day that is long over.


class Exchange(NamedTuple):
    """One request and its answer."""

    call: str  # Such as `POST /tables/{id}/commands`.
    who: str  # The role that asks.
    address: str
    body: Any
    status: int
    kind: str  # The media type of the answer.
    answer: Any  # JSON, or the text of a file.


class Tour:
    """Somebody asks something, and it is written down."""

    def __init__(self, floor: RunningFloor, stranger: httpx.Client) -> None:
        self.floor, self.stranger = floor, stranger
        self.exchanges: dict[str, Exchange] = {}

    def ask(
        self,
        who: str,
        call: str,
        body: Any = None,
        /,
        *,
        headers: dict[str, str] | None = None,
        query: str = "",
        **names: Any,
    ) -> Any:
        """Ask, and keep the exchange unless the call is shown already."""
        method, path = call.split(" ")
        address = re.sub(r"\{(\w+)\}", lambda match: str(names[match[1]]), path) + (f"?{query}" if query else "")
        client = self.floor.client(who).http if who else self.stranger
        answer = client.request(method, address, json=body, headers=headers, timeout=300)
        kind = answer.headers.get("content-type", "").partition(";")[0]
        told = answer.json() if kind == "application/json" else answer.text if kind.startswith("text") else None
        self.exchanges.setdefault(call, Exchange(call, who, address, body, answer.status_code, kind, told))
        assert answer.status_code < 500, (call, answer.text)
        return told

    def give(self, who: str, command: dict[str, Any], role: str, table: str = "t1") -> Any:
        """A command at a table; dealers and the pit name the version."""
        body: dict[str, Any] = {
            "key": f"k{len(self.exchanges)}-{self.floor.version(table)}",
            "role": role,
            "command": command,
        }
        if role != "player":
            body["expected"] = self.floor.version(table)
        return self.ask(who, "POST /tables/{id}/commands", body, id=table)


@contextmanager
def evening() -> Iterator[Tour]:
    with (
        TemporaryDirectory() as folder,
        patch.dict(os.environ, {"XDG_CONFIG_HOME": f"{folder}/config"}),
        running_floor(str(Path(folder) / "house.db"), days=f"{folder}/days") as floor,
        httpx.Client(base_url=f"{floor.url}/api/v1") as stranger,
    ):
        auditor = floor.client("Aud").http
        while not auditor.get("/audit/events?code=server-started").json()["events"]:
            pass  # it is written beside the first requests, and would be now before and now after them
        yield Tour(floor, stranger)


def exchanges() -> dict[str, Exchange]:
    """Every call with an exchange, by method and address."""
    with evening() as tour:
        for part in (_arrivals, _money, _tables, _a_round, _looking_back, _players, _pit, _house, _studies, _records):
            part(tour)
        now = datetime.now(UTC)  # Until six in the morning the gaming day is still that of yesterday.
        today = dict.fromkeys((f"{now:%Y-%m-%d}", f"{now - timedelta(hours=6):%Y-%m-%d}"), DAY)
        return {call: _fixed(exchange, tour.floor.url, today) for call, exchange in tour.exchanges.items()}


def _arrivals(tour: Tour) -> None:
    ask = tour.ask
    ask("", "POST /sessions", {"name": "Lee", "password": PASSWORD})
    ask("", "POST /sessions/entry", {"code": "9d1f"})
    for call in ("GET /sessions/current", "GET /sessions", "POST /tickets"):
        ask("Lee", call)
    ask("Lee", "POST /sessions/current/authenticate", {"password": PASSWORD})
    other = ask("", "POST /sessions", {"name": "Kim", "password": PASSWORD})
    mine = ask("Kim", "GET /sessions")["sessions"]
    ask("Kim", "DELETE /sessions/{session}", session=next(one["session"] for one in mine if not one["current"]))
    assert other["account"] == "Kim"
    ask("Ada", "POST /people", {"name": "Ann", "password": PASSWORD, "roles": ["dealer"]})
    ask("Ada", "GET /people")
    ask("Ada", "PUT /people/{handle}/roles", {"roles": ["dealer", "player"]}, handle="Ann")
    ask("Ada", "PUT /people/{handle}/password", {"password": PASSWORD}, handle="Ann")
    ask("Ada", "GET /people/{handle}/sessions", handle="Ann")
    ask("Ada", "DELETE /people/{handle}/sessions", handle="Ann")
    ask("Ada", "GET /people/{handle}/second-factor", handle="Ann")
    ask("Ada", "POST /people/{handle}/shut", {"reason": "left the house"}, handle="Ann")
    ask("Ada", "POST /people/{handle}/open", {"reason": "is back"}, handle="Ann")
    ask("Ada", "POST /accounts", {"name": "Tom", "kind": "test"})
    ask("Ada", "POST /accounts/{handle}/erase", handle="Tom")


def _money(tour: Tour) -> None:
    ask, chips = tour.ask, [{"value": 10_000, "count": 20}]
    ask("Cas", "POST /cashier/shift/open", {"chips": chips})
    ask("Cas", "GET /cashier/cash", query="account=Lee&act=buy-in&amount=100000")
    moved = ask("Cas", "POST /cashier/buy-in", {"key": "b1", "account": "Lee", "amount": 100_000})
    ask("Cas", "POST /cashier/cash-out", {"key": "c1", "account": "Lee", "amount": 10_000})
    waits = ask("Cas", "POST /cashier/correct", {"key": "d1", "account": "Lee", "amount": 500, "reason": "miscounted"})
    ask("Mia", "GET /approvals")
    ask("Mia", "GET /approvals/{approval}", approval=waits["approval"])
    ask("Mia", "POST /approvals/{approval}", {"decision": "approve"}, approval=waits["approval"])
    ask("Cas", "GET /cashier/accounts", query="name=le")
    for call in ("GET /cashier/receipts", "GET /cashier/shift", "GET /accounts"):
        ask("Cas", call)
    ask("Cas", "GET /cashier/accounts/{handle}", handle="Lee")
    ask("Cas", "GET /cashier/accounts/{handle}/statement", handle="Lee")
    ask("Cas", "GET /receipts/{number}", number=moved["receipt"])
    ask("Aud", "GET /cashier/shifts/{handle}", handle="Cas")
    ask("Cas", "POST /cashier/shift/close", {"chips": chips})


def _tables(tour: Tour) -> None:
    ask = tour.ask
    terms = msgspec.to_builtins(default_terms(load("commission")))
    entered = {**terms, "source": "entered", "burn": "none"}
    ask("Rob", "POST /tables", {"table": "t1", "book": "commission", "role": "shift-manager", "terms": entered})
    ask("Lee", "GET /tables")
    ask("Lee", "GET /tables/{id}", id="t1")
    ask("Rob", "GET /tables/{id}/running", id="t1")
    ask("Rob", "PUT /tables/{id}/running", {"dealer": "person"}, id="t1")
    waits = ask("Dan", "POST /tables/{id}/rack", _slip("open"), id="t1")
    ask("Sue", "POST /approvals/{approval}", {"decision": "approve"}, approval=waits["approval"])
    ask("Dan", "GET /tables/{id}/rack", id="t1")
    ask("Dan", "GET /tables/{id}/board", id="t1")
    board = {"on": True, "language": "en", "roads": ["big", "bead"], "mirrored": False, "code": True, "address": ""}
    ask("Dan", "PUT /tables/{id}/board", board, id="t1")
    ask("Dan", "POST /tables/{id}/board/key", id="t1")
    ask("Dan", "DELETE /tables/{id}/board/key", id="t1")
    ask("", "GET /board/code/{id}", id="t1", query="address=https://floor.example")
    typed = {"winner": "banker", "banker_pair": False, "player_pair": True, "natural": False}
    ask("", "POST /roads", {"results": [typed, {**typed, "winner": "tie"}]})
    issued = ask("Rob", "POST /devices", {"table": "t1", "name": "shoe-7"})
    ask("Rob", "GET /devices")
    key = {"authorization": f"Bearer {issued['key']}"}
    ask("", "POST /device/alive", headers=key)
    tour.give("Dan", {"type": "load-shoe"}, "dealer")
    tour.exchanges.pop("POST /tables/{id}/commands")  # a bet shows more
    tour.give("Dan", {"type": "call-bets"}, "dealer")
    tour.exchanges.pop("POST /tables/{id}/commands")
    tour.give("Lee", {"type": "take-seat", "box": 1}, "player")
    tour.exchanges.pop("POST /tables/{id}/commands")
    tour.give("Lee", {"type": "place-bet", "round": 1, "box": 1, "area": "banker", "amount": 10_000}, "player")
    tour.give("Dan", {"type": "close-bets"}, "dealer")
    ask("", "POST /device/readings", {"key": "r1", "card": "KS", "table": "t1"}, headers=key)
    ask("Rob", "DELETE /devices/{device}", device=issued["device"])


def _slip(kind: str) -> dict[str, Any]:
    return {"key": f"s-{kind}", "kind": kind, "chips": [{"value": 10_000, "count": 20}], "role": "dealer"}


def _a_round(tour: Tour) -> None:
    ask = tour.ask
    ask("Lee", "POST /tables/{id}/advice", {"cards": ["KS", "9H"]}, id="t1")
    called = ask("Dan", "POST /tables/{id}/pit-calls", {"reason": "a card lies with the wrong hand"}, id="t1")
    ask("Sue", "GET /pit-calls")
    ask("Sue", "GET /pit/tables")
    ask("Sue", "POST /pit/alerts", {"alert": tour.exchanges["GET /pit/tables"].answer["alerts"][0]["alert"]})
    ask("Sue", "POST /pit-calls/{call}", {"answer": "coming"}, call=called["call"])
    for card in ("9H", "3D", "8C"):
        tour.give("Dan", {"type": "deal-card", "card": card}, "dealer")
    while "settle-round" not in {one["type"] for one in _legal(tour)}:
        tour.give("Dan", {"type": "deal-card", "card": "2S"}, "dealer")
    tour.give("Dan", {"type": "settle-round"}, "dealer")


def _legal(tour: Tour) -> list[dict[str, Any]]:
    shown = tour.floor.client("Dan").http.get("/tables/t1").json()
    return [one.get("command", one) for one in shown["legal"]]


def _looking_back(tour: Tour) -> None:
    ask = tour.ask
    ask("Lee", "GET /tables/{id}/events", id="t1", query="after=5&limit=2")
    ask("Dan", "GET /tables/{id}/dealing", id="t1")
    for part in ("roads", "history", "statistics", "cases", "odds"):
        ask("Lee", f"GET /tables/{{id}}/{part}", id="t1")
    ask("Lee", "GET /tables/{id}/rounds/{round}", id="t1", round=1)
    for part in ("", "/costs", "/statement", "/rounds", "/play", "/limits", "/second-factor"):
        ask("Lee", f"GET /accounts/me{part}")
    raised = ask("Lee", "POST /rounds/{id}/{round}/dispute", {"text": "I was paid too little."}, id="t1", round=1)
    ask("Lee", "GET /accounts/me/disputes")
    ask("Mia", "GET /disputes")
    answer = {"answer": "Banker pays 0.95 to 1: 95 on your 100."}
    ask("Mia", "POST /disputes/{dispute}", answer, dispute=raised["dispute"])


def _players(tour: Tour) -> None:
    ask = tour.ask
    ask("Lee", "PUT /accounts/me/limits", {"limits": [{"what": "loss", "period": "day", "amount": 50_000}]})
    ask("Lee", "PUT /accounts/me/reality-check", {"minutes": 60})
    ask("Lee", "POST /accounts/me/reality-check")
    limits = {"limits": [{"what": "stake", "period": "day", "amount": 200_000}], "reason": "agreed with Lee"}
    ask("Mia", "PUT /people/{handle}/limits", limits, handle="Lee")
    ask("Mia", "GET /people/{handle}/limits", handle="Lee")
    ask("Mia", "GET /people/{handle}/play", handle="Lee")
    ask("Mia", "POST /people/{handle}/exclusion", {"reason": "agreed with Kim", "days": 30}, handle="Kim")
    ask("Mia", "POST /people/{handle}/readmission", {"reason": "asked for by Kim"}, handle="Kim")
    ask("Max", "POST /accounts/me/exclusion", {"days": 7})
    begun = ask("Kim", "POST /accounts/me/second-factor")
    code = pyotp.TOTP(begun["secret"]).now()
    ask("Kim", "POST /accounts/me/second-factor/confirm", {"code": code})
    ask("Ada", "POST /people/{handle}/second-factor/remove", {"reason": "lost the telephone"}, handle="Kim")
    ask("Non", "PUT /accounts/me/password", {"password": "another horse"})
    ask("Max", "DELETE /sessions/current")


def _pit(tour: Tour) -> None:
    ask = tour.ask
    ask("Sue", "POST /pit/tables/{id}/effect", {"role": "pit-supervisor", "command": {"type": "pause-table"}}, id="t1")
    ask("Sue", "GET /pit/tables/{id}/terms", id="t1")
    ask("Sue", "GET /pit/books/{digest}/terms", digest="ez")


def _house(tour: Tour) -> None:
    ask = tour.ask
    ask("", "GET /house")
    rules = {"watch_delay_seconds": 0, "operator": "Casino Punto"}
    ask("Ada", "POST /house/rules/effect", {"rules": rules})
    ask("Ada", "PUT /house/rules", {"rules": rules, "reason": "opening"})
    for what in ("rules", "rules/forms", "doctor", "stops", "invitations"):
        ask("Ada", f"GET /house/{what}")
    ask("Rob", "POST /house/stop", {"book": "commission", "reason": "new cards"})
    ask("Rob", "POST /house/start", {"book": "commission", "reason": "cards are there"})
    made = ask("Ada", "POST /house/invitations", {"number": 2, "buy_in": 50_000, "address": "https://floor.example"})
    first, second = made["invitations"]
    ask("", "POST /invitations/{code}", {"name": "Zoe", "password": PASSWORD}, code=first["code"])
    ask("Ada", "DELETE /house/invitations/{invitation}", invitation=second["invitation"])
    ask("", "GET /watch/tables")
    ask("", "GET /watch/tables/{id}", id="t1")
    ask("", "GET /watch/tables/{id}/roads", id="t1")
    ask("", "GET /watch/rounds/{id}/{round}", id="t1", round=1)
    ask("Rob", "GET /house/days", query=f"day={EARLIER}")
    ask("Rob", "POST /house/close-day", {"day": EARLIER})
    ask("Rob", "GET /house/days/{day}/{file}", day=EARLIER, file="floor.csv")


def _studies(tour: Tour) -> None:
    ask = tour.ask
    book = 'extends = "commission"\nname = "plain"\nremove = ["bets.tie"]\n'
    ask("Lee", "GET /books")
    ask("Lee", "GET /books/{digest}", digest="ez")
    ask("Lee", "GET /books/{digest}/document", digest="ez")
    ask("Ada", "POST /books/examine", {"source": book, "file": "plain.toml"})
    ask("Ada", "POST /books/compare", {"book": "commission", "source": book, "file": "plain.toml", "decks": 8})
    ask("Ada", "POST /books", {"source": book, "file": "plain.toml", "reason": "for the small tables"})
    ask("Lee", "GET /books/{digest}/odds", digest="ez", query="decks=8&removed=9H,KS")
    ask("Lee", "GET /books/{digest}/removals", digest="ez", query="decks=8")
    ask("Lee", "GET /catalogue")
    ask("Lee", "GET /catalogue/{section}", section="each-total", query="decks=8")


def _records(tour: Tour) -> None:
    ask = tour.ask
    ask("Mia", "GET /reports")
    for kind in ("floor", "table", "cashier", "player", "staff", "alterations"):
        ask("Mia", f"GET /reports/{kind}")
        ask("Mia", f"GET /reports/{kind}/file", query="format=csv")
    ask("Aud", "GET /audit/rounds", query="player=Lee")
    ask("Aud", "GET /audit/rounds/{id}/{round}", id="t1", round=1)
    ask("Aud", "GET /audit/rounds/{id}/{round}/steps", id="t1", round=1)
    ask("Aud", "GET /audit/rounds/{id}/{round}/file", id="t1", round=1, query="format=txt")
    ask("Aud", "GET /audit/tables/{id}/log", id="t1", query="after=0")
    ask("Rob", "POST /tables", {"table": "t2", "book": "ez", "role": "shift-manager"})
    for who, command, role in (("Dan", "load-shoe", "dealer"), ("Rob", "close-table", "shift-manager")):
        tour.give(who, {"type": command}, role, "t2")
    ask("Lee", "GET /audit/shoes/{id}/{shoe}", id="t2", shoe=1)
    ask("", "GET /watch/shoes/{id}/{shoe}", id="t2", shoe=1)
    ask("", "GET /watch/books/{digest}", digest=tour.exchanges["GET /books/{digest}"].answer["digest"])
    ask("Aud", "POST /audit/verify", {"table": "t1"})
    ask("Aud", "GET /audit/events", query="limit=2")
    ask("Aud", "GET /audit/events/export", query="format=csv")
    ask("Aud", "GET /audit/integrity")
    ask("Aud", "POST /audit/integrity")


# ── What differs each time ───────────────────────────────────────────────────────────────────────────

_SECRET = re.compile(
    r"[0-9a-f]{12,}|(?<=server/)[0-9a-f]{8}|[A-Za-z0-9_-]{22,}|\b[A-Za-z0-9]{12}\b|[A-Z2-7]{16,}"
    r"|(?:[0-9A-Z]{4,5}-){2,}[0-9A-Z]{4,5}"
)
_DRAWN = re.compile(r"\b(?:[2-9a-z]{5}-){2}[2-9a-z]{5}\b")  # A password or a code that the house draws.
_CLOCK = re.compile(r"\d\d:\d\d:\d\d\.\d{3}")
_BY_CHANCE = frozenset(("order", "qr", "rows", "secret", "uri"))
"""What is drawn anew each time, or is only for machines."""
FILES = 500
"""How many files and packages there are: another number whenever one is added."""
_LASTING = frozenset(("time_ms", "open_ms", "rounds_an_hour", "ends_in_ms"))
"""How long something took."""


def _fixed(exchange: Exchange, url: str, days: dict[str, str]) -> Exchange:
    def fix(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: _shown(key, one, fix) for key, one in value.items()}
        if isinstance(value, list):
            return [fix(one) for one in value]
        if isinstance(value, str):
            return _text(value, url, days)
        return MOMENT if isinstance(value, int) and 1.6e12 < value < 2.5e12 else value

    return exchange._replace(
        address=_text(exchange.address, url, days), body=fix(exchange.body), answer=fix(exchange.answer)
    )


def _shown(key: str, value: Any, fix: Callable[[Any], Any]) -> Any:
    if key in _BY_CHANCE and isinstance(value, list | str) and len(value) > 15:
        return "…"
    if key in _LASTING and isinstance(value, int | float):
        return 60_000
    if key == "files" and isinstance(value, int):
        return FILES
    return "123456" if key == "code" and isinstance(value, str) and re.fullmatch(r"\d{6}", value) else fix(value)


def _text(value: str, url: str, days: dict[str, str]) -> str:
    for now, shown in {url: "https://floor.example", **days}.items():
        value = value.replace(now, shown)
    value = re.sub(r"\b\d+ (files|packages)\b", rf"{FILES} \1", value)
    value = re.sub(r"/\S*/tmp\w+/", "/srv/punto/", _CLOCK.sub("21:00:00.000", _DRAWN.sub("…", value)))
    return _SECRET.sub(lambda match: "…" if re.search(r"\d|[a-z][A-Z]", match[0]) else match[0], value)
