"""Bets of one round together: how they go with each other.

That needs the facts of a deal jointly, totals and pairs at once. Antes count with their wagers and main bets
with their insurance too, as `composed` plays them. Bets on single cards stand apart: their facts together are
too many, so they have no part in the correlations.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import sqrt

from punto.odds.pairs import first_four
from punto.odds.round_so_far import RoundSoFar
from punto.odds.totals import Way, third_cards
from punto.odds.undealt import Undealt
from punto.rules.book import Book
from punto.rules.facts import ALL_TOTALS, Facts
from punto.rules.play import STOOD
from punto.studies.composed import OptimalPlay
from punto.studies.expectations import insured_areas


@dataclass(frozen=True, slots=True)
class Joint:
    """Net results of every bet but those on single cards, for all deals that a full shoe can bring.

    Deals with equal results are one row.
    """

    book: Book
    areas: tuple[str, ...]
    """Bets by themselves, as the book names them."""
    composed: tuple[str, ...]
    """Bets that are made in steps: antes with their wagers, and insured bets."""
    nets: tuple[tuple[Fraction, ...], ...]
    """By area, then by composed bet, for each row."""
    weights: tuple[int, ...]
    facts: tuple[Facts, ...]
    """The facts of one deal of each row."""

    @property
    def apart(self) -> tuple[str, ...]:
        """Bets on single cards, which are not among these."""
        return tuple(bet.area for bet in self.book.bets if self.book.pay_tables[bet.area].cards is not None)

    def correlation(self, one: str, other: str) -> float:
        """The correlation of two bets: 1 where they go together, -1 where one wins as the other loses.

        An ante counts with its wager, and an insured bet with its insurance. A bet that always comes to the
        same goes together with none: 0.
        """
        a, b = self._column(one), self._column(other)
        total = sum(self.weights)
        mean_a, mean_b = (sum(map(_times, x, self.weights), Fraction(0)) / total for x in (a, b))
        both = sum((x * y * w for x, y, w in zip(a, b, self.weights, strict=True)), Fraction(0)) / total
        squares = [
            sum((x * x * w for x, w in zip(n, self.weights, strict=True)), Fraction(0)) for n in (a, b)
        ]
        variances = [float(squares[0] / total - mean_a**2), float(squares[1] / total - mean_b**2)]
        if not all(variances):
            return 0.0
        return float(both - mean_a * mean_b) / sqrt(variances[0] * variances[1])

    def _column(self, area: str) -> tuple[Fraction, ...]:
        if area in self.composed:
            return self.nets[len(self.areas) + self.composed.index(area)]
        return self.nets[self.areas.index(area)]


def joint_of(book: Book, decks: int) -> Joint:
    """All deals of a round from a full shoe, with what each bet comes to."""
    undealt = Undealt.of_decks(decks)
    areas = tuple(bet.area for bet in book.bets if book.pay_tables[bet.area].cards is None)
    play = OptimalPlay(book, undealt)
    # Deals with the same results for every bet are one row.
    merged: dict[tuple[Fraction, ...], tuple[Facts, int]] = {}
    alone: dict[Facts, tuple[Fraction, ...]] = {}
    for (facts, composed), weight in _deals(book, undealt, play).items():
        if facts not in alone:
            alone[facts] = tuple(book.pay_tables[area].outcome(facts).net for area in areas)
        nets = (*alone[facts], *composed)
        before = merged.get(nets)
        merged[nets] = (before[0], before[1] + weight) if before else (facts, weight)
    columns = tuple(zip(*merged, strict=True))
    rows = tuple(merged.values())
    steps = (*(side.pair.ante for side in play.sides), *insured_areas(book))
    return Joint(book, areas, steps, columns, tuple(w for _, w in rows), tuple(f for f, _ in rows))


def _deals(book: Book, undealt: Undealt, play: OptimalPlay) -> dict[tuple[Facts, tuple[Fraction, ...]], int]:
    """Ways by the facts of a deal, and by the nets of bets that are made in steps."""
    found: dict[tuple[Facts, tuple[Fraction, ...]], int] = defaultdict(int)
    for (players, bankers), by_pairs in first_four(undealt, RoundSoFar()).items():
        n = list(undealt.points)
        for points in (*players, *bankers):
            n[points] -= 1
        s, t = sum(players) % 10, sum(bankers) % 10
        for totals, weight in third_cards(book.play, n, s, t):
            way = _way(s, t, totals)
            insured = tuple(play.insured_net(hand, way)[0] for hand in play.hands)
            for shown in _shown(players, bankers, play.shown_cards):
                antes = tuple(play.ante_net(i, shown, totals) for i in range(len(play.sides)))
                for pairs, ways in by_pairs.items():
                    found[Facts(totals, *pairs), (*antes, *insured)] += weight * ways
    return found


def _way(s: int, t: int, totals: int) -> Way:
    """The way from the first totals to the last, with the points of the third cards that it takes."""
    last = ALL_TOTALS[totals]
    third = (last.player_points - s) % 10 if last.player_cards == 3 else STOOD
    return Way(s, t, third, (last.banker_points - t) % 10 if last.banker_cards == 3 else STOOD, 1)


def _shown(players: tuple[int, ...], bankers: tuple[int, ...], cards: int) -> list[tuple[int, ...]]:
    """The first cards, once for each of the four orders of two hands, which are all as likely."""
    if not cards:
        return [()]
    orders = product((players, players[::-1]), (bankers, bankers[::-1]))
    return [(player[0], banker[0], player[1])[:cards] for player, banker in orders]


def _times(value: Fraction, weight: int) -> Fraction:
    return value * weight
