"""A table as somebody sees it who has no account, where the house lets such people watch: later than everybody else,
and only what is named here. Nobody's name, and no bet of one person, is among it.
"""

from __future__ import annotations

import msgspec

from punto.floor.loaded_table import LoadedTable
from punto.rules.outcome import Winner
from punto.table.state import Phase, State
from punto.views import deal_view
from punto.views.table_view import BookView, book_view
from punto.views.viewer import BOARD


class WatchedShoe(msgspec.Struct, frozen=True):
    """The shoe in play."""

    number: int
    cards_left: int
    decks: int
    commitment: str | None  # The digest by which the house bound itself to its order, where it did.


class WatchedResult(msgspec.Struct, frozen=True):
    """A round that is decided, until the next call for bets."""

    round: int
    winner: Winner
    player_points: int
    banker_points: int
    winning: tuple[str, ...]  # The areas of the book that win.


class WatchedTable(msgspec.Struct, frozen=True):
    """A table as somebody without an account sees it."""

    table: str
    seq: int  # The last event that it includes.
    book: BookView
    currency: str | None  # None before the table is opened, like the limits.
    minimum: int | None  # Minor units.
    maximum: int | None
    phase: Phase
    round: int
    void: bool
    paused: bool
    shoe: WatchedShoe | None
    hands: deal_view.HandsView
    result: WatchedResult | None
    boxes: int  # Boxes in which somebody sits.
    staked: int  # What lies on the layout, of all players together.


def watched_table(loaded: LoadedTable) -> WatchedTable:
    table, state = loaded.table, loaded.table.state
    terms, result = state.terms, deal_view.result_view(table, BOARD)
    decided = None
    if result is not None:
        points = (result.player_points, result.banker_points)
        decided = WatchedResult(result.round, result.winner, *points, result.winning)
    return WatchedTable(
        table=loaded.id,
        seq=loaded.version,
        book=book_view(table.book),
        currency=terms.currency if terms is not None else None,
        minimum=terms.minimum if terms is not None else None,
        maximum=terms.maximum if terms is not None else None,
        phase=state.phase,
        round=state.round,
        void=deal_view.is_void(state),
        paused=state.is_paused,
        shoe=_shoe_of(state),
        hands=deal_view.hands_view(table, BOARD),
        result=decided,
        boxes=len(state.seats),
        staked=sum(stake.amount for stake in state.stakes) if state.is_in_round else 0,
    )


def _shoe_of(state: State) -> WatchedShoe | None:
    shoe = deal_view.shoe_view(state)
    return None if shoe is None else WatchedShoe(shoe.number, shoe.cards_left, shoe.decks, shoe.commitment)
