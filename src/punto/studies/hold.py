"""What a house keeps over many rounds: return to player, volatility, and the bounds of hold.

Hold is the share of the handle that the house keeps. Over n flat bets the handle is n times the stake, and
hold lies around the edge with the standard error sd / √n. The bounds are those of the normal distribution; a
bet that wins seldom is skewed until it has had a hundred wins or so, and rows before that are marked.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from punto.money import MINOR
from punto.studies.seen import LEAST_OF_EACH, rounds_to_see

CONFIDENCES = (0.90, 0.95, 0.99)
ROUNDS = tuple(10**power for power in range(3, 8))
"""Rounds after which hold is bounded."""
HANDLES = tuple(10**power * MINOR for power in range(4, 9))
"""Handle after which hold is bounded, in minor units."""
VOLATILITY_CONFIDENCE = 0.90
"""Of the volatility index, as slot machines state it."""
ERRORS = (0.01, 0.005, 0.001, 0.0001)
"""Errors of an edge for which the rounds that show them are given."""


@dataclass(frozen=True, slots=True)
class HoldBounds:
    """Hold after a number of rounds at one flat stake: the expected hold, and bounds at each confidence."""

    rounds: float
    handle: float
    """In minor units."""
    edge: float
    bounds: tuple[tuple[float, float], ...]
    """Low and high for each of `CONFIDENCES`."""
    is_normal: bool
    """Whether there are enough wins and losses for the normal distribution."""


def volatility_index(sd: float) -> float:
    """The volatility index: the deviation of one round times the reach of a 90 % interval."""
    return reach(VOLATILITY_CONFIDENCE) * sd


def reach(confidence: float) -> float:
    """Standard errors to each side of a confidence interval."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def hold_bounds(edge: float, sd: float, win: float, stake: int) -> tuple[HoldBounds, ...]:
    """The bounds of hold for a bet with this edge, deviation and chance to win, at a flat stake.

    A row for each of `ROUNDS` and for each of `HANDLES`, fewest rounds first; equal ones are one row.
    """
    found = []
    for rounds in sorted({*map(float, ROUNDS), *(handle / stake for handle in HANDLES)}):
        error = sd / sqrt(rounds)
        bounds = tuple((edge - reach(c) * error, edge + reach(c) * error) for c in CONFIDENCES)
        is_normal = rounds * min(win, 1 - win) >= LEAST_OF_EACH
        found.append(HoldBounds(rounds, rounds * stake, edge, bounds, is_normal))
    return tuple(found)


def rounds_by_error(sd: float) -> tuple[float, ...]:
    """Rounds of one unit each that show an edge which is wrong by each of `ERRORS`."""
    return tuple(rounds_to_see(error, sd) for error in ERRORS)
