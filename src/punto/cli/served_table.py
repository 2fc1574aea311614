"""A table behind the API of a server, as far as whoever has logged in may see it: its events are asked for and folded
here, so that `punto table show` and `run` say the same as with a database.

What lies face down is told to nobody. Where a table deals so, its log cannot be folded by others, and the command says
so in a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from punto.cli.output import refuse
from punto.cli.served_house import ServedHouse
from punto.floor.answers import CommandAnswer, ShownTable, Waiting
from punto.floor.errand import GivenErrand
from punto.floor.loaded_table import LoadedTable
from punto.ledger.postings import movements_of
from punto.ledger.results import TableResults, results_of
from punto.refusal import Reason, Refusal, RefusalText
from punto.rules.book import Book, digest_of
from punto.store.record import Record, decode_event
from punto.table.state import State, Table

if TYPE_CHECKING:
    from punto.table.command import Command


class ServedTable:
    """A table with its whole log, folded up to the last event that was asked for."""

    def __init__(self, house: ServedHouse, id: str) -> None:
        self._house, self.id = house, id
        self._shown = house.table(id)
        self.book: Book = _book_of(house, self._shown)
        self.steps: list[tuple[State, Record]] = []  # Each record with the state before it.
        self._states = [State()]
        self.catch_up()

    @property
    def version(self) -> int:
        return len(self.steps)

    def catch_up(self) -> None:
        """Fold what has happened since."""
        self._fold(self._house.events(self.id, self.version))

    def _fold(self, records: Any) -> None:
        for seen in records:
            record = self._record(seen)
            self.steps.append((self._states[-1], record))
            self._states.append(record.event.fold(self._states[-1]))

    def _record(self, seen: Any) -> Record:
        try:
            event = decode_event(msgspec.json.encode(seen.event).decode(), seen.v)
        except msgspec.ValidationError:
            refuse(
                f"at table {self.id} cards are dealt face down, and a server tells nobody which: "
                "look at it where its database is; punto table log shows what you may see"
            )
        return Record(seen.table, seen.seq, seen.v, seen.key, event)

    def at(self, version: int | None = None) -> LoadedTable:
        """The table as it is, or as it was after an event."""
        last = self.version if version is None else version
        if last > self.version:
            refuse(f"--at must be from 0 to {self.version:,}, the last event of table {self.id}, not {last:,}")
        table = Table(self.book, self._states[last])
        return LoadedTable(self.id, last, table, self._shown.imported, self._shown.created_ms)

    def results(self, version: int, since: int | None, until: int | None) -> TableResults | None:
        """What the table has won up to a version; an imported one has no postings."""
        if self._shown.imported:
            return None
        steps = self.steps[:version]
        return results_of(
            ((step.event, movements_of(self.id, before, step.event)) for before, step in steps), since, until
        )

    def give(self, command: Command, expected: int | None) -> tuple[LoadedTable, tuple[Record, ...]] | Refusal:
        """Give a command; the table before its events, and the events."""
        came = self._house.give(GivenErrand(table=self.id, command=command, expected=expected))
        if isinstance(came, RefusalText):
            if came.reason not in {reason.value for reason in Reason}:
                refuse(came.sentence)
            return Refusal(Reason(came.reason), came.clause, came.params)
        if isinstance(came, Waiting):
            refuse(f"this waits for a second person, who is a {came.needs.value} or above: approval {came.approval}")
        assert isinstance(came, CommandAnswer)
        self._fold(seen for seen in self._house.events(self.id, self.version) if seen.seq <= came.version)
        first = came.version - len(came.events)
        return self.at(first), tuple(record for _, record in self.steps[first : came.version])


def served_lines(house: ServedHouse, id: str, after: int) -> Iterator[bytes]:
    """The events of a table as JSON Lines."""
    house.table(id)
    for seen in house.events(id, after):
        yield msgspec.json.encode(seen) + b"\n"


def _book_of(house: ServedHouse, shown: ShownTable) -> Book:
    from punto.books import NAMES, load
    from punto.floor.loaded_table import read_document

    if shown.book in NAMES and digest_of(book := load(shown.book)) == shown.digest:
        return book
    return read_document(house.document(shown.digest))
