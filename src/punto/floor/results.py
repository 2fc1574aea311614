"""The results of a stored table: what its log comes to in a span of time, such as a shift."""

from __future__ import annotations

from collections.abc import Iterator

from punto.ledger.movement import Movement
from punto.ledger.postings import movements_of
from punto.ledger.results import TableResults, results_of
from punto.store.reader import Reader
from punto.table.event import Event
from punto.table.state import State


def table_results(
    reader: Reader, id: str, version: int, since: int | None = None, until: int | None = None
) -> TableResults:
    """Drop, handle, win, hold and voids of a table up to a version, from a time on and before another."""
    return results_of(entries(reader, id, version), since, until)


def entries(reader: Reader, id: str, version: int) -> Iterator[tuple[Event, tuple[Movement, ...]]]:
    """Every event of a table with what it moved, found again from the log alone.

    The credit of a table that closes is left out: what its float held is for the ledger to say.
    """
    state = State()
    for record in reader.each_record(id, 0, version):
        yield record.event, movements_of(id, state, record.event)
        state = record.event.fold(state)
