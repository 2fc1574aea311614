"""A betting area of a book, what it needs beside it, and its pay table."""

from __future__ import annotations

from enum import Enum

from punto.rules.facts import Hand
from punto.rules.outcome import Result
from punto.rules.text.entry import Entry, Labels, Name, Text
from punto.rules.text.when import When


class Area(Enum):
    """What kind of bet a betting area takes."""

    MAIN = "main"
    """On a hand to win: the bet that insurance and squeezes ask about."""
    SIDE = "side"
    ANTE = "ante"
    WAGER = "wager"


class PayRow(Entry, frozen=True):
    """One row of a pay table: when these facts hold, this is what happens."""

    clause: Text
    """The clause of this row."""
    when: When | tuple[When, ...] | None = None
    """All facts of one condition, or any one of several conditions."""
    otherwise: bool = False
    """All deals that no row before covers."""
    odds: str | None = None
    """A win at these odds: 8:1, 8 to 1, or 9 for 1 with the stake in it."""
    result: Result | None = None
    """Without odds: push or lose."""


class Bet(Entry, frozen=True):
    """A betting area with its pay table."""

    area: Name
    """The name of the betting area, such as banker-pair."""
    kind: Area
    """What kind of bet it is: main, side, ante or wager."""
    labels: Labels
    """The name on the layout."""
    clause: Text
    """The clause that provides for this area."""
    pays: tuple[PayRow, ...]
    """The pay table: every possible deal matches exactly one row, or a first one."""
    first_match: bool = False
    """Rows are tried from the top and the first one that holds counts, so they may overlap."""
    hand: Hand | None = None
    """The hand that a main bet, an ante or a wager is on."""
    needs: tuple[Name, ...] = ()
    """Areas of which the same player must hold at least one."""
    needs_clause: str | None = None
    """The clause on what it needs beside it."""

    def __repr__(self) -> str:
        return f"<Bet {self.area}: {self.kind.value}, {len(self.pays)} rows, clause {self.clause}>"


class Declaration(Entry, frozen=True):
    """A name that the dealer calls out when these facts hold."""

    name: Name
    """What it is called in the book."""
    labels: Labels
    """What the dealer says."""
    when: When | tuple[When, ...]
    """When it is announced: all facts of one condition, or any one of several conditions."""
    clause: Text
    """The clause on it."""
