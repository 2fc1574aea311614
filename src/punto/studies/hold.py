"""What a house keeps over many rounds: return to player, volatility, and the bounds of hold.

Hold is the share of the handle that the house keeps. Over n flat bets the handle is n times the stake, and
hold lies around the edge with the standard error sd / √n. The bounds are quantiles of the exact distribution
of n independent rounds, until the normal distribution is proven to be as good: until then an award that is
large and rare makes hold lopsided, and a bound by the normal distribution can be wrong by half its width.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

from punto.money import MINOR
from punto.studies.many_rounds import Results, TooFine, certain_bounds, many_rounds, normal_error
from punto.studies.seen import rounds_to_see

CONFIDENCES = (0.90, 0.95, 0.99)
ROUNDS = tuple(10**power for power in range(3, 8))
"""Rounds after which hold is bounded."""
HANDLES = tuple(10**power * MINOR for power in range(4, 9))
"""Handle after which hold is bounded, in minor units."""
VOLATILITY = 1.645
"""Standard deviations of one round in a volatility index, as slot machines state it: a 90 % interval."""
NORMAL_ERROR = 0.001
"""The normal distribution is used where no chance that it gives is wrong by more than this."""
ERRORS = (0.01, 0.005, 0.001, 0.0001)
"""Errors of an edge for which the rounds that show them are given."""


class BoundsBy(Enum):
    """What the bounds of hold come from."""

    EXACT = "exact"
    """Quantiles of the distribution itself."""
    NORMAL = "normal"
    """Quantiles of the normal distribution, proven to be near enough."""
    CERTAIN = "outer"
    """Hold lies outside with no more than the stated chance, and maybe much less: pays too fine to count."""


@dataclass(frozen=True, slots=True)
class HoldBounds:
    """Hold after a number of rounds at one flat stake: the expected hold, and bounds at each confidence."""

    rounds: int
    handle: int
    """In minor units."""
    edge: float
    bounds: tuple[tuple[float, float], ...]
    """Low and high for each of `CONFIDENCES`."""
    by: BoundsBy


def volatility_index(sd: float) -> float:
    """The volatility index: `VOLATILITY` times the deviation of one round."""
    return VOLATILITY * sd


def reach(confidence: float) -> float:
    """Standard errors to each side of a confidence interval."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


@lru_cache(maxsize=256)  # a sheet is shown in several forms
def hold_bounds(results: Results, stake: int) -> tuple[HoldBounds, ...]:
    """The bounds of hold for a bet with these net results of one unit, at a flat stake.

    A row for each of `ROUNDS` and for the whole rounds that each of `HANDLES` pays for, fewest rounds first;
    equal ones are one row.
    """
    total = sum(ways for _, ways in results)
    edge = -float(sum((net * ways for net, ways in results), Fraction(0)) / total)
    found = []
    for rounds in sorted({*ROUNDS, *(handle // stake for handle in HANDLES if handle >= stake)}):
        bounds, by = _bounds(results, rounds, edge)
        found.append(HoldBounds(rounds, rounds * stake, edge, bounds, by))
    return tuple(found)


def _bounds(results: Results, rounds: int, edge: float) -> tuple[tuple[tuple[float, float], ...], BoundsBy]:
    """Bounds of hold at each confidence: each is passed with half of what is left of 100 %."""
    tails = [(1 - confidence) / 2 for confidence in CONFIDENCES]
    if normal_error(results, rounds) <= NORMAL_ERROR:
        total = sum(ways for _, ways in results)
        square = float(sum((net**2 * ways for net, ways in results), Fraction(0)) / total)
        error = sqrt(max(square - edge**2, 0.0) / rounds)
        return tuple((edge - reach(c) * error, edge + reach(c) * error) for c in CONFIDENCES), BoundsBy.NORMAL
    try:
        sums = many_rounds(results, rounds)
    except TooFine:
        certain = (certain_bounds(results, rounds, tail) for tail in tails)
        return tuple((-high / rounds, -low / rounds) for low, high in certain), BoundsBy.CERTAIN
    exact = tuple(
        (-float(sums.quantile(1 - tail) / rounds), -float(sums.quantile(tail) / rounds)) for tail in tails
    )
    return exact, BoundsBy.EXACT


def rounds_by_error(sd: float) -> tuple[float, ...]:
    """Rounds of one unit each that show an edge which is wrong by each of `ERRORS`."""
    return tuple(rounds_to_see(error, sd) for error in ERRORS)
