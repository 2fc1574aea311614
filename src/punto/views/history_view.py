"""The rounds of a table for a page of history: cards, result, and what became of the viewer's own bets."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from punto.cards.card import Card
from punto.rules.book import Book
from punto.rules.facts import Winner
from punto.views.felt.result_view import DeclaredView, LineView, declared_views, line_view
from punto.views.rounds import EndedRound
from punto.views.viewer import Viewer


class RoundView(msgspec.Struct, frozen=True):
    """A round that is over. Amounts are minor units."""

    round: int
    shoe: int
    seq: int
    """The event that ended it."""
    time: int
    """When it ended, in milliseconds."""
    winner: Winner | None
    """None for a round that is void."""
    player: tuple[Card, ...]
    """Of a round that is void: the cards that lay open."""
    banker: tuple[Card, ...]
    player_points: int
    banker_points: int
    player_pair: bool
    banker_pair: bool
    declared: tuple[DeclaredView, ...]
    clause: str | None
    """The clause by which it is void."""
    lines: tuple[LineView, ...]
    """A player sees own bets, those who work at the table see all."""
    net: int
    """What the round brought the viewer or cost."""


def history_view(book: Book, rounds: Iterable[EndedRound], viewer: Viewer) -> tuple[RoundView, ...]:
    """Rounds as a viewer may look back at them, the latest first."""
    return tuple(_round_view(book, played, viewer) for played in reversed(tuple(rounds)))


def _round_view(book: Book, played: EndedRound, viewer: Viewer) -> RoundView:
    lines = [line_view(book, bet, viewer) for bet in played.bets]
    shown = tuple(line for line in lines if line.mine or viewer.is_staff)
    return RoundView(
        round=played.round,
        shoe=played.shoe,
        seq=played.seq,
        time=played.time,
        winner=played.winner,
        player=played.player,
        banker=played.banker,
        player_points=played.player_points,
        banker_points=played.banker_points,
        player_pair=played.player_pair,
        banker_pair=played.banker_pair,
        declared=declared_views(book, played.declared),
        clause=played.clause,
        lines=shown,
        net=sum(line.net for line in shown if line.mine),
    )
