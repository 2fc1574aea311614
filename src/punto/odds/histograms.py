"""Histograms of `totals` through compiled kernels, for one shoe or very many: `one_shoe` and `many_shoes` have the
closed form of `ordered_draws`. No digit is ever lost: numbers are floating-point while they fit exactly, then 64-bit
integers, then plain Python's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from punto.odds.many_shoes import ManyShoes
from punto.odds.one_shoe import OneShoe
from punto.odds.ordered_draws import totals_weights
from punto.rules.table_of_play import Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

MOST_AS_FLOAT = 456  # Cards of a shoe whose ordered draws of six are fewer than 2^53.
MOST_AS_INTEGER = 1_448  # Cards of a shoe whose ordered draws of six are fewer than 2^63.


class Histograms:
    """The kernels, for one table of play. The first use compiles for some seconds and keeps the result on disk; what
    needs only a few shoes uses `totals_weights` and waits for nothing."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._one: dict[type, OneShoe] = {}

    @cached_property
    def _many(self) -> ManyShoes:
        return ManyShoes(self._play)

    def prepare(self) -> None:
        """Compile the kernels, or fetch them from disk, before they are needed."""
        counts = np.full((1, 10), 8, np.int64)
        self.one(counts[0])
        self.many(counts)

    def one(self, points: Integers | Sequence[int]) -> Integers | list[int]:
        """Ordered draws by `totals` for one shoe, from counts of its cards of 0 to 9 points."""
        # In Python: a sum of 64-bit integers may overflow and look small.
        counts = points.tolist() if isinstance(points, np.ndarray) else [int(count) for count in points]
        size = sum(counts)
        if size > MOST_AS_INTEGER:
            return totals_weights(self._play, counts)
        return self.one_shoe(size).of(np.asarray(points, np.int64))

    def one_shoe(self, size: int, nets: NDArray[np.float64] | None = None) -> OneShoe:
        """The kernel for one shoe of up to this many cards, which are no more than 64 bits can count; one of its own
        where it is to weigh `nets`, a row by `totals` for each bet."""
        assert size <= MOST_AS_INTEGER
        kind = _kind(size)
        if nets is not None:
            return OneShoe(self._play, kind, nets)
        if kind not in self._one:
            self._one[kind] = OneShoe(self._play, kind)
        return self._one[kind]

    def many(self, points: Integers) -> NDArray[Any]:
        """Ordered draws by `totals` for many shoes, a row for each, in whole numbers of some exact kind."""
        largest = _largest(points)
        if largest > MOST_AS_INTEGER:
            rows = [totals_weights(self._play, [int(count) for count in shoe]) for shoe in points]
            return np.array(rows, dtype=object)
        return self._many.histograms(np.ascontiguousarray(points, np.int64), _kind(largest))

    def expectations(self, points: Integers, nets: NDArray[np.float64]) -> NDArray[np.float64]:
        """Expectations for many shoes: a row for each, a column for each row of `nets` by `totals`. The counts behind
        them are exact; the expectations are floating-point numbers."""
        counts = np.ascontiguousarray(points, np.int64)
        sizes = counts.sum(axis=1, dtype=np.float64)
        largest = _largest(counts)
        if largest > MOST_AS_INTEGER:
            sums = self.many(counts).astype(np.float64) @ nets.T
        else:
            sums = self._many.sums(counts, nets, _kind(largest))
        draws = np.ones(len(counts))
        for taken in range(6):
            draws *= sizes - taken
        return np.asarray(sums / draws[:, None])


def _largest(points: Integers) -> int:
    """Cards of the largest shoe; summed in Python where 64 bits might not hold the sum."""
    most = int(points.max(initial=0))
    if most > MOST_AS_INTEGER:
        return max(sum(map(int, shoe)) for shoe in points)
    return int(points.sum(axis=1).max(initial=0))


def _kind(size: int) -> type[np.float64 | np.int64]:
    """The number type that holds every count of a shoe of this many cards exactly."""
    return np.float64 if size <= MOST_AS_FLOAT else np.int64
