"""A draft: the events that a command is about to cause, and the table as they would leave it.

Later events of one command depend on earlier ones, so each is folded in as it is added. Nothing has happened
until the whole draft is returned.
"""

from __future__ import annotations

from typing import Any

from punto.rules.book import Book
from punto.table.command import CommandHeader
from punto.table.event import Event, EventHeader
from punto.table.fold import evolve
from punto.table.state import State, Table
from punto.table.terms import Terms


class Draft:
    """Events in the making, all caused by one command."""

    def __init__(self, table: Table, command: CommandHeader) -> None:
        self.book: Book = table.book
        self.state: State = table.state
        self.events: list[Event] = []
        self._stamp = (command.actor, command.role, command.time)

    @property
    def table(self) -> Table:
        """The table as the events so far leave it."""
        return Table(self.book, self.state)

    @property
    def terms(self) -> Terms:
        assert self.state.terms is not None, "the table has been opened"
        return self.state.terms

    def add(self, event_type: type[EventHeader], /, **fields: Any) -> None:
        """Add an event, caused by the command's actor in that role at that time."""
        event: Any = event_type(*self._stamp, **fields)
        self.events.append(event)
        self.state = evolve(self.state, event)
