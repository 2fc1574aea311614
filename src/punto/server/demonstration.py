"""A floor to try: one table of each book with an automatic dealer and bots, and a log-in for each role.

Only on this machine and only with a file of its own. The passwords are kept in a file beside the database
that only its owner can read, so that they can be shown again. A database that is served elsewhere loses these
log-ins: whoever saw the screen knows them.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from punto.dealer import BOTS
from punto.floor.desk import Desk
from punto.floor.running.run import DealtBy, TableRun
from punto.ledger.account import player_account
from punto.refusal import Refusal
from punto.rules.book import Book
from punto.rules.role import Role
from punto.server.drawn_logins import NAMES, DemonstrationLogin, DrawnLogins, keep_logins, kept_logins
from punto.server.hall import Hall
from punto.server.settings import WrongSetting
from punto.server.shelf import house_books
from punto.store.access.people import erase_person
from punto.store.access.roles import people_named_by, set_roles
from punto.store.store import Store
from punto.store.stored import StoredAccount, StoredPerson
from punto.store.transaction import Transaction
from punto.table.command import OpenTable
from punto.table.header import Person
from punto.table.terms import Faces, Terms, default_terms

DEMONSTRATED = TableRun(DealtBy.AUTOMATIC, bots=tuple(BOTS)[:3])
"""How the tables of the demonstration are run."""
OPENER = Person("house", Role.SHIFT_MANAGER)
PLAY_MONEY = 1_000_000
"""What the demonstration player and each bot begin with, in minor units."""


def open_demonstration(hall: Hall, now: int) -> None:
    """A table of each book, called like it, where there is none yet, and chips for the bots."""
    with hall.store.read() as reader:
        there = {stored.id for stored in reader.tables()}
    _buy_chips(hall.desk, now)
    for book in house_books(hall.settings.books).values():
        if book.name in there:
            continue
        command = OpenTable(actor=OPENER.name, role=OPENER.role, time=now, terms=terms_to_try(book))
        answer = hall.floor.open_table(book.name, book, command)
        if isinstance(answer, Refusal):
            raise WrongSetting(f"no table can be opened by the book {book.name}: {answer.sentence}")
        hall.house.run_table(book.name, DEMONSTRATED)


def terms_to_try(book: Book) -> Terms:
    """The default terms; face down where the book has a squeeze, so that it can be tried."""
    faces = Faces.DOWN if book.squeeze is not None else Faces.UP
    return msgspec.structs.replace(default_terms(book), faces=faces)


def demonstration_logins(
    store: Store, path: Path, drawn: DrawnLogins | None, now: int
) -> list[DemonstrationLogin]:
    """A log-in for each role; made at the first start, the same ones later."""
    kept = kept_logins(path)
    with store.read() as reader:
        people = {name: reader.person(name) for name in NAMES.values()}
    if kept is not None and all(person is not None and person.password for person in people.values()):
        return kept
    drawn = drawn or DrawnLogins()
    logins, hashes = drawn.logins, drawn.hashes()
    keep_logins(path, logins)
    with store.write() as transaction:
        for login, hashed in zip(logins, hashes, strict=True):
            if transaction.account(login.name) is None:
                transaction.add_account(StoredAccount(login.name, "USD", now))
            transaction.set_person(StoredPerson(login.name, None, None, hashed))
            set_roles(transaction, login.name, (login.role,), OPENER.name, now)
    with store.read() as reader:
        has_played = reader.statement(player_account(NAMES[Role.PLAYER]), limit=1)
    if not has_played:
        Desk(store).buy_in(NAMES[Role.PLAYER], PLAY_MONEY, Person(OPENER.name, Role.CASHIER), now)
    return logins


def end_demonstration(transaction: Transaction) -> list[str]:
    """Erase the log-ins that a demonstration made; whose they were."""
    ended = [name for name in people_named_by(transaction, OPENER.name) if name in NAMES.values()]
    for name in ended:
        erase_person(transaction, name)
    return ended


def _buy_chips(desk: Desk, now: int) -> None:
    """Chips for bots that never had any: else the log of a new floor would begin with their refused bets."""
    for bot in DEMONSTRATED.bots:
        if not isinstance(desk.open_account(StoredPerson(bot), "USD", now), Refusal):
            desk.buy_in(bot, PLAY_MONEY, Person(OPENER.name, Role.CASHIER), now)
