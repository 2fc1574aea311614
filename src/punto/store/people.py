"""The people of a house and how they come in: roles and who gave them, sessions and tickets, failed log-ins
that shut somebody out for a while, and the one door by which somebody is let in or shut out. Of tokens and
tickets only the SHA-256 is kept.

Whoever asks (command line, server, demonstration) comes through `let_in`, `change_password`, `erase_person` and
`set_roles`, so that what holds for all of them is said once: nobody is written over, a new password ends the sessions
of the old one, the house keeps an administrator, and whoever did it is written down in the chain of the house.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from punto.rules.authority import Role
from punto.store.chain import HouseCode, Subject, log_in_state, roles_state
from punto.store.connection import Row, placeholders
from punto.store.errors import LastAdministrator, NotUnique
from punto.store.notice import NoticeKind
from punto.store.reader import Reader
from punto.store.record import Member, StoredAccount, StoredPerson
from punto.store.second_factor import remove_factor
from punto.store.transaction import Transaction


def roles_of(reader: Reader, handle: str) -> tuple[Role, ...]:
    """The roles of a person, in the order in which roles are listed."""
    return _ordered_roles({role for role, _, _ in _role_rows(reader, handle)})


def set_roles(transaction: Transaction, handle: str, roles: Collection[Role], by: str, now: int) -> None:
    """Give a person these roles and no others; a role that stays keeps who gave it.

    The last administrator stays one: `LastAdministrator`.
    """
    with keeping_an_administrator(transaction, handle):
        connection, held = transaction.connection, set(roles_of(transaction, handle))
        before = roles_state(_role_rows(transaction, handle))
        for role in held.difference(roles):
            connection.run("DELETE FROM roles WHERE handle = ? AND role = ?", (handle, role.value))
        rows = [(handle, role.value, by, now) for role in dict.fromkeys(roles) if role not in held]
        connection.insert("roles", ("handle", "role", "granted_by", "granted_ms"), rows)
        after = roles_state(_role_rows(transaction, handle))
        if after != before:
            transaction.note(HouseCode.ROLES_CHANGED, Subject.ROLES.of(handle), by, now, before=before, after=after)


def _role_rows(reader: Reader, handle: str) -> list[Row]:
    return reader.connection.all("SELECT role, granted_by, granted_ms FROM roles WHERE handle = ?", (handle,))


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


def members(reader: Reader, handle: str | None = None) -> list[Member]:
    """Everybody who has an account, by name; or the one with this name, if there is one."""
    where, values = ("", ()) if handle is None else ("WHERE {}.handle = ? ", (handle,))
    held: dict[str, set[str]] = {}
    for name, role in reader.connection.all(f"SELECT handle, role FROM roles r {where.format('r')}", values):
        held.setdefault(name, set()).add(role)
    rows = reader.connection.all(
        "SELECT a.handle, p.display, a.currency, p.password, s.reason, f.since_ms, a.kind FROM accounts a "
        "LEFT JOIN people p ON p.handle = a.handle LEFT JOIN shut_log_ins s ON s.handle = a.handle "
        "LEFT JOIN second_factors f ON f.handle = a.handle "
        f"{where.format('a')}ORDER BY a.handle",
        values,
    )
    return [
        Member(
            *(name, display, currency, _ordered_roles(held.get(name, set()))),
            *(password is not None and shut is None, shut, since is not None, kind),
        )
        for name, display, currency, password, shut, since, kind in rows
    ]


def found_accounts(reader: Reader, text: str, most: int) -> list[Row]:
    """Accounts whose name has a text in it: name, display, currency and kind; those that begin with it first.

    The house's own bots are left out, and whoever holds roles without being a player.
    """
    part = re.sub(r"([!%_])", r"!\1", text.lower())
    has, begins = f"%{part}%", f"{part}%"
    like = "(lower(a.handle) LIKE ? ESCAPE '!' OR lower(coalesce(p.display, '')) LIKE ? ESCAPE '!')"
    return reader.rows(
        "SELECT a.handle, p.display, a.currency, a.kind FROM accounts a LEFT JOIN people p ON p.handle = a.handle "
        f"WHERE {like} AND a.kind <> 'bot' AND (NOT EXISTS (SELECT 1 FROM roles r WHERE r.handle = a.handle) "
        "OR EXISTS (SELECT 1 FROM roles r WHERE r.handle = a.handle AND r.role = ?)) "
        f"ORDER BY CASE WHEN {like} THEN 0 ELSE 1 END, a.handle LIMIT {most:d}",
        (has, has, Role.PLAYER.value, begins, begins),
    )


def lock_people(transaction: Transaction) -> None:
    """For rules about all people: nobody else adds somebody or sets roles until this transaction ends."""
    transaction.connection.lock("people")


def administrators(reader: Reader) -> int:
    """How many people can log in and administer the house."""
    statement = (
        "SELECT count(*) FROM roles r JOIN people p ON p.handle = r.handle WHERE r.role = ? AND p.password IS NOT NULL "
        "AND NOT EXISTS (SELECT 1 FROM shut_log_ins s WHERE s.handle = r.handle)"
    )
    [(count,)] = reader.connection.all(statement, (Role.ADMINISTRATOR.value,))
    return int(count)


def _ordered_roles(names: set[str]) -> tuple[Role, ...]:
    return tuple(role for role in Role if role.value in names)


class StoredSession(msgspec.Struct, frozen=True):
    """A log-in that holds until it expires or is ended."""

    token: str  # The SHA-256 of the token, in hexadecimal.
    handle: str
    created_ms: int
    expires_ms: int
    authenticated_ms: int  # When the password was last given.
    address: str = ""  # Where it was opened from.
    active_ms: int = 0  # When something was last done in it, as far as that is written down.
    before_ms: int = 0  # The log-in before it; 0 where there was none, or it is not known.
    before_address: str = ""


def add_session(transaction: Transaction, session: StoredSession) -> None:
    """Keep a session, and forget those that have expired."""
    end_expired_sessions(transaction, session.created_ms)
    columns = StoredSession.__struct_fields__
    transaction.connection.insert("sessions", columns, [msgspec.structs.astuple(session)])


def end_expired_sessions(transaction: Transaction, now: int) -> None:
    """Forget the sessions and tickets that have expired: they stay over, wherever the clock is put."""
    for table in ("sessions", "tickets"):
        transaction.connection.run(f"DELETE FROM {table} WHERE expires_ms <= ?", (now,))


def end_oldest_sessions(transaction: Transaction, handle: str, left: int) -> None:
    """End the sessions of a person except the latest `left`."""
    statement = "SELECT token FROM sessions WHERE handle = ? ORDER BY created_ms DESC, token"
    for (token,) in transaction.connection.all(statement, (handle,))[left:]:
        end_session(transaction, token)


def is_still_password(transaction: Transaction, handle: str, hashed: str) -> bool:
    """Whether this is what is kept of somebody's password, until this transaction ends.

    Whoever changes the password or erases the person waits meanwhile, and then ends the sessions that were
    opened; whoever was first has left another password here, or none.
    """
    statement = "SELECT password FROM people WHERE handle = ? ORDER BY handle FOR UPDATE"
    return transaction.connection.all(statement, (handle,)) == [(hashed,)]


def stored_session(reader: Reader, token: str) -> StoredSession | None:
    columns = ", ".join(StoredSession.__struct_fields__)
    rows = reader.connection.all(f"SELECT {columns} FROM sessions WHERE token = ?", (token,))
    return next((StoredSession(*row) for row in rows), None)


def sessions_of(reader: Reader, handle: str, now: int) -> list[StoredSession]:
    """The open sessions of a person, the latest first."""
    columns = ", ".join(StoredSession.__struct_fields__)
    where = "handle = ? AND expires_ms > ? ORDER BY created_ms DESC, token"
    return [StoredSession(*row) for row in reader.rows(f"SELECT {columns} FROM sessions WHERE {where}", (handle, now))]


def note_activity(transaction: Transaction, active: Mapping[str, int]) -> None:
    """Write down when something was last done in sessions, by token."""
    statement = "UPDATE sessions SET active_ms = ? WHERE token = ? AND active_ms < ?"
    transaction.connection.many(statement, [(when, token, when) for token, when in sorted(active.items())])


def last_log_in(reader: Reader, handle: str) -> tuple[int, str]:
    """When somebody last logged in, and from where; 0 where they never did."""
    statement = "SELECT last_ms, address FROM known_addresses WHERE handle = ? ORDER BY last_ms DESC, address LIMIT 1"
    return next(((int(when), str(where)) for when, where in reader.rows(statement, (handle,))), (0, ""))


def last_log_ins(reader: Reader) -> dict[str, int]:
    """When people last logged in, by account; whoever never did is not there."""
    rows = reader.rows("SELECT handle, max(last_ms) FROM known_addresses GROUP BY handle")
    return {str(handle): int(when) for handle, when in rows}


class ShutLogIn(msgspec.Struct, frozen=True):
    """A log-in that is shut, whatever password is given."""

    shut_by: str
    shut_ms: int
    reason: str

    @property
    def state(self) -> dict[str, Any]:
        """What is written down of it."""
        return msgspec.structs.asdict(self)


def shut_log_ins(reader: Reader) -> dict[str, ShutLogIn]:
    """Everybody whose log-in is shut."""
    rows = reader.rows("SELECT handle, shut_by, shut_ms, reason FROM shut_log_ins ORDER BY handle")
    return {handle: ShutLogIn(*rest) for handle, *rest in rows}


def is_shut(reader: Reader, handle: str) -> bool:
    return bool(reader.rows("SELECT 1 FROM shut_log_ins WHERE handle = ?", (handle,)))


def shut_log_in(transaction: Transaction, handle: str, by: str, now: int, reason: str) -> bool:
    """Shut somebody out, and end every session of theirs; whether they were not shut out already.

    The last administrator stays: `LastAdministrator`.
    """
    with keeping_an_administrator(transaction, handle):
        if is_shut(transaction, handle):
            return False
        shut = ShutLogIn(by, now, reason)
        transaction.connection.put("shut_log_ins", ["handle"], {"handle": handle, **shut.state})
        subject = Subject.SHUT.of(handle)
        transaction.note(HouseCode.LOG_IN_SHUT, subject, by, now, after=shut.state, reason=reason)
        # Whoever is just logging in holds this row, and is then ended; or waits for it, and finds it shut.
        transaction.connection.all("SELECT handle FROM people WHERE handle = ? ORDER BY handle FOR UPDATE", (handle,))
        end_sessions_of(transaction, handle)
    return True


def open_log_in(transaction: Transaction, handle: str, by: str, now: int, reason: str) -> bool:
    """Let somebody log in again; whether they were shut out."""
    lock_people(transaction)
    before = shut_log_ins(transaction).get(handle)
    if before is None:
        return False
    transaction.connection.run("DELETE FROM shut_log_ins WHERE handle = ?", (handle,))
    subject = Subject.SHUT.of(handle)
    transaction.note(HouseCode.LOG_IN_OPENED, subject, by, now, before=before.state, reason=reason)
    return True


def authenticate_again(transaction: Transaction, token: str, now: int) -> None:
    transaction.connection.run("UPDATE sessions SET authenticated_ms = ? WHERE token = ?", (now, token))
    _tell_of_session(transaction, token)


def _tell_of_session(transaction: Transaction, token: str) -> None:
    """Other servers remember sessions for a while."""
    session = stored_session(transaction, token)
    if session is not None:
        transaction.tell(NoticeKind.PERSON, session.handle)


def end_session(transaction: Transaction, token: str) -> bool:
    """End a session; whether there was one."""
    _tell_of_session(transaction, token)
    transaction.connection.run("DELETE FROM tickets WHERE token = ?", (token,))
    return transaction.connection.run("DELETE FROM sessions WHERE token = ?", (token,)) > 0


def end_sessions_of(transaction: Transaction, handle: str, but: str | None = None) -> None:
    """End every session of a person, perhaps but one: how they log in has changed."""
    transaction.tell(NoticeKind.PERSON, handle)
    transaction.connection.run("DELETE FROM sessions WHERE handle = ? AND token <> ?", (handle, but or ""))


def add_ticket(transaction: Transaction, ticket: str, token: str, now: int, expires: int) -> None:
    """Keep a ticket, and forget those that have expired."""
    transaction.connection.run("DELETE FROM tickets WHERE expires_ms <= ?", (now,))
    transaction.connection.insert("tickets", ("ticket", "token", "expires_ms"), [(ticket, token, expires)])


def use_ticket(transaction: Transaction, ticket: str, now: int) -> str | None:
    """The session of a ticket, which can be used once; None where it was used, expired or never given."""
    rows = transaction.connection.all("SELECT token FROM tickets WHERE ticket = ? AND expires_ms > ?", (ticket, now))
    gone = transaction.connection.run("DELETE FROM tickets WHERE ticket = ?", (ticket,))
    return str(rows[0][0]) if rows and gone == 1 else None


FAILURES_FORGOTTEN_MS = 60 * 60 * 1000  # After an hour without a failure, what came before is forgotten.
FIRST_WAIT_MS = 15_000
LONGEST_WAIT_MS = 15 * 60 * 1000
MOST_KNOWN_ADDRESSES = 20  # Addresses that are kept of one person.


def log_in_locked_until(reader: Reader, subjects: Iterable[str]) -> int:
    """Until when one of these names or addresses is not let in; 0 where none ever was locked out."""
    names = list(subjects)
    rows = reader.connection.all(f"SELECT until_ms FROM failures WHERE subject IN ({placeholders(len(names))})", names)
    return max((int(until) for (until,) in rows), default=0)


def count_failure(
    transaction: Transaction, subject: str, allowed: int, now: int, longest: int = LONGEST_WAIT_MS
) -> int:
    """Count one more failure; until when the subject is locked out by it, 0 where it is not.

    The wait doubles with each failure after those that are allowed, up to the longest.
    """
    connection = transaction.connection
    counted = "SELECT count, last_ms FROM failures WHERE subject = ? ORDER BY subject FOR UPDATE"
    rows = connection.all(counted, (subject,))
    before = rows[0][0] if rows and rows[0][1] > now - FAILURES_FORGOTTEN_MS else 0
    over = before + 1 - allowed
    until = 0 if over < 0 else now + min(longest, FIRST_WAIT_MS * 2 ** min(over, 10))
    row = {"subject": subject, "count": before + 1, "last_ms": now, "until_ms": until}
    connection.put("failures", ["subject"], row)
    connection.run("DELETE FROM failures WHERE last_ms < ? AND until_ms < ?", (now - FAILURES_FORGOTTEN_MS, now))
    return until


def forget_failures(transaction: Transaction, subject: str) -> None:
    transaction.connection.run("DELETE FROM failures WHERE subject = ?", (subject,))


def is_known_address(reader: Reader, handle: str, address: str) -> bool:
    statement = "SELECT 1 FROM known_addresses WHERE handle = ? AND address = ?"
    return bool(reader.connection.all(statement, (handle, address)))


def know_address(transaction: Transaction, handle: str, address: str, now: int) -> None:
    """Somebody has logged in from an address; of each person the latest few are kept.

    Nobody is shut out, at an address where they have logged in before, by what strangers do elsewhere.
    """
    connection = transaction.connection
    connection.put("known_addresses", ["handle", "address"], {"handle": handle, "address": address, "last_ms": now})
    connection.run(
        "DELETE FROM known_addresses WHERE handle = ? AND address NOT IN (SELECT address FROM "
        f"known_addresses WHERE handle = ? ORDER BY last_ms DESC, address LIMIT {MOST_KNOWN_ADDRESSES})",
        (handle, handle),
    )


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

    A log-in that was drawn for a demonstration no longer is one: nobody has read this password on a screen.
    """
    lock_people(transaction)
    person = transaction.person(handle) or StoredPerson(handle)
    transaction.set_person(msgspec.structs.replace(person, password=hashed, is_drawn=False), by, now)
    end_sessions_of(transaction, handle)


def drawn_people(reader: Reader) -> list[str]:
    return [handle for (handle,) in reader.rows("SELECT handle FROM people WHERE drawn ORDER BY handle")]


def erase_person(transaction: Transaction, handle: str, by: str, now: int) -> bool:
    """Erase who stands behind a handle, with roles and sessions; the account stays.

    Whether there was anything to erase. The last administrator stays: `LastAdministrator`.
    """
    with keeping_an_administrator(transaction, handle):
        person = transaction.person(handle) or StoredPerson(handle)
        erased = (
            (Subject.PASSWORD, log_in_state(person.password, is_drawn=person.is_drawn)),
            (Subject.ROLES, roles_state(_role_rows(transaction, handle))),
        )
        for subject, before in erased:
            if before is not None:
                transaction.note(HouseCode.PERSON_ERASED, subject.of(handle), by, now, before=before)
        # First who it is: a log-in that is just being opened waits for this row, and then finds nobody.
        gone = transaction.connection.run("DELETE FROM people WHERE handle = ?", (handle,)) > 0
        transaction.connection.run("DELETE FROM roles WHERE handle = ?", (handle,))
        end_sessions_of(transaction, handle)
        remove_factor(transaction, handle, by, now, None, HouseCode.PERSON_ERASED)
        transaction.connection.run("DELETE FROM known_addresses WHERE handle = ?", (handle,))
    return gone
