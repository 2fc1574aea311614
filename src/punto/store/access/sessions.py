"""Sessions and the tickets that open streams, each kept by the SHA-256 of its secret."""

from __future__ import annotations

import msgspec

from punto.store.reader import Reader
from punto.store.transaction import Transaction

_SESSION = ("token", "handle", "created_ms", "expires_ms", "authenticated_ms")


class StoredSession(msgspec.Struct, frozen=True):
    """A log-in that holds until it expires or is ended."""

    token: str
    """The SHA-256 of the token, in hexadecimal."""
    handle: str
    created_ms: int
    expires_ms: int
    authenticated_ms: int
    """When the password was last given."""


def add_session(transaction: Transaction, session: StoredSession) -> None:
    """Keep a session, and forget those that have expired."""
    end_expired(transaction, session.created_ms)
    transaction.connection.insert("sessions", _SESSION, [msgspec.structs.astuple(session)])


def end_expired(transaction: Transaction, now: int) -> None:
    """Forget the sessions and tickets that have expired: they stay over, wherever the clock is put."""
    for table in ("sessions", "tickets"):
        transaction.connection.run(f"DELETE FROM {table} WHERE expires_ms <= ?", (now,))


def end_oldest_sessions(transaction: Transaction, handle: str, left: int) -> None:
    """End the sessions of a person except the latest `left`."""
    found = transaction.connection.all(
        "SELECT token FROM sessions WHERE handle = ? ORDER BY created_ms DESC, token", (handle,)
    )
    for (token,) in found[left:]:
        end_session(transaction, token)


def is_still_password(transaction: Transaction, handle: str, hashed: str) -> bool:
    """Whether this is what is kept of somebody's password, until this transaction ends.

    Whoever changes the password or erases the person waits meanwhile, and then ends the sessions that were
    opened; whoever was first has left another password here, or none.
    """
    statement = "SELECT password FROM people WHERE handle = ? ORDER BY handle FOR UPDATE"
    return transaction.connection.all(statement, (handle,)) == [(hashed,)]


def session_of(reader: Reader, token: str) -> StoredSession | None:
    """The session of a token, expired or not."""
    rows = reader.connection.all(f"SELECT {', '.join(_SESSION)} FROM sessions WHERE token = ?", (token,))
    return next((StoredSession(*row) for row in rows), None)


def authenticate_again(transaction: Transaction, token: str, now: int) -> None:
    """The password was given again."""
    transaction.connection.run("UPDATE sessions SET authenticated_ms = ? WHERE token = ?", (now, token))


def end_session(transaction: Transaction, token: str) -> bool:
    """End a session; whether there was one."""
    transaction.connection.run("DELETE FROM tickets WHERE token = ?", (token,))
    return transaction.connection.run("DELETE FROM sessions WHERE token = ?", (token,)) > 0


def end_sessions_of(transaction: Transaction, handle: str) -> None:
    """End every session of a person: the password or the roles have changed."""
    transaction.connection.run("DELETE FROM sessions WHERE handle = ?", (handle,))


def add_ticket(transaction: Transaction, ticket: str, token: str, now: int, expires: int) -> None:
    """Keep a ticket, and forget those that have expired."""
    transaction.connection.run("DELETE FROM tickets WHERE expires_ms <= ?", (now,))
    transaction.connection.insert("tickets", ("ticket", "token", "expires_ms"), [(ticket, token, expires)])


def use_ticket(transaction: Transaction, ticket: str, now: int) -> str | None:
    """The session of a ticket, which can be used once; None where it was used, expired or never given."""
    rows = transaction.connection.all(
        "SELECT token FROM tickets WHERE ticket = ? AND expires_ms > ?", (ticket, now)
    )
    gone = transaction.connection.run("DELETE FROM tickets WHERE ticket = ?", (ticket,))
    return str(rows[0][0]) if rows and gone == 1 else None
