"""The table of play as a book writes it: rows that say who draws a third card."""

from __future__ import annotations

from punto.rules.text.entry import Entry, Points, Text


class PlayerRow(Entry, frozen=True):
    """What the Player hand does with its first two cards."""

    points: tuple[Points, ...]
    """Two-card points of the Player hand."""
    draws: bool
    """Whether it draws a third card."""
    clause: Text
    """The clause of this row."""


class BankerRow(Entry, frozen=True):
    """What the Banker hand does, given Player's third card."""

    points: tuple[Points, ...]
    """Two-card points of the Banker hand."""
    draws: bool
    """Whether it draws a third card."""
    clause: Text
    """The clause of this row."""
    third: tuple[Points, ...] | None = None
    """Points of Player's third card; left out where Player took none."""
    player_stood: bool = False
    """True for the row that holds when Player took no third card."""


class TableOfPlay(Entry, frozen=True):
    """When third cards are drawn."""

    naturals: tuple[Points, ...]
    """Two-card points that end the deal in either hand."""
    naturals_clause: Text
    """The clause on naturals."""
    deal_clause: Text
    """The clause on the order of the deal."""
    points_clause: Text
    """How points are counted."""
    player: tuple[PlayerRow, ...]
    """Rows for the Player hand, by its two-card points."""
    banker: tuple[BankerRow, ...]
    """Rows for the Banker hand, by its two-card points and Player's third card."""
    winner_clause: str | None = None
    """Which hand wins; left out where the clause on points says that too."""
    tie_clause: str | None = None
    """What a tie does."""
    drawer_clause: str | None = None
    """Who draws the cards from the shoe, where the document speaks of it."""
