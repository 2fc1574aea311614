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
    """The name of the window."""
    label: Line
    """Its name as shown to people."""
    cards: Annotated[int, msgspec.Meta(ge=4, le=5)]
    """Number of cards on the table then; with five, Player's third has just come."""


class OfferRow(Entry, frozen=True):
    """A row of the insurance pay table."""

    window: Name
    """The name of the window in which it is offered."""
    hand: Hand
    """The insured hand."""
    player_points: tuple[Points, ...]
    """Player's points at which it is offered."""
    banker_points: tuple[Points, ...]
    """Banker's points at which it is offered."""
    odds: str
    """What it pays, such as 2:1."""
    clause: Text
    """The clause of this row."""
    tie: Result | None = None
    """What a tie does to this insurance, where it is not what the book says of all."""


class Insurance(Entry, frozen=True):
    """Insurance: when it is offered, what it pays, and its bounds."""

    labels: Labels
    """What insurance is called."""
    windows: tuple[Window, ...]
    """The moments of the deal at which it is offered."""
    offers: tuple[OfferRow, ...]
    """The rows of the insurance pay table."""
    tie: Result
    """What a tie does to insurance: push, lose or win."""
    tie_clause: Text
    """The clause on ties."""
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
