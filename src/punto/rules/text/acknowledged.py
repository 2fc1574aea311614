"""Warnings about a book, and how a book says that it knows: by name, with a reason."""

from __future__ import annotations

from enum import Enum

from punto.rules.text.entry import Entry, Text


class Concern(Enum):
    """What may be wrong with a book that can be used."""

    FAVOURS_PLAYER = "favours-player"
    """A bet or an insurance offer on which the player has the edge."""
    HIGH_EDGE = "high-edge"
    """A bet of which the house keeps more than a quarter."""
    NEVER_HAPPENS = "never-happens"
    """A pay row that no shoe of the decks allowed can bring."""
    SMALL_COINS = "small-coins"
    """Odds that need coins smaller than the smallest chip."""
    NO_CLAUSE = "no-clause"
    """A rule that names no clause."""
    COUNTABLE = "countable"
    """A bet that a card counter beats."""


class Acknowledged(Entry, frozen=True):
    """A warning that the writer of the book knows of, and accepts."""

    warning: Text
    """The name of the warning as punto check prints it: the kind, a slash and what it is about."""
    reason: Text
    """Why it is accepted."""
