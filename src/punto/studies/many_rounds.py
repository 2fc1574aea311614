"""The exact distribution of what many independent rounds of a bet come to.

Net results are multiples of some step apart, so the sum of n rounds lies on a lattice. Its distribution
modulo M points is the inverse Fourier transform of the n-th power of one round's characteristic function at M
frequencies. That is exact but for two errors, and both are bounded here: sums outside a window of M points
are folded into it, and Chernoff's inequality says how rare they are; and floating-point numbers round. A
change of one value of the characteristic function by δ changes its n-th power by at most n·|φ|^(n-1)·δ, and
by Parseval's theorem the sum of the errors of all probabilities is at most the root of the sum of their
squares. So a number beside every distribution says how wrong its chances can be at most.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, lcm, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Results = tuple[tuple[Fraction, int], ...]
"""Net results of one round for one unit, each with its number of ways."""

FOLDED = 1e-9
"""Chance that a sum lies outside the window; half of it at each end."""
MOST_POINTS = 1 << 24
"""Points of a window: more would take too much memory and time."""
BERRY_ESSEEN = 0.469
"""Shevtsova's constant (2013): the distribution of a sum of n equal independent results is nowhere farther
than this times ρ/(σ³·√n) from the normal one; ρ is the mean of the absolute deviation to the third power."""


class TooFine(ValueError):
    """The lattice has too many points."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """One round: whole numbers of steps above the least net result, with their chances."""

    least: Fraction
    step: Fraction
    points: tuple[int, ...]
    chances: tuple[float, ...]

    @classmethod
    def of(cls, results: Iterable[tuple[Fraction, int]]) -> Lattice:
        """The coarsest lattice on which these results lie."""
        ways: dict[Fraction, int] = {}
        for net, number in results:
            if number:
                ways[net] = ways.get(net, 0) + number
        assert ways, "a round comes to something"
        least, total = min(ways), sum(ways.values())
        fine = lcm(*((net - least).denominator for net in ways))
        above = {net: int((net - least) * fine) for net in ways}
        step = gcd(*above.values()) or 1
        return cls(
            least,
            Fraction(step, fine),
            tuple(above[net] // step for net in ways),
            tuple(number / total for number in ways.values()),
        )


@dataclass(frozen=True, slots=True, eq=False)
class ManyRounds:
    """The sum of the net results of a number of rounds."""

    rounds: int
    first: Fraction
    """The sum at the first point of the window."""
    step: Fraction
    below: NDArray[np.float64]
    """The chance of a sum up to each point."""
    error: float
    """How far any of these chances may be from the truth, at most."""

    def quantile(self, chance: float) -> Fraction:
        """The least sum that is not exceeded with this chance."""
        point = int(np.searchsorted(self.below, chance))
        return self.first + min(point, len(self.below) - 1) * self.step


def many_rounds(results: Results, rounds: int) -> ManyRounds:
    """The distribution of the sum of this many rounds; `TooFine` where its window has too many points."""
    one = Lattice.of(results)
    low, high = _window(one, rounds)
    size = 1 << max(1, (high - low).bit_length())
    if size > MOST_POINTS:
        raise TooFine(f"{size:,} points")
    power, error = _power(one, rounds, low, size)
    chances = np.fft.irfft(power, size)
    return ManyRounds(
        rounds, rounds * one.least + low * one.step, one.step, np.cumsum(chances), FOLDED + error
    )


def normal_error(results: Results, rounds: int) -> float:
    """How far the normal distribution may be from that of the sum, at most (Berry and Esseen)."""
    total = sum(ways for _, ways in results)
    mean = float(sum((net * ways for net, ways in results), Fraction(0)) / total)
    apart = [(abs(float(net) - mean), ways / total) for net, ways in results]
    variance = sum(far**2 * chance for far, chance in apart)
    if variance == 0:
        return float("inf")  # what always comes to the same has a distribution, but no bell
    third = sum(far**3 * chance for far, chance in apart)
    return BERRY_ESSEEN * third / (variance * sqrt(variance) * sqrt(rounds))


def certain_bounds(results: Results, rounds: int, chance: float) -> tuple[float, float]:
    """Sums below and above which the sum lies with at most this chance at each end (Chernoff).

    P(S ≥ x) ≤ exp(n·K(t) - t·x) for every t > 0, with K the logarithm of the mean of exp(t·X): any t gives a
    bound that holds, and the best of many is taken.
    """
    one = Lattice.of(results)
    low, high = _ends(one, rounds, chance)
    first = float(rounds * one.least)
    return first + low * float(one.step), first + high * float(one.step)


def _ends(one: Lattice, rounds: int, chance: float) -> tuple[float, float]:
    """The same in steps above the least sum."""
    points, chances = np.array(one.points, np.float64), np.array(one.chances)
    top = float(points.max())
    if top == 0:
        return 0.0, 0.0
    mean = float(points @ chances)
    deviation = sqrt(float((points - mean) ** 2 @ chances) * rounds)
    ends = []
    for sign in (-1, 1):
        best = float("inf")
        for t in np.geomspace(0.01, 100, 161) / deviation:
            exponents = sign * t * (points - mean)
            largest = float(exponents.max())
            k = largest + log(float(np.exp(exponents - largest) @ chances))
            best = min(best, (rounds * k - log(chance)) / float(t))
        ends.append(mean * rounds + sign * best)
    return max(ends[0], 0.0), min(ends[1], top * rounds)


def _window(one: Lattice, rounds: int) -> tuple[int, int]:
    """Least and greatest sum, in steps, between which the sum lies but for a chance of `FOLDED`."""
    low, high = _ends(one, rounds, FOLDED / 2)
    return max(floor(low) - 1, 0), min(ceil(high) + 1, max(one.points) * rounds)


def _power(one: Lattice, rounds: int, low: int, size: int) -> tuple[NDArray[np.complex128], float]:
    """The power of the characteristic function, moved so that `low` is at 0; and what rounding may do."""
    frequencies = np.arange(size // 2 + 1, dtype=np.int64)
    value = np.zeros(len(frequencies), np.complex128)
    for point, chance in zip(one.points, one.chances, strict=True):
        # Whole turns are taken away in whole numbers, so that no angle is larger than one turn.
        value += chance * np.exp((-2j * np.pi / size) * (frequencies * (point % size) % size))
    length = np.abs(value)
    with np.errstate(divide="ignore"):
        logarithm = np.log(length)
    turned = rounds * np.angle(value) + (2 * np.pi / size) * (frequencies * (low % size) % size)
    raised = np.exp(rounds * logarithm)
    power = raised * np.exp(1j * turned)
    # A product and a sum for each result, logarithm, angle and power: each wrong by an ulp or two.
    wrong = (4 * len(one.points) + 16) * np.finfo(np.float64).eps
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(raised > 0, rounds * np.exp((rounds - 1) * logarithm), 0.0)
    both_halves = sqrt(2 * float((spread**2).sum()))
    transform = 8 * np.log2(size) * np.finfo(np.float64).eps * sqrt(2 * float((raised**2).sum()))
    return power, float(wrong * both_halves + transform)
