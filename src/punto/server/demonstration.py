"""A floor to try: one table of each book with an automatic dealer and bots, and a log-in for each role.

Only on this machine and only with a file of its own. The passwords are drawn at the first start and kept in
a file beside the database that only its owner can read, so that they can be shown again.
"""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.ledger.account import player_account
from punto.refusal import Refusal
from punto.rules.book import Book
from punto.rules.role import Role
from punto.server.access.password import draw_password, hash_password
from punto.server.settings import WrongSetting
from punto.store.access.roles import set_roles
from punto.store.store import Store
from punto.store.stored import StoredAccount, StoredPerson
from punto.table.command import OpenTable
from punto.table.header import Person
from punto.table.terms import default_terms

NAMES: dict[Role, str] = {
    Role.PLAYER: "player",
    Role.DEALER: "dealer",
    Role.PIT_SUPERVISOR: "supervisor",
    Role.PIT_MANAGER: "manager",
    Role.SHIFT_MANAGER: "shift",
    Role.CASHIER: "cashier",
    Role.AUDITOR: "auditor",
    Role.ADMINISTRATOR: "admin",
}
"""Who logs in as what."""
OPENER = Person("house", Role.SHIFT_MANAGER)
PLAY_MONEY = 1_000_000
"""What the demonstration player and each bot begin with, in minor units."""


class DemonstrationLogin(msgspec.Struct, frozen=True):
    """Name and password of somebody to try."""

    role: Role
    name: str
    password: str


def open_tables(floor: Floor, books: list[Book], now: int) -> list[str]:
    """A table of each book, called like it, where there is none yet; their ids."""
    ids = []
    with floor.store.read() as reader:
        there = {stored.id for stored in reader.tables()}
    for book in books:
        if book.name not in there:
            command = OpenTable(actor=OPENER.name, role=OPENER.role, time=now, terms=default_terms(book))
            answer = floor.open_table(book.name, book, command)
            if isinstance(answer, Refusal):
                raise WrongSetting(f"no table can be opened by the book {book.name}: {answer.sentence}")
            ids.append(book.name)
    return ids


def demonstration_logins(store: Store, database: Path, now: int) -> list[DemonstrationLogin]:
    """A log-in for each role; made at the first start, the same ones later."""
    path = database.with_name(f"{database.name}.logins")
    kept = _kept(path)
    with store.read() as reader:
        people = {name: reader.person(name) for name in NAMES.values()}
    if kept is not None and all(person is not None and person.password for person in people.values()):
        return kept
    logins = [DemonstrationLogin(role, name, draw_password()) for role, name in NAMES.items()]
    _keep(path, logins)
    with ThreadPoolExecutor(2) as pool:
        hashes = list(pool.map(hash_password, (login.password for login in logins)))
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


def buy_chips(store: Store, bots: tuple[str, ...], now: int) -> None:
    """Chips for bots that never had any: else the log of a new floor would begin with their refused bets."""
    desk = Desk(store)
    for bot in bots:
        if not isinstance(desk.open_account(StoredPerson(bot), "USD", now), Refusal):
            desk.buy_in(bot, PLAY_MONEY, Person(OPENER.name, Role.CASHIER), now)


def _kept(path: Path) -> list[DemonstrationLogin] | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[DemonstrationLogin])
    except (OSError, msgspec.MsgspecError):
        return None


def _keep(path: Path, logins: list[DemonstrationLogin]) -> None:
    content = json.dumps(msgspec.to_builtins(logins), indent=1)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(content)
    except OSError as error:
        raise WrongSetting(f"{path} cannot be written: {error.strerror}") from None
