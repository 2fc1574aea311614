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


def strays(reader: Reader) -> Iterator[tuple[str, str]]:
    """Rows of tables that are not there: the name of such a table, and what is there of it."""
    for what in ("events", "commands", "snapshots"):
        for (table,) in reader.rows(
            f"SELECT DISTINCT table_id FROM {what} WHERE table_id IS NOT NULL AND table_id NOT IN "
            "(SELECT id FROM tables)"
        ):
            yield str(table), what


def beyond(reader: Reader, tables: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The tables that have records, commands or snapshots after their version, and which of them."""
    for table in tables:
        for what, column in (("events", "seq"), ("commands", "version"), ("snapshots", "seq")):
            if reader.rows(
                f"SELECT 1 FROM {what} WHERE table_id = ? AND {column} > "
                "(SELECT version FROM tables WHERE id = ?) LIMIT 1",
                (table, table),
            ):
                yield table, what
        if reader.rows(
            "SELECT 1 FROM commands WHERE table_id = ? ORDER BY id LIMIT 1 OFFSET "
            "(SELECT asked FROM tables WHERE id = ?)",
            (table, table),
        ):
            yield table, "commands"


def command_rows(reader: Reader, table: str | None) -> Iterator[Row]:
    """What was asked of a table, or of the cashier's desk: every column as it is stored, the hash last."""
    after = FIRST
    wanted, values = ("table_id IS NULL", ()) if table is None else ("table_id = ?", (table,))
    while page := reader.rows(
        "SELECT id, table_id, version, first_seq, last_seq, actor, key, body, refusal, answer, expected, "
        f"hash FROM commands WHERE {wanted} AND id > ? ORDER BY id LIMIT ?",
        (*values, after, PAGE),
    ):
        yield from page
        after = page[-1][0]


def house_rows(reader: Reader) -> Iterator[Row]:
    """What the house did: seq, body and hash."""
    after = FIRST
    while page := reader.rows(
        "SELECT seq, body, hash FROM house_events WHERE seq > ? ORDER BY seq LIMIT ?", (after, PAGE)
    ):
        yield from page
        after = page[-1][0]


def movement_rows(reader: Reader, table: str | None = None) -> Iterator[Row]:
    """Every movement by id, or those of one table: its columns from id to hash, its postings, its key.

    Three postings are as many as a movement has: account and amount of each, empty where there is none.
    """
    after = FIRST
    # Joining the empty text to it keeps the database from sorting all movements of the table for each page.
    wanted, values = ("", ()) if table is None else ("AND m.table_id || '' = ? ", (table,))
    while page := reader.rows(
        f"SELECT {_MOVEMENT}, {_POSTINGS}, m.key FROM movements m {_JOINS}WHERE m.id > ? {wanted}"
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
