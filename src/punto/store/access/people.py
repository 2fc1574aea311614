"""The people of a house: the one door by which somebody is let in, gets a password, or is shut out.

Whoever asks (command line, server, demonstration) comes through here and through `set_roles`, so that what
holds for all of them is said once: nobody is written over, a new password ends the sessions of the old one,
the house keeps an administrator, and whoever did it is written down in the chain of the house.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from punto.rules.role import Role
from punto.store.access.roles import keeping_an_administrator, lock_people, role_rows, roles_of, set_roles
from punto.store.access.sessions import end_sessions_of
from punto.store.chain.house import HouseCode, HouseEvent, Subject, log_in_state, roles_state
from punto.store.errors import NotUnique
from punto.store.reader import Reader
from punto.store.stored import StoredAccount, StoredPerson
from punto.store.transaction import Transaction


def let_in(
    transaction: Transaction, person: StoredPerson, currency: str, roles: Collection[Role], by: str, now: int
) -> None:
    """Let somebody log in who could not; `NotUnique` for somebody who can.

    An account that is there stays, and so do roles that were given before.
    """
    lock_people(transaction)
    before = transaction.person(person.handle)
    if before is not None and before.password is not None:
        raise NotUnique(f"{person.handle} can log in already")
    if transaction.account(person.handle) is None:
        transaction.add_account(StoredAccount(person.handle, currency, now), by)
    transaction.set_person(person, by, now)
    set_roles(transaction, person.handle, {*roles_of(transaction, person.handle), *roles}, by, now)


def change_password(transaction: Transaction, handle: str, hashed: str, by: str, now: int) -> None:
    """Keep a new password; every session that was opened with the old one ends.

    Whoever was drawn for a demonstration is not any more: nobody has read this password on a screen.
    """
    lock_people(transaction)
    person = transaction.person(handle) or StoredPerson(handle)
    transaction.set_person(msgspec.structs.replace(person, password=hashed, is_drawn=False), by, now)
    end_sessions_of(transaction, handle)


def drawn_people(reader: Reader) -> list[str]:
    """Everybody who was made for a demonstration, by handle."""
    found = reader.rows("SELECT handle FROM people WHERE drawn ORDER BY handle")
    return [handle for (handle,) in found]


def erase_person(transaction: Transaction, handle: str, by: str, now: int) -> bool:
    """Erase who stands behind a handle, with roles and sessions; the account stays.

    Whether there was anything to erase. The last administrator stays: `LastAdministrator`.
    """
    with keeping_an_administrator(transaction, handle):
        _note_erased(transaction, handle, by, now)
        # First who it is: a log-in that is just being opened waits for this row, and then finds nobody.
        gone = transaction.connection.run("DELETE FROM people WHERE handle = ?", (handle,)) > 0
        transaction.connection.run("DELETE FROM roles WHERE handle = ?", (handle,))
        end_sessions_of(transaction, handle)
        transaction.connection.run("DELETE FROM known_addresses WHERE handle = ?", (handle,))
    return gone


def _note_erased(transaction: Transaction, handle: str, by: str, now: int) -> None:
    person = transaction.person(handle)
    told = (
        (
            Subject.PASSWORD,
            None if person is None else log_in_state(person.password, is_drawn=person.is_drawn),
        ),
        (Subject.ROLES, roles_state(role_rows(transaction, handle))),
    )
    for subject, before in told:
        if before is not None:
            code = HouseCode.PERSON_ERASED.value
            transaction.note(
                HouseEvent(time=now, code=code, subject=subject.of(handle), who=by, before=before)
            )
