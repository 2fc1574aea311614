"""Failed log-ins, by name and by address: after some of them nobody is let in for a while.

From an address at which somebody has logged in before, they are not shut out by what strangers do elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from punto.store.connection import placeholders
from punto.store.reader import Reader
from punto.store.transaction import Transaction

FORGOTTEN_MS = 60 * 60 * 1000
"""After an hour without a failure, what came before is forgotten."""
FIRST_WAIT_MS = 15_000
LONGEST_WAIT_MS = 15 * 60 * 1000
MOST_KNOWN = 20
"""Addresses that are kept of one person."""


def locked_until(reader: Reader, subjects: Iterable[str]) -> int:
    """Until when one of these names or addresses is not let in; 0 where none ever was locked out."""
    asked = list(subjects)
    rows = reader.connection.all(
        f"SELECT until_ms FROM failures WHERE subject IN ({placeholders(len(asked))})", asked
    )
    return max((int(until) for (until,) in rows), default=0)


def count_failure(
    transaction: Transaction, subject: str, allowed: int, now: int, longest: int = LONGEST_WAIT_MS
) -> int:
    """Count one more failure; until when the subject is locked out by it, 0 where it is not.

    The wait doubles with each failure after those that are allowed, up to the longest.
    """
    connection = transaction.connection
    rows = connection.all(
        "SELECT count, last_ms FROM failures WHERE subject = ? ORDER BY subject FOR UPDATE", (subject,)
    )
    before = rows[0][0] if rows and rows[0][1] > now - FORGOTTEN_MS else 0
    over = before + 1 - allowed
    until = 0 if over < 0 else now + min(longest, FIRST_WAIT_MS * 2 ** min(over, 10))
    connection.run(
        "INSERT INTO failures (subject, count, last_ms, until_ms) VALUES (?, ?, ?, ?) ON CONFLICT (subject) "
        "DO UPDATE SET count = excluded.count, last_ms = excluded.last_ms, until_ms = excluded.until_ms",
        (subject, before + 1, now, until),
    )
    connection.run("DELETE FROM failures WHERE last_ms < ? AND until_ms < ?", (now - FORGOTTEN_MS, now))
    return until


def forget_failures(transaction: Transaction, subject: str) -> None:
    """Somebody was let in."""
    transaction.connection.run("DELETE FROM failures WHERE subject = ?", (subject,))


def is_known(reader: Reader, handle: str, address: str) -> bool:
    """Whether somebody has logged in from an address before."""
    statement = "SELECT 1 FROM known_addresses WHERE handle = ? AND address = ?"
    return bool(reader.connection.all(statement, (handle, address)))


def know_address(transaction: Transaction, handle: str, address: str, now: int) -> None:
    """Somebody has logged in from an address; of each person the latest few are kept."""
    connection = transaction.connection
    connection.run(
        "INSERT INTO known_addresses (handle, address, last_ms) VALUES (?, ?, ?) "
        "ON CONFLICT (handle, address) DO UPDATE SET last_ms = excluded.last_ms",
        (handle, address, now),
    )
    connection.run(
        "DELETE FROM known_addresses WHERE handle = ? AND address NOT IN (SELECT address FROM "
        f"known_addresses WHERE handle = ? ORDER BY last_ms DESC, address LIMIT {MOST_KNOWN})",
        (handle, handle),
    )
