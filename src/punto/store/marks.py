"""Marks: what a database says of itself, such as that it is a demonstration.

What a database is must never be guessed from the names of people or tables in it: a house may have the same.
"""

from __future__ import annotations

from punto.store.reader import Reader
from punto.store.transaction import Transaction

DEMONSTRATION = "demonstration"
"""Made by `punto serve` to be tried; its value names the log-ins that were drawn for it."""
_KEPT = ("tables", "books", "accounts", "commands", "movements")
"""Where something is kept as soon as a database is used for anything."""


def mark_of(reader: Reader, name: str) -> str | None:
    """The value of a mark; None where the database does not have it."""
    found = reader.rows("SELECT value FROM marks WHERE name = ?", (name,))
    return next((str(value) for (value,) in found), None)


def set_mark(transaction: Transaction, name: str, value: str) -> None:
    """Set a mark."""
    transaction.connection.run(
        "INSERT INTO marks (name, value) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )


def remove_mark(transaction: Transaction, name: str) -> None:
    """Take a mark away."""
    transaction.connection.run("DELETE FROM marks WHERE name = ?", (name,))


def is_empty(reader: Reader) -> bool:
    """Whether nothing was ever kept in a database."""
    return not any(reader.rows(f"SELECT 1 FROM {table} LIMIT 1") for table in _KEPT)
