"""Tables for people without an account: later than everybody else, by a delay that the house sets.

What such a guest sees is a function of the log up to the last event that is older than the delay, and of nothing else:
no event after it, no order of the house and no other table changes anything of it before its time.
"""

from __future__ import annotations

from itertools import takewhile

from punto.floor.loaded_table import BookCache, Change, LoadedTable, load_table
from punto.store.reader import Reader
from punto.store.record import StoredTable
from punto.table.state import State, Table

LOOKED_AT = 200  # Events that are looked at together.


def is_for_guests(state: State) -> bool:
    """Whether a table is open and not private; nor may the round be whose cards still lie there."""
    terms, at_call = state.terms, state.terms_at_call
    return terms is not None and not terms.private and (at_call is None or not at_call.private)


def version_before(reader: Reader, stored: StoredTable, moment: int) -> int:
    """The last version of a table whose events are all older than a moment; 0 where there is none."""
    version = last = stored.version
    while last > 0:
        first = max(0, last - LOOKED_AT)
        late = [record.seq for record in reader.records(stored.id, first, last - first) if record.event.time >= moment]
        if not late:
            break
        version, last = late[0] - 1, first
    return version


class DelayedTable:
    """A table as it was some time ago, which follows the one that is played."""

    def __init__(self, loaded: LoadedTable) -> None:
        self.loaded = loaded
        self._next: int | None = None  # The time of the event after it, where that is known.

    @classmethod
    def at(cls, reader: Reader, books: BookCache, stored: StoredTable, moment: int) -> DelayedTable:
        """A table after the last event that is older than a moment."""
        return cls(load_table(reader, books, stored, at=version_before(reader, stored, moment)))

    @property
    def is_shown(self) -> bool:
        """Whether guests see anything of it."""
        return is_for_guests(self.loaded.table.state)

    def is_due(self, version: int, moment: int) -> bool:
        """Whether there is anything to be read; `version` is that of the table as it is played."""
        return self._next < moment if self._next is not None else version > self.loaded.version

    def advance(self, reader: Reader, moment: int) -> Change | None:
        """Follow the log up to a moment, some events at a time; what was added, or None where nothing is old enough."""
        before = self.loaded
        records = reader.records(before.id, before.version, LOOKED_AT)
        # An event that is younger holds those behind it up, whatever time they have: the log is told in its order.
        old = tuple(takewhile(lambda record: record.event.time < moment, records))
        self._next = records[len(old)].event.time if len(old) < len(records) else None
        if not old:
            return None
        state = before.table.state
        for record in old:
            state = record.event.fold(state)
        table = Table(before.table.book, state)
        self.loaded = LoadedTable(before.id, old[-1].seq, table, before.imported, before.created_ms)
        return Change(before.id, before, self.loaded, old)
