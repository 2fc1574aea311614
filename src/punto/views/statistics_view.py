"""What a stretch of rounds has come to: results beside their exact chances, and the viewer's own money."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from punto.odds.odds import odds_of
from punto.odds.undealt import Undealt
from punto.rules.book import Book
from punto.rules.outcome import Result
from punto.table.layout import SettledBet
from punto.views.cost import CostView, cost_views
from punto.views.labels import LabelView, area_label
from punto.views.road_view import CountsView, counts_of
from punto.views.rounds import EndedRound
from punto.views.viewer import Viewer


class ChanceView(msgspec.Struct, frozen=True):
    """How often a bet wins with a full shoe, exactly computed."""

    area: str
    label: LabelView
    win: float
    push: float


class StatisticsView(msgspec.Struct, frozen=True):
    """A stretch of rounds in numbers. Amounts are minor units. Nothing here predicts a round."""

    counts: CountsView
    voids: int
    chances: tuple[ChanceView, ...]
    """By betting area, for comparison with the counts."""
    bets: int
    """Bets of the viewer that were settled; of everybody for those who work at the table."""
    won: int
    staked: int
    net: int
    expected: int
    """What these stakes cost on average, insurance left out."""
    costs: tuple[CostView, ...]


def statistics_view(book: Book, decks: int, rounds: Iterable[EndedRound], viewer: Viewer) -> StatisticsView:
    """Rounds in numbers, with the money of the viewer."""
    played = tuple(rounds)
    bets = [bet for each in played for bet in each.bets if viewer.is_staff or viewer.owns(bet.player)]
    costs = cost_views(book, decks, ((bet.area, bet.stake, bet.net) for bet in bets))
    return StatisticsView(
        counts=counts_of(played),
        voids=sum(each.winner is None for each in played),
        chances=_chances(book, decks),
        bets=len(bets),
        won=sum(map(_is_won, bets)),
        staked=sum(bet.stake for bet in bets),
        net=sum(bet.net for bet in bets),
        expected=sum(cost.expected or 0 for cost in costs),
        costs=costs,
    )


def _is_won(bet: SettledBet) -> bool:
    return bet.result is Result.WIN


@lru_cache(maxsize=64)
def _chances(book: Book, decks: int) -> tuple[ChanceView, ...]:
    return tuple(
        ChanceView(odds.area, area_label(book, odds.area), float(odds.win), float(odds.push))
        for odds in odds_of(book, Undealt.of_decks(decks)).bets
    )
