"""A betting box: who sits at it, what lies in it, and how much room it has."""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.rules.facts import Hand
from punto.rules.text.betting import LimitKind
from punto.table.betting.limits import difference, is_under_minimum, room
from punto.table.layout import AnteState, LaidBet
from punto.table.state import Table
from punto.table.terms import boxes_of
from punto.views.viewer import Viewer


class BetStatus(Enum):
    """What is to be said of a bet that lies on the layout."""

    LIVE = "live"
    UNDER = "under-minimum"
    """It lies under the minimum, and nobody has said so yet."""
    ADVISED = "advised"
    """The dealer said that it is under the minimum."""
    WAGERED = "wagered"
    """An ante that its wager follows."""
    GIVEN_UP = "given-up"


class BetView(msgspec.Struct, frozen=True):
    """A bet on the layout. Amounts are minor units."""

    player: str
    area: str
    stake: int
    status: BetStatus
    seated: bool
    """Whether the player sits at this box; the others bet behind."""
    mine: bool
    """Whether it is the viewer's own."""


class InsuredView(msgspec.Struct, frozen=True):
    """Insurance that was taken."""

    player: str
    hand: Hand
    window: int
    """Number of cards that were on the table."""
    amount: int
    odds: str
    mine: bool


class RoomView(msgspec.Struct, frozen=True):
    """How much more a box takes on each hand under the differential."""

    player: int
    banker: int


class SeatView(msgspec.Struct, frozen=True):
    """A betting box."""

    box: int
    player: str | None
    """Who sits there."""
    away: bool
    """Whether whoever sits there walked away."""
    mine: bool
    """Whether the viewer sits there."""
    bets: tuple[BetView, ...]
    """All bets in the box, those of standing players too, in the order in which they were placed."""
    insurance: tuple[InsuredView, ...]
    room: RoomView | None
    """What the viewer may still add here; None where the book measures by single bets."""
    heavier: Hand | None
    """The hand with more on it in this box; None where they are equal."""
    difference: int
    """By how much."""


def seat_views(table: Table, viewer: Viewer) -> tuple[SeatView, ...]:
    """Every box of a table."""
    boxes = boxes_of(table.book, table.terms)
    return tuple(_seat_view(table, box, viewer) for box in range(1, boxes + 1))


def _seat_view(table: Table, box: int, viewer: Viewer) -> SeatView:
    state = table.state
    player = state.seats.get(box)
    mine = viewer.owns(player)
    heavier, by = difference(table, box)
    return SeatView(
        box=box,
        player=player,
        away=player in state.away,
        mine=mine,
        bets=tuple(_bet_view(table, bet, viewer) for bet in state.bets if bet.box == box),
        insurance=tuple(
            InsuredView(
                taken.player,
                taken.hand,
                taken.window,
                taken.amount,
                taken.odds,
                viewer.owns(taken.player),
            )
            for taken in state.insured
            if taken.box == box
        ),
        room=_room_view(table, box, is_seated=mine),
        heavier=heavier if by else None,
        difference=by,
    )


def _room_view(table: Table, box: int, *, is_seated: bool) -> RoomView | None:
    if table.book.limits.kind is not LimitKind.DIFFERENTIAL:
        return None
    left = (room(table, box, table.book.main_area(hand), is_seated=is_seated) for hand in _ORDER)
    return RoomView(*(amount or 0 for amount in left))


_ORDER = (Hand.PLAYER, Hand.BANKER)


def _bet_view(table: Table, bet: LaidBet, viewer: Viewer) -> BetView:
    return BetView(
        bet.player, bet.area, bet.stake, _status(table, bet), bet.is_seated, viewer.owns(bet.player)
    )


def _status(table: Table, bet: LaidBet) -> BetStatus:
    if bet.ante is not AnteState.OPEN:
        return BetStatus.WAGERED if bet.ante is AnteState.WAGERED else BetStatus.GIVEN_UP
    if bet.is_advised:
        return BetStatus.ADVISED
    return BetStatus.UNDER if is_under_minimum(table, bet) else BetStatus.LIVE
