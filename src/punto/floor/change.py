"""A change: what one commit added to one table, as subscribers of a floor are told it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock

import msgspec

from punto.floor.loaded import LoadedTable
from punto.store.record import Record
from punto.table.state import State

_log = logging.getLogger(__name__)


class Change(msgspec.Struct, frozen=True):
    """The records that one commit added to a table, and the table before and after them."""

    table: str
    before: LoadedTable
    after: LoadedTable
    records: tuple[Record, ...]

    def followed_by(self, after: LoadedTable, records: Sequence[Record]) -> Change:
        """This change and the next one of the same commit."""
        return Change(self.table, self.before, after, (*self.records, *records))

    def steps(self) -> Iterator[tuple[State, Record]]:
        """Each record with the state before it."""
        return steps_from(self.before.table.state, self.records)


def steps_from(state: State, records: Sequence[Record]) -> Iterator[tuple[State, Record]]:
    """Records in a row, each with the state before it; `state` is the one before the first."""
    for record in records:
        yield state, record
        if record is not records[-1]:
            state = record.event.fold(state)


Told = Callable[[Sequence[Change]], None]


class Subscribers:
    """Who is told of changes."""

    def __init__(self) -> None:
        self._callbacks: tuple[Told, ...] = ()
        self._lock = Lock()

    def add(self, callback: Told) -> Callable[[], None]:
        """Tell this one from now on; what is returned ends it."""

        def told(changes: Sequence[Change]) -> None:
            callback(changes)

        with self._lock:
            self._callbacks = (*self._callbacks, told)

        def end() -> None:
            with self._lock:
                self._callbacks = tuple(other for other in self._callbacks if other is not told)

        return end

    def tell(self, changes: Mapping[str, Change]) -> None:
        """Tell everybody; one that fails takes nothing from the others, nor from what was committed."""
        if not changes:
            return
        for callback in self._callbacks:
            try:
                callback(tuple(changes.values()))
            except Exception:
                _log.exception("a subscriber of the floor failed")
