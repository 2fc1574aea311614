"""A rule book as typed values: what one TOML file says, and nothing derived from it.

Every field here is a key of the file. docs/guides/write-a-rule-book.md explains them to designers.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.rules.authority import Authority
from punto.rules.text.acknowledged import Acknowledged
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


class ClauseWords(Entry, frozen=True):
    """A clause in another language."""

    sense: Text
    """What it says."""
    reading: Text | None = None
    """How we read it, where the clause has a reading."""


class BookWords(Entry, frozen=True):
    """What a book is called in another language."""

    title: Line
    """The title, as shown to people."""


class Clause(Entry, frozen=True):
    """A clause of the document by its number, with its sense in our words."""

    number: Line
    """The number, as the document has it."""
    kind: ClauseKind
    """What the clause asks for: behaviour, display, layout or definition."""
    sense: Text
    """What it says, in your own words."""
    reading: str | None = None
    """How we read it where the text leaves room."""
    zh_hans: ClauseWords | None = None
    """Sense and reading in simplified Chinese; where they are left out, English shows."""
    zh_hant: ClauseWords | None = None
    """Sense and reading in traditional Chinese; where they are left out, English shows."""


class Decks(Entry, frozen=True):
    """How many decks of 52 the game may be played with."""

    allowed: tuple[NumberOfDecks, ...]
    """The numbers of decks that may be used, 1 to 100, no number twice."""
    clause: Text
    """The clause on decks."""


class Layout(Entry, frozen=True):
    """A table layout and its betting boxes."""

    name: Name
    """The name of the layout."""
    label: Line
    """Its name as shown to people."""
    boxes: UpToHundred
    """The number of betting boxes."""
    clause: str | None = None
    """The clause on it, where the document has one."""
    boxes_least: UpToHundred | None = None
    """The smallest number of boxes, where the house may mark another number."""
    boxes_most: UpToHundred | None = None
    """The largest number of boxes, where the house may mark another number."""


class BookText(Entry, frozen=True):
    """A whole rule book."""

    name: Name
    """The name of the book: lower case and digits with hyphens between."""
    title: Line
    """Its title, as shown to people."""
    source: Text
    """The document it follows."""
    decks: Decks
    """How many decks the game may be played with."""
    layouts: tuple[Layout, ...]
    """The layouts that the game may be dealt on."""
    betting: Betting
    """How bets open and close, and what a late try means."""
    play: TableOfPlay
    """The table of play: who draws a third card."""
    bets: tuple[Bet, ...]
    """The betting areas, each with its pay table."""
    limits: Limits
    """How the limits of a table bind."""
    settlement: Settlement
    """How a finished round is paid."""
    clauses: tuple[Clause, ...]
    """Every clause of the document, listed once."""
    effective: str | None = None
    """Date of effect, year-month-day; left out where the document has none."""
    version: str | None = None
    """The version of the document."""
    declarations: tuple[Declaration, ...] = ()
    """What the dealer announces besides the winner."""
    insurance: Insurance | None = None
    """When insurance is offered, what it pays, and its bounds."""
    ante: Ante | None = None
    """Antes: a card is shown, then each is given up or followed by its wager."""
    squeeze: Squeeze | None = None
    """Who may squeeze cards."""
    irregularities: tuple[Irregularity, ...] = ()
    """What can go wrong, what is done about it, and on whose word."""
    authority: tuple[Authority, ...] = ()
    """Who may give which command at the table, where the document says so."""
    acknowledged: tuple[Acknowledged, ...] = ()
    """Warnings of punto check that the writer of the book knows of, each with a reason."""
    zh_hans: BookWords | None = None
    """The title in simplified Chinese; where it is left out, English shows."""
    zh_hant: BookWords | None = None
    """The title in traditional Chinese; where it is left out, English shows."""

    def __repr__(self) -> str:
        return f"<BookText {self.name}: {len(self.bets)} bets, {len(self.clauses)} clauses>"

    def bet(self, area: str) -> Bet | None:
        """The bet of this betting area."""
        return next((bet for bet in self.bets if bet.area == area), None)

    def clause(self, number: str) -> Clause | None:
        """The clause of this number."""
        return next((clause for clause in self.clauses if clause.number == number), None)


# msgspec works a struct out at its first use, and the process crashes where two threads do so at once.
_READY = msgspec.json.Decoder(BookText)
