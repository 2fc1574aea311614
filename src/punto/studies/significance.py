"""What is beyond chance: one rule for every statement that says "seen" or "differs", with the 5 % shared
among all rows of a table, and Clopper and Pearson's interval for a proportion seen in independent trials.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, log, sqrt
from statistics import NormalDist

import msgspec

SIGNIFICANCE = 0.05  # Chance that a table in which nothing differs says that something does.
POWER = 0.8  # Chance that a difference is seen in as many rounds as `rounds_to_see` gives.
LEAST_OF_EACH = 100.0  # Expected wins, and expected rounds without one, from which on a mean is as good as normal.


def seen_reach(tests: int = 1) -> float:
    """Standard errors beyond which a difference is not chance, when this many are looked at."""
    return NormalDist().inv_cdf(1 - SIGNIFICANCE / (2 * max(tests, 1)))


def is_seen(difference: float, error: float | None, tests: int = 1) -> bool:
    """Whether a difference with this standard error is beyond chance, when this many are looked at."""
    return error is not None and error > 0 and abs(difference) > seen_reach(tests) * error


def rounds_to_see(difference: float, deviation: float, tests: int = 1) -> float:
    """Rounds that show such a difference of a mean, with the chance `POWER`; infinite for none."""
    if difference == 0:
        return float("inf")
    return float(((seen_reach(tests) + NormalDist().inv_cdf(POWER)) * deviation / difference) ** 2)


CONFIDENCE = 0.95
_STEPS = 200
_TINY = 1e-300


class EstimatedShare(msgspec.Struct, frozen=True):
    share: float
    se: float | None  # Standard error; None where it is not known.
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Proportion:
    """A number of hits in a number of trials, at least one trial."""

    hits: int
    trials: int

    @property
    def share(self) -> float:
        return self.hits / self.trials

    @property
    def error(self) -> float | None:
        """Standard error of the share; none where all trials went alike, for then it is not known."""
        spread = self.hits * (self.trials - self.hits)
        return sqrt(spread / self.trials) / self.trials if spread else None

    @property
    def interval(self) -> tuple[float, float]:
        """Clopper and Pearson's: it holds the true chance in at least 95 % of all studies, however rare the thing is;
        where it never came, the upper end is about 3.7 divided by the number of trials, not 0."""
        tail = (1 - CONFIDENCE) / 2
        low = _quantile(tail, self.hits, self.trials - self.hits + 1) if self.hits else 0.0
        missed = self.trials - self.hits
        high = _quantile(1 - tail, self.hits + 1, missed) if missed else 1.0
        return low, high

    def record(self) -> EstimatedShare:
        return EstimatedShare(self.share, self.error, self.interval)


def _quantile(share: float, a: int, b: int) -> float:
    """The quantile of the beta distribution, by halving."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if _beta(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta(x: float, a: int, b: int) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
    if not 0 < x < 1:
        return x
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    c, d = 1.0, 1 / _apart(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for term in (even, odd):
            d = 1 / _apart(1 + term * d)
            c = _apart(1 + term / c)
            step = c * d
            value *= step
        if abs(step - 1) < 1e-15:
            break
    return front * value


def _apart(number: float) -> float:
    """A number that can be divided by."""
    return number if abs(number) > _TINY else _TINY
