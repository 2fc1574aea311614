"""Rows as they are stored, in their order, for whoever looks whether they were changed.

Nothing is decoded or believed: SQLite keeps any value in any column, and rows may point to what is not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from punto.store.connection import Row
from punto.store.reader import Reader
from punto.store.snapshot import fingerprint

PAGE = 10_000
"""Rows that are fetched at a time."""
FIRST = -(2**63)
"""Before every number that a database can hold."""

_MOVEMENT = (
    "m.id, m.table_id, m.seq, m.time_ms, m.kind, m.round, m.box, m.area, m.player, m.clause, m.reason, "
    "m.actor, m.second, m.hash"
)
_LINES = (1, 2, 3)
_POSTINGS = ", ".join(f"p{line}.account, p{line}.amount" for line in _LINES)
_JOINS = "".join(
    f"LEFT JOIN postings p{line} ON p{line}.movement_id = m.id AND p{line}.line = {line} " for line in _LINES
)


def link_rows(reader: Reader, table: str, until: int) -> Iterator[Row]:
    """The records of a table up to a version: seq, version of the form, key, body and hash."""
    after = FIRST
    while page := reader.rows(
        "SELECT seq, v, key, body, hash FROM events WHERE table_id = ? AND seq > ? AND seq <= ? "
        "ORDER BY seq LIMIT ?",
        (table, after, until, PAGE),
    ):
        yield from page
        after = page[-1][0]


def beyond(reader: Reader, tables: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The tables that have records or commands after their version, and which of the two."""
    for table in tables:
        for what, column in (("events", "seq"), ("commands", "version")):
            if reader.rows(
                f"SELECT 1 FROM {what} WHERE table_id = ? AND {column} > "
                "(SELECT version FROM tables WHERE id = ?) LIMIT 1",
                (table, table),
            ):
                yield table, what


def command_rows(reader: Reader, table: str) -> Iterator[Row]:
    """What was asked of a table: id, version, first and last event, actor, key, whether it was refused.

    The last column is the body, where somebody else stood beside the actor.
    """
    after = FIRST
    while page := reader.rows(
        "SELECT id, version, first_seq, last_seq, actor, key, refusal IS NOT NULL, "
        """CASE WHEN replace(body, '"second"', '') <> body THEN body END """
        "FROM commands WHERE table_id = ? AND id > ? ORDER BY id LIMIT ?",
        (table, after, PAGE),
    ):
        yield from page
        after = page[-1][0]


def movement_rows(reader: Reader, table: str | None = None) -> Iterator[Row]:
    """Every movement by id, or those of one table: its columns from id to hash, then its postings.

    Three postings are as many as a movement has: account and amount of each, empty where there is none.
    """
    after = FIRST
    # Joining the empty text to it keeps the database from sorting all movements of the table for each page.
    wanted, values = ("", ()) if table is None else ("AND m.table_id || '' = ? ", (table,))
    while page := reader.rows(
        f"SELECT {_MOVEMENT}, {_POSTINGS} FROM movements m {_JOINS}WHERE m.id > ? {wanted}"
        "ORDER BY m.id LIMIT ?",
        (after, *values, PAGE),
    ):
        yield from page
        after = page[-1][0]


def posting_count(reader: Reader) -> int:
    """Postings that are there, whatever they belong to."""
    [(count,)] = reader.rows("SELECT count(*) FROM postings")
    return int(count)


def snapshot_bodies(reader: Reader, table: str) -> dict[int, bytes]:
    """The snapshots of a table that this code would use, by the event that they stand after."""
    found = reader.rows(
        "SELECT seq, body FROM snapshots WHERE table_id = ? AND fingerprint = ?", (table, fingerprint())
    )
    return {seq: body if isinstance(body, bytes) else str(body).encode() for seq, body in found}


def book_rows(reader: Reader) -> list[Row]:
    """The books: digest, name and document."""
    return reader.rows("SELECT digest, name, document FROM books ORDER BY digest")
