"""A stored table in memory: the book it is played by, its state, and the version they belong to."""

from __future__ import annotations

import msgspec

from punto.floor.shelf import Shelf
from punto.store.reader import Reader
from punto.store.stored import StoredTable
from punto.table.state import State, Table


class LoadedTable(msgspec.Struct, frozen=True):
    """A table at one version."""

    id: str
    version: int
    table: Table
    imported: bool = False

    def __repr__(self) -> str:
        return f"<{self.id} at {self.version}: {self.table}>"


def load(
    reader: Reader, shelf: Shelf, stored: StoredTable, known: LoadedTable | None = None, at: int | None = None
) -> LoadedTable:
    """A table at its last version, or at an earlier one.

    What is known of it is taken up, if it is not beyond that; else the last snapshot, which saves reading
    the whole log. Every event after it is folded in.
    """
    last = stored.version if at is None else at
    if known is not None and known.version == last:
        return known
    if known is not None and known.version < last:
        version, table = known.version, known.table
    else:
        book = shelf.book(reader, stored.digest)
        kept = reader.snapshot(stored.id, last)
        version, state = (kept.seq, kept.state) if kept is not None else (0, State())
        table = Table(book, state)
    state = table.state
    for record in reader.each_record(stored.id, version, last - version):
        state = record.event.fold(state)
        version = record.seq
    assert version == last, "a table has an event for every number up to its version"
    return LoadedTable(stored.id, version, Table(table.book, state), stored.imported)
