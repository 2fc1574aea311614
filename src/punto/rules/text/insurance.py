"""Insurance as a book writes it: windows, the insurance pay table, and the clauses that bound it."""

from __future__ import annotations

from typing import Annotated

import msgspec

from punto.rules.facts import Hand
from punto.rules.outcome import Result
from punto.rules.text.entry import Entry, Labels, Line, Name, Points, Text


class Window(Entry, frozen=True):
    """A moment of the deal at which insurance is offered."""

    name: Name
    label: Line
    cards: Annotated[int, msgspec.Meta(ge=4, le=5)]
    """Number of cards on the table then; with five, Player's third has just come."""


class OfferRow(Entry, frozen=True):
    """A row of the insurance pay table."""

    window: Name
    hand: Hand
    player_points: tuple[Points, ...]
    banker_points: tuple[Points, ...]
    odds: str
    clause: Text
    tie: Result | None = None
    """What a tie does to this insurance, where it is not what the book says of all."""


class Insurance(Entry, frozen=True):
    """Insurance: when it is offered, what it pays, and its bounds."""

    labels: Labels
    windows: tuple[Window, ...]
    offers: tuple[OfferRow, ...]
    tie: Result
    tie_clause: Text
    table_clause: Text
    """The insurance pay table: what it does not list is not offered."""
    holder_clause: Text
    """Only on one's own main bet."""
    draw_clause: Text
    """Only while the table of play still brings a card."""
    cap_clause: Text
    """Pay-outs of all insurance on a bet never exceed the bet."""
    forgone_clause: Text
    """Passing up an offer ends insurance for the round."""
    notice_clause: Text
    """A private table without insurance, and its notice."""
    neglect_clause: Text
    """An offer that should have been made and was not."""

    def __repr__(self) -> str:
        return f"<Insurance: {len(self.windows)} windows, {len(self.offers)} rows>"
