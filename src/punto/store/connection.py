"""What the store asks of a connection to a database; `sqlite` and `postgres` each have one.

Statements are written once, with `?` for a value and `FOR UPDATE` where rows are to be locked. Each
connection turns them into the words of its own database, and its driver's errors into sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

Row = tuple[Any, ...]


class Connection(Protocol):
    """One connection to a database; one transaction at a time."""

    def begin_read(self) -> None:
        """Begin to read: everything is seen as it is at this moment, whatever others write meanwhile."""

    def begin_write(self) -> None:
        """Begin to write."""

    def commit(self) -> None:
        """Keep everything that was written; once this returns, it outlives a loss of power."""

    def roll_back(self) -> None:
        """Leave everything as it was; nothing is raised where there is nothing to leave."""

    def all(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows that a statement finds."""

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Carry out a statement; the number of rows it touched."""

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> int:
        """Carry out a statement with each of these rows; the number of rows it touched."""

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Add rows to a table."""

    def next_ids(self, table: str, count: int) -> Sequence[int]:
        """Fresh numbers for the column `id` of a table, rising."""

    def lock(self, name: str) -> None:
        """In a transaction that writes: whoever asks for the same name waits until this one ends."""

    def lock_all(self, names: Sequence[str]) -> None:
        """The same for many names, in one order whoever asks for them."""

    def restart_ids(self, table: str) -> None:
        """After rows were written with their numbers: what `next_ids` gives lies above them."""

    def tables(self) -> set[str]:
        """The names of the tables that are there."""

    def columns(self, table: str) -> list[str]:
        """The names of the columns of a table, in their order."""

    def pages(self, statement: str, size: int) -> Iterator[list[Row]]:
        """The rows that a statement finds, a block at a time."""

    def is_alive(self) -> bool:
        """Whether the connection can be used again."""

    def close(self) -> None:
        """Give the connection back to the database."""


def inserting(table: str, columns: Sequence[str]) -> str:
    """The statement that adds one row."""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


def placeholders(count: int) -> str:
    """`?, ?, ?`: a placeholder for each value."""
    return ", ".join("?" * count)
