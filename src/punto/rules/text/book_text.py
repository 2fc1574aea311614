"""A rule book as typed values: what one TOML file says, and nothing derived from it.

Every field here is a key of the file. docs/guides/write-a-rule-book.md explains them to designers.
"""

from __future__ import annotations

from enum import Enum

from punto.rules.authority import Authority
from punto.rules.text.ante import Ante
from punto.rules.text.bet import Bet, Declaration
from punto.rules.text.betting import Betting, Limits, Settlement, Squeeze
from punto.rules.text.entry import Entry, Line, Name, NumberOfDecks, Text, UpToHundred
from punto.rules.text.insurance import Insurance
from punto.rules.text.irregularity import Irregularity
from punto.rules.text.table_of_play import TableOfPlay


class ClauseKind(Enum):
    """What a clause asks of us."""

    BEHAVIOUR = "behaviour"
    DISPLAY = "display"
    LAYOUT = "layout"
    DEFINITION = "definition"


class Clause(Entry, frozen=True):
    """A clause of the document by its number, with its sense in our words."""

    number: Line
    kind: ClauseKind
    sense: Text
    reading: str | None = None
    """How we read it where the text leaves room."""


class Decks(Entry, frozen=True):
    """How many decks of 52 the game may be played with."""

    allowed: tuple[NumberOfDecks, ...]
    clause: Text


class Layout(Entry, frozen=True):
    """A table layout and its betting boxes."""

    name: Name
    label: Line
    boxes: UpToHundred
    clause: str | None = None
    boxes_least: UpToHundred | None = None
    """Where the house may mark another number of boxes: from here …"""
    boxes_most: UpToHundred | None = None
    """… to here."""


class BookText(Entry, frozen=True):
    """A whole rule book."""

    name: Name
    title: Line
    source: Text
    """The document it follows."""
    decks: Decks
    layouts: tuple[Layout, ...]
    betting: Betting
    play: TableOfPlay
    bets: tuple[Bet, ...]
    limits: Limits
    settlement: Settlement
    clauses: tuple[Clause, ...]
    effective: str | None = None
    """Date of effect, year-month-day; None where the document has none."""
    version: str | None = None
    declarations: tuple[Declaration, ...] = ()
    insurance: Insurance | None = None
    ante: Ante | None = None
    squeeze: Squeeze | None = None
    irregularities: tuple[Irregularity, ...] = ()
    authority: tuple[Authority, ...] = ()
    """Who may give which command at the table, where the document says so."""

    def __repr__(self) -> str:
        return f"<BookText {self.name}: {len(self.bets)} bets, {len(self.clauses)} clauses>"

    def bet(self, area: str) -> Bet | None:
        """The bet of this betting area."""
        return next((bet for bet in self.bets if bet.area == area), None)

    def clause(self, number: str) -> Clause | None:
        """The clause of this number."""
        return next((clause for clause in self.clauses if clause.number == number), None)
