"""A dealer with physical cards, over the API: a test says which cards come, and the table does the rest."""

from __future__ import annotations

from typing import Any

from punto.cards.source import SourceKind
from punto.client import Done, Refused, ShownTable
from punto.rules.authority import Role
from tests.server.running_floor import RunningFloor


class Croupier:
    """Deals at a table of its own."""

    def __init__(self, floor: RunningFloor, book: str, *, name: str = "Dan", **terms: Any) -> None:
        self.floor, self.name = floor, name
        self.table = floor.new_table(book, source=SourceKind.ENTERED, burn="none", **terms)

    def give(self, type: str, *, by: str | None = None, role: Role = Role.DEALER, **fields: Any) -> Done:
        """Give a command that must be accepted."""
        who = self.floor.client(by or self.name)
        expected = self.shown(by, role).version if role is not Role.PLAYER else None
        answer = who.give(self.table, {"type": type, **fields}, role, expected=expected)
        assert isinstance(answer, Done), answer
        return answer

    def shown(self, by: str | None = None, role: Role = Role.DEALER) -> ShownTable:
        found = self.floor.client(by or self.name).table(self.table, role)
        assert not isinstance(found, Refused), found
        return found

    def open_bets(self) -> None:
        """A shoe if one is needed, and the call for bets."""
        while (due := self.next())["type"] != "call-bets":
            self.give(**due)
        self.give(**due)

    def next(self) -> dict[str, Any]:
        """The next act as the table sees it."""
        found: dict[str, Any] = self.shown().view["next"]["command"]
        return found

    def deal(self, cards: str) -> None:
        """Close the bets if they are open, and deal these cards; other acts that fall due are given."""
        waiting = cards.split()
        while waiting:
            due = self.next()
            self.give(**({**due, "card": waiting.pop(0)} if due["type"] == "deal-card" else due))

    def finish(self) -> None:
        """Everything up to and with the settlement."""
        while (due := self.next())["type"] != "call-bets":
            assert due["type"] != "deal-card", "more cards are due"
            self.give(**due)

    def play(self, cards: str) -> None:
        """A whole round without bets of its own."""
        self.open_bets()
        self.deal(cards)
        self.finish()
