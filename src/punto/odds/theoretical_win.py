"""Theoretical win: what the house keeps of each bet on average, exactly, and how far chance alone takes the win
away from that.

A bet before the deal has its exact edge with a full shoe. An ante counts with its wager, by optimal play, when it
is placed; the wager then adds nothing of its own. Insurance has its exact edge at the totals on which it was taken.

The bounds are those of Bernstein and Freedman: they hold for any number of rounds and for stakes that follow from
what came before, and no normal distribution is assumed. Bets of one round go together at worst, so their
deviations are added. Everything is in whole numbers, rounded so that bounds are never too narrow.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isqrt

from punto.odds.ante import AnteSide, ante_odds
from punto.odds.bet_odds import Weighing
from punto.odds.insurance import insurance_odds
from punto.odds.known_cards import RoundSoFar, Undealt
from punto.rules.book import Book
from punto.rules.outcome import INSURANCE

FINE = 10**6  # Deviations are counted in millionths.
LEVEL = Fraction(1, 100)  # Chance that an honest table is beyond its bounds, at most.
_LOG_OF_LEVEL = 5_298_318  # The natural logarithm of 2 / LEVEL in millionths, rounded up.

Totals = tuple[int, int]  # Points of Player and Banker on the table.


@dataclass(frozen=True, slots=True)
class BetTheory:
    """What one unit on a bet comes to."""

    edge: Fraction  # What the house keeps of it on average.
    deviation: int  # Its standard deviation, or more, in millionths.
    reach: int  # How far its result can be from the average, at most, in millionths.


NOTHING_OF_ITS_OWN = BetTheory(Fraction(0), 0, 0)


def bet_theory(book: Book, decks: int, area: str, totals: Totals | None = None) -> BetTheory | None:
    """What a unit on a betting area comes to with a full shoe; None where no such deal can come.

    Insurance is named with the totals on which it was taken.
    """
    if area.startswith(INSURANCE):
        return _insurance(book, decks).get((area, totals)) if totals is not None else None
    if area in book.outright_areas:
        return _outright(book, decks, area)
    return _antes(book, decks).get(area)


@lru_cache(maxsize=1024)
def _outright(book: Book, decks: int, area: str) -> BetTheory:
    odds = Weighing(book, Undealt.of_decks(decks), RoundSoFar()).odds(area)
    nets = [net for net, _ in odds.net_ways()]
    reach = max(max(nets) - odds.ev, odds.ev - min(nets))
    return BetTheory(odds.edge, _root_up(odds.variance), ceil(reach * FINE))


@lru_cache(maxsize=64)
def _antes(book: Book, decks: int) -> dict[str, BetTheory]:
    theories = {}
    for side in ante_odds(book, Undealt.of_decks(decks)).sides:
        theories[side.pair.ante] = _of_range(side.edge, *_range_of(book, side))
        theories[side.pair.wager] = NOTHING_OF_ITS_OWN
    return theories


def _range_of(book: Book, side: AnteSide) -> tuple[Fraction, Fraction]:
    """The least and the most that an ante with its wager can come to."""
    nets = [[row.outcome.net for row in book.pay_tables[area].rows] for area in (side.pair.ante, side.pair.wager)]
    ante, wager = nets
    return min(*ante, Fraction(-1)) + side.multiple * min(wager), max(ante) + side.multiple * max(wager)


@lru_cache(maxsize=64)
def _insurance(book: Book, decks: int) -> dict[tuple[str, Totals | None], BetTheory]:
    if book.insurance is None:
        return {}
    theories: dict[tuple[str, Totals | None], BetTheory] = {}
    for one in insurance_odds(book, Undealt.of_decks(decks)).offers:
        key = (one.offer.area, (one.player_points, one.banker_points))
        theories[key] = _of_range(-one.ev, Fraction(-1), one.offer.odds)
    return theories


def _of_range(edge: Fraction, least: Fraction, most: Fraction) -> BetTheory:
    """Of a result between two values nothing deviates by more than half of what lies between them."""
    return BetTheory(edge, ceil((most - least) * FINE / 2), ceil((most - least) * FINE))


def _root_up(variance: Fraction) -> int:
    """The square root in millionths, rounded up."""
    return _isqrt_up(ceil(variance * FINE**2))


def _isqrt_up(number: int) -> int:
    root = isqrt(number)
    return root if root * root == number else root + 1


def win_bounds(theoretical: Fraction, variance: int, reach: int, furthest: int) -> tuple[int, int]:
    """Between which amounts the win of an honest table lies, but for a chance of at most LEVEL.

    `variance` is the sum over all rounds of the square of what the bets of a round deviate together, `reach` the most
    that one round can deviate, and `furthest` the most that all of them can; in millionths of a minor unit.
    """
    part = -(-_LOG_OF_LEVEL * reach // (3 * FINE))
    wide = part + _isqrt_up(part * part - (-2 * _LOG_OF_LEVEL * max(0, variance) // FINE))
    units = -(-min(wide, furthest) // FINE)
    return floor(theoretical - units), ceil(theoretical + units)
