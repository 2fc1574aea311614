"""A floor to try: one table of each book with an automatic dealer and bots, one that a person deals with cards of
their own, and a log-in for each role.

Only on this machine and only in a file of its own: an empty database becomes a demonstration and says so ever
after (`marks`), and one that is a house is left as it is. Whom it made is marked too: nobody is known by a
name. The passwords are kept in a file beside the database that only its owner can read, so that they can be
shown again. A demonstration that is served elsewhere becomes a house and loses these log-ins: whoever saw the
screen knows them.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from punto.cards.source import SourceKind
from punto.dealer.bot import BOTS
from punto.floor import people
from punto.floor.desk import Desk
from punto.floor.floor import DealtBy, TableRun
from punto.ledger.movement import player_account
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import Book
from punto.server.app_state import AppState, house_books
from punto.server.drawn_logins import LOGIN_NAMES, DemonstrationLogin, DrawnLogins, EntryLink, keep_logins, kept_logins
from punto.server.settings import Settings, WrongSetting
from punto.store.people import drawn_people
from punto.store.reader import Reader
from punto.store.record import StoredPerson
from punto.store.store import Store
from punto.store.witness import DEMONSTRATION, mark_of
from punto.table.header import Person
from punto.table.house import OpenTable
from punto.table.terms import Faces, Terms, default_terms

DEMONSTRATED = TableRun(DealtBy.AUTOMATIC, bots=tuple(BOTS)[:3])  # How the tables of the demonstration are run.
OPENER = Person("house", Role.SHIFT_MANAGER)
BY_HAND = "by-hand"  # The table at which a person deals, with cards of their own.
PLAY_MONEY = 1_000_000  # What the demonstration player and each bot begin with, in minor units.


def open_demonstration(app_state: AppState, now: int) -> None:
    """A table of each book, called like it, and one for a dealer, where there is none yet, and chips for the bots."""
    with app_state.store.read() as reader:
        there = {stored.id for stored in reader.tables()}
    for bot in DEMONSTRATED.bots:  # else the log of a new floor would begin with their refused bets
        if not isinstance(app_state.desk.open_account(StoredPerson(bot), "USD", now), Refusal):
            app_state.desk.buy_in(bot, PLAY_MONEY, Person(OPENER.name, Role.CASHIER), now)
    books = house_books(app_state.settings.books)
    for book in books.values():
        if book.name not in there:
            _open_table(app_state, book.name, book, terms_to_try(book), now)
            app_state.house.run_table(book.name, DEMONSTRATED)
    if not there:  # one that was opened later would not be what whoever works in the file has set up
        book = next(iter(books.values()))
        entered = msgspec.structs.replace(default_terms(book), source=SourceKind.ENTERED)
        _open_table(app_state, BY_HAND, book, entered, now)


def _open_table(app_state: AppState, id: str, book: Book, terms: Terms, now: int) -> None:
    command = OpenTable(actor=OPENER.name, role=OPENER.role, time=now, terms=terms)
    answer = app_state.floor.open_table(id, book, command)
    if isinstance(answer, Refusal):
        raise WrongSetting(f"no table can be opened by the book {book.name}: {answer.sentence}")


def terms_to_try(book: Book) -> Terms:
    """The default terms; face down where the book has a squeeze, so that it can be tried."""
    faces = Faces.DOWN if book.squeeze is not None else Faces.UP
    return msgspec.structs.replace(default_terms(book), faces=faces)


def is_demonstration(store: Store, settings: Settings) -> bool:
    """Whether a database is a demonstration, as the settings may ask that it is."""
    is_one = people.take_as_demonstration(store)
    if settings.demonstration and not is_one:
        raise WrongSetting(
            f"{store.address} is a house, and no demonstration is made in it; "
            "leave --demonstration out, or name a new file with --database"
        )
    return is_one


def demonstration_logins(store: Store, path: Path, drawn: DrawnLogins | None, now: int) -> list[DemonstrationLogin]:
    """The log-ins of a demonstration, one for each role: made at the first start, the same ones later.

    A name that somebody else has is left to them; then its role has no log-in here.
    """
    logins = kept_logins(path)
    with store.read() as reader:
        ours, free = _names(reader)
        known = mark_of(reader, DEMONSTRATION)
    if logins is not None and known in ("", _digest(logins)) and not free:
        return [login for login in logins if login.name in ours]
    drawn = drawn or DrawnLogins()
    hashes = dict(zip(LOGIN_NAMES.values(), drawn.hashes(), strict=True))
    logins = [login for login in drawn.logins if login.name in (*ours, *free)]
    keep_logins(path, logins)
    roled = {(login.name, login.role): hashes[login.name] for login in logins}
    people.People(store, lambda: now).draw_log_ins(roled, _digest(logins))
    player = LOGIN_NAMES[Role.PLAYER]
    with store.read() as reader:
        has_played = player not in (*ours, *free) or reader.statement(player_account(player), limit=1)
    if not has_played:
        Desk(store).buy_in(player, PLAY_MONEY, Person(OPENER.name, Role.CASHIER), now)
    return logins


def entry_address(app_state: AppState, url: str, logins: list[DemonstrationLogin], now: int) -> str | None:
    """The address that lets whoever starts a demonstration in as its player, once; None where there is none."""
    player = next((login.name for login in logins if login.role is Role.PLAYER), None)
    if player is None:
        return None
    app_state.sessions.entry = link = EntryLink(player, now)
    return f"{url}/enter#{link.code}"


def _names(reader: Reader) -> tuple[set[str], set[str]]:
    """The names of a demonstration's log-ins that were drawn here, and those that nobody has."""
    ours = set(drawn_people(reader)) & set(LOGIN_NAMES.values())
    others = [account.handle for account in reader.accounts() if account.handle not in ours]
    free = {name for name in LOGIN_NAMES.values() if name not in ours and people.look_alike(name, others) is None}
    return ours, free


def _digest(logins: list[DemonstrationLogin]) -> str:
    """Says which log-ins a database has: a file that was left by another one must not be shown."""
    return hashlib.sha256(msgspec.json.encode(logins)).hexdigest()
