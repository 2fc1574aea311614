"""When a difference is beyond chance: one rule for every statement that says "seen" or "differs".

A table asks of many bets at once, and of twelve bets that are all right one lies outside its 95 % interval
every other time. So the 5 % are shared among all rows of a table (Bonferroni): a table in which nothing
differs says otherwise in at most one of twenty runs. The normal approximation has to hold too: a bet that
hardly ever wins says nothing until it has had its share of wins.
"""

from __future__ import annotations

from statistics import NormalDist

SIGNIFICANCE = 0.05
"""Chance that a table in which nothing differs says that something does."""
POWER = 0.8
"""Chance that a difference is seen in as many rounds as `rounds_to_see` gives."""
LEAST_OF_EACH = 100.0
"""Expected wins, and expected rounds without one, from which on a mean is as good as normal."""


def reach(tests: int = 1) -> float:
    """Standard errors beyond which a difference is not chance, when this many are looked at."""
    return NormalDist().inv_cdf(1 - SIGNIFICANCE / (2 * max(tests, 1)))


def is_seen(difference: float, error: float | None, tests: int = 1) -> bool:
    """Whether a difference with this standard error is beyond chance, when this many are looked at."""
    return error is not None and error > 0 and abs(difference) > reach(tests) * error


def rounds_to_see(difference: float, deviation: float, tests: int = 1) -> float:
    """Rounds that show such a difference of a mean, with the chance `POWER`; infinite for none."""
    if difference == 0:
        return float("inf")
    return float(((reach(tests) + NormalDist().inv_cdf(POWER)) * deviation / difference) ** 2)
