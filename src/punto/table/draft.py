"""A draft: the events that a command is about to cause, and the table as they would leave it.

Later events of one command depend on earlier ones, so each is folded in as it is added. Nothing has happened
until the whole draft is returned.
"""

from __future__ import annotations

from punto.rules.book import Book
from punto.rules.role import Role
from punto.table.header import CommandHeader, EventHeader
from punto.table.state import State, Table
from punto.table.terms import Terms


class Draft:
    """Events in the making, all caused by one command."""

    def __init__(self, table: Table, command: CommandHeader) -> None:
        self.book: Book = table.book
        self.state: State = table.state
        self.events: list[EventHeader] = []
        self.stamp: tuple[str, Role, int] = (command.actor, command.role, command.time)
        """Who causes the events, in which role and when: the first fields of each of them."""

    @property
    def table(self) -> Table:
        """The table as the events so far leave it."""
        return Table(self.book, self.state)

    @property
    def terms(self) -> Terms:
        """The terms that hold now."""
        return self.table.terms

    def add(self, event: EventHeader) -> None:
        """Add an event and fold it in."""
        self.events.append(event)
        self.state = event.fold(self.state)
