"""The table of play as a book writes it: rows that say who draws a third card."""

from __future__ import annotations

from punto.rules.text.entry import Entry, Points, Text


class PlayerRow(Entry, frozen=True):
    """What the Player hand does with its first two cards."""

    points: tuple[Points, ...]
    draws: bool
    clause: Text


class BankerRow(Entry, frozen=True):
    """What the Banker hand does, given Player's third card."""

    points: tuple[Points, ...]
    draws: bool
    clause: Text
    third: tuple[Points, ...] | None = None
    """Points of Player's third card …"""
    player_stood: bool = False
    """… or Player took none."""


class TableOfPlay(Entry, frozen=True):
    """When third cards are drawn."""

    naturals: tuple[Points, ...]
    """Two-card points that end the deal in either hand."""
    naturals_clause: Text
    deal_clause: Text
    points_clause: Text
    """How points are counted."""
    player: tuple[PlayerRow, ...]
    banker: tuple[BankerRow, ...]
    winner_clause: str | None = None
    """Which hand wins; left out where the clause on points says that too."""
    tie_clause: str | None = None
    """What a tie does."""
    drawer_clause: str | None = None
    """Who draws the cards from the shoe, where the document speaks of it."""
