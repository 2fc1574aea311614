"""A floor prepared for load: tables with bets open, and seated players with money and sessions."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

from msgspec.structs import replace

from punto import books
from punto.floor.automatic_tables import Turn
from punto.floor.desk import Desk
from punto.floor.floor import Floor, pace_of_seconds
from punto.floor.loaded_table import LoadedTable
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.store.people import StoredSession, add_session, set_roles
from punto.store.record import StoredPerson
from punto.store.store import Store, open_store
from punto.table import default_terms
from punto.table.betting import CallBets, PlaceBet
from punto.table.header import CommandHeader, Person
from punto.table.house import BurnCards, LoadShoe, OpenTable, TakeSeat
from punto.table.state import Phase

CASHIER = Person("house", Role.CASHIER)


def now() -> int:
    return time.time_ns() // 1_000_000


def prepare(database: Path | str, tables: int, players: int) -> dict[str, str]:
    """Tables with bets open and seated players with sessions; the tokens by player."""
    tokens = {f"p{n}": f"token of player {n}" for n in range(players)}
    book = books.load("commission")
    terms = replace(default_terms(book), maximum=None)
    with open_store(str(database)) as store, Floor(store) as floor:
        _add_players(store, tokens)
        for n in range(tables):
            table, opening = f"b{n}", OpenTable(actor="house", role=Role.SHIFT_MANAGER, terms=terms)
            assert not isinstance(floor.open_table(table, book, opening), Refusal)
            for place in range(players // tables):
                player = f"p{n + place * tables}"
                _give(floor, table, TakeSeat(actor=player, role=Role.PLAYER, box=place + 1))
            for kind in (LoadShoe, BurnCards, CallBets):
                _give(floor, table, kind(actor="house", role=Role.DEALER))
    return tokens


def _add_players(store: Store, tokens: dict[str, str]) -> None:
    desk, later = Desk(store), now() + 3_600_000
    for name, token in tokens.items():
        assert not isinstance(desk.open_account(StoredPerson(name), "USD", now()), Refusal)
        assert not isinstance(desk.buy_in(name, 10**12, CASHIER, now()), Refusal)
        with store.write() as transaction:
            set_roles(transaction, name, (Role.PLAYER,), "house", now())
            digest = hashlib.sha256(token.encode()).hexdigest()
            add_session(transaction, StoredSession(digest, name, now(), later, now()))


def _give(floor: Floor, table: str, command: CommandHeader) -> None:
    loaded = floor.table(table)
    assert loaded is not None
    answer = floor.give(table, command, loaded.version)  # type: ignore[arg-type]
    assert not isinstance(answer, Refusal), answer


def play_rounds(database: Path, table: str, rounds: int) -> None:
    """A new table with this many rounds behind it, seven bets in each."""
    book, none = books.load("commission"), pace_of_seconds(0)
    terms, time_ms = replace(default_terms(book), maximum=None), 0
    with open_store(str(database)) as store, Floor(store) as floor:
        opening = OpenTable(actor="house", role=Role.SHIFT_MANAGER, terms=terms)
        assert not isinstance(floor.open_table(table, book, opening), Refusal)
        for box in range(1, 8):
            _give(floor, table, TakeSeat(actor=f"p{box}", role=Role.PLAYER, box=box))
        called = 0
        while (loaded := _loaded(floor, table)).table.state.round <= rounds:
            state = loaded.table.state
            if state.phase is Phase.BETTING and state.round > called:
                called = state.round
                bet = PlaceBet(actor="p1", role=Role.PLAYER, box=1, area="banker", amount=10_000, round=called)
                given = [
                    floor.submit(table, replace(bet, actor=f"p{box}", box=box, key=f"{called}")) for box in range(1, 8)
                ]
                assert not any(isinstance(answer.result(), Refusal) for answer in given)
                continue
            time_ms += 60_000
            command = Turn(loaded, none, (), time_ms, time_ms - 60_000).command()
            if command is not None:
                assert not isinstance(floor.give(table, command, loaded.version), Refusal)


def _loaded(floor: Floor, table: str) -> LoadedTable:
    found = floor.table(table)
    assert found is not None
    return found


def make_auditor(database: Path, name: str) -> None:
    """Let somebody audit as well."""
    with open_store(str(database)) as store, store.write() as transaction:
        set_roles(transaction, name, (Role.PLAYER, Role.AUDITOR), "bench", now())


def make_administrator(database: Path | str) -> None:
    with open_store(str(database)) as store:
        assert not isinstance(Desk(store).open_account(StoredPerson("ada"), "USD", now()), Refusal)
        with store.write() as transaction:
            transaction.set_person(StoredPerson("ada", password="nobody logs in with it"), "house", 0)
            set_roles(transaction, "ada", (Role.ADMINISTRATOR,), "bench", now())
