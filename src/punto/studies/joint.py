"""Bets of one round together: how they go with each other, and the most that one box can win in a round.

Both need the facts of a deal jointly, totals and pairs at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from punto.odds.mixed import facts_weights
from punto.odds.pairs import first_four
from punto.odds.round_so_far import RoundSoFar
from punto.odds.undealt import Undealt
from punto.rules.book import Book
from punto.rules.facts import Facts
from punto.rules.text.bet import Area


@dataclass(frozen=True, slots=True)
class Joint:
    """Net results of every outright bet for all facts that a full shoe can bring."""

    book: Book
    areas: tuple[str, ...]
    nets: tuple[tuple[Fraction, ...], ...]
    """By area, for each row of facts."""
    weights: tuple[int, ...]
    facts: tuple[Facts, ...]

    def correlation(self, one: str, other: str) -> float:
        """The correlation of two bets: 1 where they go together, -1 where one wins as the other loses."""
        a, b = (self.nets[self.areas.index(area)] for area in (one, other))
        total = sum(self.weights)
        mean_a, mean_b = (sum(map(_times, x, self.weights), Fraction(0)) / total for x in (a, b))
        both = sum((x * y * w for x, y, w in zip(a, b, self.weights, strict=True)), Fraction(0)) / total
        squares = [
            sum((x * x * w for x, w in zip(n, self.weights, strict=True)), Fraction(0)) for n in (a, b)
        ]
        variances = [float(squares[0] / total - mean_a**2), float(squares[1] / total - mean_b**2)]
        return float(both - mean_a * mean_b) / sqrt(variances[0] * variances[1])


def joint_of(book: Book, decks: int) -> Joint:
    """All facts of a round from a full shoe, with what each bet comes to."""
    undealt = Undealt.of_decks(decks)
    dealt = RoundSoFar()
    found = facts_weights(book.play, undealt, dealt, first_four(undealt, dealt, ()))
    areas = tuple(bet.area for bet in book.bets)
    # Facts with the same results for every bet are one row.
    merged: dict[tuple[Fraction, ...], tuple[Facts, int]] = {}
    for facts, weight in found.items():
        nets = tuple(book.pay_tables[area].outcome(facts).net for area in areas)
        before = merged.get(nets)
        merged[nets] = (before[0], before[1] + weight) if before else (facts, weight)
    columns = tuple(zip(*merged, strict=True))
    rows = tuple(merged.values())
    return Joint(book, areas, columns, tuple(w for _, w in rows), tuple(f for f, _ in rows))


@dataclass(frozen=True, slots=True)
class Exposure:
    """The most that one box can win in a round, and by which bets."""

    amount: Fraction
    bets: tuple[tuple[str, Fraction], ...]
    """Betting areas that win then, each with its net."""


def greatest_exposure(joint: Joint, maxima: dict[str, int], differential: int | None) -> Exposure:
    """The greatest loss of the house at one box: whatever wins is bet to its maximum.

    `maxima` are the greatest stakes by area; areas without one are left out. Where a differential binds, a
    box is won or lost on its main bets by no more than that.
    """
    book = joint.book
    best = Exposure(Fraction(0), ())
    for row in range(len(joint.weights)):
        won = []
        for i, area in enumerate(joint.areas):
            bet = book.bet(area)
            assert bet is not None
            stake = maxima.get(area)
            if bet.kind is Area.MAIN and differential is not None:
                stake = differential
            if bet.kind is Area.WAGER:
                ante = book.ante_of(area)
                stake = maxima.get(ante or "")
                stake = stake * book.ante.multiple if stake is not None and book.ante else None
            net = joint.nets[i][row]
            if stake is not None and net > 0:
                won.append((area, net * stake))
        amount = sum((net for _, net in won), Fraction(0))
        if amount > best.amount:
            best = Exposure(amount, tuple(won))
    return best


def _times(value: Fraction, weight: int) -> Fraction:
    return value * weight
