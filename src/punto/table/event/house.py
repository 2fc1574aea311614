"""What happens to the table, its shoe and its people."""

from __future__ import annotations

from punto.cards.card import Card
from punto.table.event.header import EventHeader
from punto.table.terms import Terms


class TableOpened(EventHeader, frozen=True):
    terms: Terms


class TermsChanged(EventHeader, frozen=True):
    terms: Terms
    needs_shoe: bool = False
    """The cards in play no longer fit the terms."""


class TablePaused(EventHeader, frozen=True):
    pass


class TableResumed(EventHeader, frozen=True):
    pass


class TableClosed(EventHeader, frozen=True):
    pass


class ShoeLoaded(EventHeader, frozen=True):
    number: int
    decks: int
    behind_cut: int
    burn_due: bool


class CardsBurned(EventHeader, frozen=True):
    shown: Card | None
    count: int
    """All that were burned, the shown one included."""


class CutCardCameOut(EventHeader, frozen=True):
    last_round: int
    """The last round that this shoe is played for."""


class SeatTaken(EventHeader, frozen=True):
    box: int
    player: str
    notice: str | None = None
    """The clause of a notice that the player accepts by sitting down."""


class SeatLeft(EventHeader, frozen=True):
    box: int
    player: str


class WalkedAway(EventHeader, frozen=True):
    player: str


class CameBack(EventHeader, frozen=True):
    player: str
