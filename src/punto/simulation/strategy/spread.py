"""Spreads: how whole numbers of any size are distributed, in memory that does not grow with their number.

Numbers are counted in bins: one for each number up to 4,095, and beyond that 2,048 for each doubling. So a
bin is never wider than 1/2,048 of the numbers in it, whatever they are, and two spreads are merged by adding
their counts: the order of the numbers and how they came in batches change nothing. Each bin also keeps the
least and the greatest number that fell into it. Where these are the same, a quantile is exact; elsewhere it
is known to lie between them, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.simulation.kernels.compiling import compiled

EXACT_BITS = 12
PER_DOUBLING = 1 << EXACT_BITS - 1
LARGEST = (1 << 62) - 1
"""No number may be larger than this, nor below its negative."""


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile of a spread: it lies from `least` to `most`, and is exact where they are the same."""

    least: int
    most: int

    @property
    def middle(self) -> float:
        """The best single number for it."""
        return (self.least + self.most) / 2

    @property
    def width(self) -> int:
        return self.most - self.least


@dataclass(frozen=True, slots=True)
class Spread:
    """Numbers by bins, those from 0 up in row 0 and the negative ones, by their size, in row 1."""

    counts: NDArray[np.int64]
    least: NDArray[np.int64]
    most: NDArray[np.int64]

    @classmethod
    def empty(cls) -> Spread:
        return cls(*_bins(2 * PER_DOUBLING))

    @classmethod
    def from_array(cls, array: NDArray[Any]) -> Spread:
        """A spread out of what `array` gave; `ValueError` where that cannot be one."""
        if array.ndim != 3 or array.shape[:2] != (3, 2) or array.shape[2] % PER_DOUBLING:
            raise ValueError("the bins of a spread have another shape")
        return cls(*(np.array(part, np.int64) for part in array))

    def array(self) -> NDArray[np.int64]:
        """Everything that was counted, to be kept."""
        return np.stack((self.counts, self.least, self.most))

    def plus(self, numbers: NDArray[np.int64]) -> Spread:
        """The spread with more numbers in it."""
        if not len(numbers):
            return self
        largest = max(abs(int(numbers.min())), abs(int(numbers.max())))
        assert largest <= LARGEST, "the caller keeps the numbers within bounds"
        bins = max(self.counts.shape[1], (max(0, largest.bit_length() - EXACT_BITS) + 2) * PER_DOUBLING)
        parts = _bins(bins)
        for part, old in zip(parts, (self.counts, self.least, self.most), strict=True):
            part[:, : old.shape[1]] = old
        _count(np.ascontiguousarray(numbers), *parts)
        return Spread(*parts)

    @property
    def number(self) -> int:
        """How many numbers there are."""
        return int(self.counts.sum())

    @property
    def range(self) -> tuple[int, int] | None:
        """The least and the greatest number."""
        held = list(self.bins())
        return (held[0][0], held[-1][1]) if held else None

    def bins(self) -> Iterator[tuple[int, int, int]]:
        """The bins that hold numbers, in order: least number, greatest number, how many."""
        counts, least, most = map(_in_order, (self.counts, self.least, self.most))
        for place in np.flatnonzero(counts):
            yield int(least[place]), int(most[place]), int(counts[place])

    def quantile(self, share: Fraction) -> Quantile | None:
        """The smallest number that at least this share does not exceed; none if there are no numbers."""
        if not self.number:
            return None
        rank = max(1, -(-share.numerator * self.number // share.denominator))
        place = int(np.searchsorted(np.cumsum(_in_order(self.counts)), rank))
        return Quantile(int(_in_order(self.least)[place]), int(_in_order(self.most)[place]))


def _in_order(part: NDArray[np.int64]) -> NDArray[np.int64]:
    """A row of all bins, the most negative first."""
    return np.concatenate((part[1, ::-1], part[0]))


def _bins(number: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    shape = (2, number)
    return np.zeros(shape, np.int64), np.full(shape, LARGEST, np.int64), np.full(shape, -LARGEST, np.int64)


@compiled
def _count(numbers: Any, counts: Any, least: Any, most: Any) -> None:
    for number in numbers:
        row = 1 if number < 0 else 0
        size = abs(number)
        doublings, rest = 0, size >> EXACT_BITS
        while rest:
            doublings += 1
            rest >>= 1
        place = doublings * PER_DOUBLING + (size >> doublings)
        counts[row, place] += 1
        least[row, place] = min(least[row, place], number)
        most[row, place] = max(most[row, place], number)
