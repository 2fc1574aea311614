"""The roles that people hold, and who gave them; the people of a house with what they may be."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

import msgspec

from punto.rules.role import Role
from punto.store.chain.house import HouseCode, HouseEvent, Subject, roles_state
from punto.store.errors import LastAdministrator
from punto.store.reader import Reader
from punto.store.transaction import Transaction


class StoredMember(msgspec.Struct, frozen=True):
    """Somebody who has an account, with the roles they hold."""

    handle: str
    currency: str
    display: str | None
    roles: tuple[Role, ...]
    has_password: bool


def roles_of(reader: Reader, handle: str) -> tuple[Role, ...]:
    """The roles of a person, in the order in which roles are listed."""
    found = reader.connection.all("SELECT role FROM roles WHERE handle = ?", (handle,))
    return _ordered({role for (role,) in found})


def set_roles(transaction: Transaction, handle: str, roles: Collection[Role], by: str, now: int) -> None:
    """Give a person these roles and no others; a role that stays keeps who gave it.

    The last administrator stays one: `LastAdministrator`.
    """
    with keeping_an_administrator(transaction, handle):
        connection, kept = transaction.connection, set(roles_of(transaction, handle))
        before = roles_state(role_rows(transaction, handle))
        for role in kept.difference(roles):
            connection.run("DELETE FROM roles WHERE handle = ? AND role = ?", (handle, role.value))
        rows = [(handle, role.value, by, now) for role in dict.fromkeys(roles) if role not in kept]
        connection.insert("roles", ("handle", "role", "granted_by", "granted_ms"), rows)
        after = roles_state(role_rows(transaction, handle))
        if after != before:
            code, subject = HouseCode.ROLES_CHANGED.value, Subject.ROLES.of(handle)
            event = HouseEvent(time=now, code=code, subject=subject, who=by, before=before, after=after)
            transaction.note(event)


def role_rows(reader: Reader, handle: str) -> list[tuple[str, str, int]]:
    """The roles of somebody, each with who gave it and when."""
    statement = "SELECT role, granted_by, granted_ms FROM roles WHERE handle = ?"
    return [(role, by, when) for role, by, when in reader.connection.all(statement, (handle,))]


@contextmanager
def keeping_an_administrator(transaction: Transaction, handle: str) -> Iterator[None]:
    """Whatever is done to a person meanwhile: a house that has an administrator who can log in keeps one.

    `LastAdministrator` otherwise, and nothing is kept. Two of them at once wait for each other.
    """
    lock_people(transaction)
    had = administrators(transaction)
    yield
    if had and not administrators(transaction):
        raise LastAdministrator(handle)


def members(reader: Reader) -> list[StoredMember]:
    """Everybody who has an account, by handle."""
    held: dict[str, set[str]] = {}
    for handle, role in reader.connection.all("SELECT handle, role FROM roles"):
        held.setdefault(handle, set()).add(role)
    rows = reader.connection.all(
        "SELECT a.handle, a.currency, p.display, p.password FROM accounts a "
        "LEFT JOIN people p ON p.handle = a.handle ORDER BY a.handle"
    )
    return [
        StoredMember(handle, currency, display, _ordered(held.get(handle, set())), password is not None)
        for handle, currency, display, password in rows
    ]


def lock_people(transaction: Transaction) -> None:
    """For rules about all people: nobody else adds somebody or sets roles until this transaction ends."""
    transaction.connection.lock("people")


def administrators(reader: Reader) -> int:
    """How many people can log in and administer the house."""
    statement = (
        "SELECT count(*) FROM roles r JOIN people p ON p.handle = r.handle "
        "WHERE r.role = ? AND p.password IS NOT NULL"
    )
    [(count,)] = reader.connection.all(statement, (Role.ADMINISTRATOR.value,))
    return int(count)


def _ordered(names: set[str]) -> tuple[Role, ...]:
    return tuple(role for role in Role if role.value in names)
