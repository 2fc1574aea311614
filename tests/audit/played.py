"""Playthroughs as stored tables: every command of a session given to a floor, refused ones too."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from punto import books
from punto.cards.source import SourceKind
from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.floor.job import BETS, INSURANCES
from punto.floor.loaded_table import BookCache
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import Book
from punto.store.record import StoredPerson
from punto.store.seal import Seal
from punto.store.store import Store
from punto.table.command import Command
from punto.table.header import Person
from punto.table.house import ChangeTerms, OpenTable
from tests.store.sessions import steps_of

BEGIN = 1_700_000_000_000
"""When the first command of a session is given; one follows each second."""
MONEY = 10**9
CASHIER = Person("Cas", Role.CASHIER)


def store_playthrough(store: Store, name: str) -> list[str]:
    """Give the commands of a playthrough to new tables t1, t2, …, one for each that it opens; their ids.

    A person names the cards, as the session does.
    """
    tables: list[str] = []
    commands = [step.command for step in steps_of(name)]
    desk = Desk(store)
    for player in dict.fromkeys(getattr(one, "player", None) or one.actor for one in commands):
        desk.open_account(StoredPerson(player), _currency(commands), BEGIN)
        desk.buy_in(player, MONEY, CASHIER, BEGIN)
    with Floor(store, Seal(bytes(32))) as floor:
        for number, command in enumerate(commands):
            given: Any = replace(command, time=BEGIN + 1000 * number)
            if isinstance(given, OpenTable | ChangeTerms):
                given = replace(given, terms=replace(given.terms, source=SourceKind.ENTERED))
            if isinstance(given, OpenTable):
                id = f"t{len(tables) + 1}"
                opened = floor.open_table(id, books.load(given.terms.book), given)
                tables += [] if isinstance(opened, Refusal) else [id]
            elif tables:
                loaded = floor.table(tables[-1])
                assert loaded is not None
                floor.give(tables[-1], _filled(given, loaded.table.state), loaded.version)
    return tables


def book_of(store: Store, id: str) -> Book:
    """The book that a stored table is played by."""
    with store.read() as reader:
        stored = reader.table(id)
        assert stored is not None
        return BookCache().book(reader, stored.digest)


def _currency(commands: list[Command]) -> str:
    return next(one.terms.currency for one in commands if isinstance(one, OpenTable))


def _filled(command: Any, state: Any) -> Command:
    """A bet is for the round, and insurance for the window, that is open when it is given."""
    if isinstance(command, (*BETS, *INSURANCES)) and command.round is None:
        command = replace(command, round=state.round)
    if isinstance(command, INSURANCES) and command.window is None:
        command = replace(command, window=state.window or 4)
    filled: Command = command
    return filled
