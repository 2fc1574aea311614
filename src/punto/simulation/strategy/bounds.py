"""Bounds: the most that a strategy can stake, win or lose, held against what a kernel counts exactly.

Sums are wide enough for any number of rounds (`kernels/wide.py`). What one round and one session can come to
must fit 64 bits with room for their products; a strategy that might go beyond is refused before it starts.
"""

from __future__ import annotations

from fractions import Fraction

from punto.money import format_money
from punto.rules.book import Book
from punto.simulation.shoe_terms import ShoeTerms
from punto.simulation.strategy.progression import most_units
from punto.simulation.strategy.strategy import Strategy

MOST_IN_ROUND = 1 << 48
"""Minor units staked, won or lost in a round: squares of 10^9 such rounds fit 128 bits."""
MOST_IN_SESSION = 1 << 56
"""Minor units won or lost in a session: squares of 10^4 sessions fit 128 bits."""
MOST_BETWEEN = 1 << 62
"""What a kernel may come to on its way to a net."""


def too_large(book: Book, strategy: Strategy, terms: ShoeTerms) -> str | None:
    """Why a strategy cannot be counted exactly, in one sentence."""
    in_round, between = _most(book, strategy)
    remedy = "give smaller stakes or a table maximum"
    if in_round > MOST_IN_ROUND or between > MOST_BETWEEN:
        return f"a round could win or lose more than {format_money(MOST_IN_ROUND)}: {remedy}"
    if in_round * strategy.shoes * terms.most_rounds > MOST_IN_SESSION:
        return (
            f"a session could win or lose more than {format_money(MOST_IN_SESSION)}: {remedy}, or fewer shoes"
        )
    return None


def most_stakes(book: Book, strategy: Strategy) -> dict[str, int]:
    """The most that a strategy stakes on each area in one round, wagers among them."""
    factor, ante = most_units(strategy.progression), book.ante
    most = {}
    for area, unit in strategy.stakes.items():
        most[area] = unit * factor if strategy.maximum is None else min(unit * factor, strategy.maximum)
        wager = book.wager_of(area)
        if wager is not None and ante is not None:
            most[wager] = ante.multiple * most[area]
    return most


def _most(book: Book, strategy: Strategy) -> tuple[Fraction, Fraction]:
    """What a round can come to, and the largest number on the way there."""
    in_round = between = Fraction(0)
    for area, stake in most_stakes(book, strategy).items():
        nets = book.pay_tables[area].nets
        largest = max(Fraction(1), *map(abs, nets))
        in_round += stake * largest
        between = max(between, *(2 * (stake + 1) * (largest + 1) * net.denominator for net in nets))
    if book.insurance is not None:
        odds = [Fraction(offer.odds) for made in book.offers.cells.values() for offer in made]
        mains = sum(most_stakes(book, strategy).values())
        # At most the main bet is won by insurance, and at most its cover lost, at each window.
        in_round += 2 * mains * max(Fraction(1), *(1 / one for one in odds))
        between = max(between, *(4 * (mains + 1) * (one + 1) * one.denominator for one in odds))
    return in_round, between
