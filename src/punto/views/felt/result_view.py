"""The result of a round: who won, and what became of each bet."""

from __future__ import annotations

import msgspec

from punto.coup.deal import deal_hands
from punto.rules.book import Book
from punto.rules.facts import Winner
from punto.rules.outcome import Result
from punto.rules.role import Role
from punto.table.layout import SettledBet
from punto.table.settlement.decisions import settlement_due
from punto.table.state import Phase, State, Table, shown_cards
from punto.views.labels import LabelView, area_label, label_view
from punto.views.viewer import Viewer


class LineView(msgspec.Struct, frozen=True):
    """What became of one bet. Amounts are minor units."""

    box: int
    player: str
    area: str
    label: LabelView
    stake: int
    result: Result
    odds: str | None
    net: int
    """What it brought or cost."""
    returned: int
    """What came back to the player, the stake included."""
    clause: str
    mine: bool


class DeclaredView(msgspec.Struct, frozen=True):
    """A name that the dealer calls out with the result, such as a natural."""

    name: str
    label: LabelView


class ResultView(msgspec.Struct, frozen=True):
    """A round that is decided, until the next call for bets."""

    round: int
    winner: Winner
    player_points: int
    banker_points: int
    declared: tuple[DeclaredView, ...]
    settled: bool
    """Whether the bets have been paid."""
    lines: tuple[LineView, ...]
    """Every bet, in the order in which boxes are settled; empty before that."""
    queue: tuple[LineView, ...]
    """For dealers, before the settlement: what they are about to pay, take and return, in the same order."""
    net: int
    """What the round brought the viewer or cost."""


def result_view(table: Table, viewer: Viewer) -> ResultView | None:
    """The result that lies on the table."""
    state = table.state
    player, banker = shown_cards(state.player), shown_cards(state.banker)
    is_over = state.phase is Phase.FINISHED or state.settled is not None
    if state.winner is None or not is_over or not player or not banker:
        return None
    coup = deal_hands(table.book.play, player, banker)
    lines = tuple(line_view(table.book, bet, viewer) for bet in state.settled or ())
    return ResultView(
        round=state.round,
        winner=state.winner,
        player_points=coup.player_points,
        banker_points=coup.banker_points,
        declared=declared_views(table.book, coup.declared(table.book)),
        settled=state.settled is not None,
        lines=lines,
        queue=_queue(table, viewer),
        net=sum(line.net for line in lines if line.mine),
    )


def _queue(table: Table, viewer: Viewer) -> tuple[LineView, ...]:
    if viewer.role is not Role.DEALER:
        return ()
    return tuple(line_view(table.book, bet, viewer) for bet in settlement_due(table))


def declared_views(book: Book, names: tuple[str, ...]) -> tuple[DeclaredView, ...]:
    """What the dealer calls out, in every language; that it is a tie the winner says already."""
    labels = {declaration.name: declaration.labels for declaration, _ in book.declarations}
    return tuple(DeclaredView(name, label_view(labels[name])) for name in names if name != Winner.TIE.value)


def line_view(book: Book, bet: SettledBet, viewer: Viewer) -> LineView:
    """What became of one bet."""
    back = bet.stake + bet.net
    return LineView(
        bet.box,
        bet.player,
        bet.area,
        area_label(book, bet.area),
        bet.stake,
        bet.result,
        bet.odds,
        bet.net,
        back,
        bet.clause,
        viewer.owns(bet.player),
    )


def is_void(state: State) -> bool:
    """Whether the round just over has no result: every bet of it went back."""
    is_between = state.phase in (Phase.IDLE, Phase.CLOSED)
    return is_between and state.round > 0 and state.settled is None and state.terms_at_call is None
