"""Histograms of `totals` for very many shoes, through the compiled kernels.

One shoe takes microseconds and many take fewer each. Whole numbers are held as floating-point numbers
while every one that comes up fits them exactly, as 64-bit integers while they fit those, and larger shoes
go to plain Python: no digit is ever lost. The first use compiles for some seconds and keeps the result on
disk; a command that needs only a few shoes uses `totals` and waits for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from punto.odds import kernel
from punto.odds.totals import totals_weights
from punto.rules.facts import TOTALS
from punto.rules.play import STOOD, Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

MOST_AS_FLOAT = 456
"""Cards of a shoe whose ordered draws of six are fewer than 2^53."""
MOST_AS_INTEGER = 1_448
"""Cards of a shoe whose ordered draws of six are fewer than 2^63."""


CACHE_LINE = 64
"""Bytes that a processor fetches at once."""


class Histograms:
    """The kernels, for one table of play."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._plan = _plan(play)
        self._cells = np.array(sorted({totals.index for _, _, totals in play.finishes()}))

    def prepare(self) -> None:
        """Compile the kernels, or fetch them from disk, before they are needed."""
        counts = np.full((1, 10), 8, np.int64)
        self.one(counts[0])
        self.many(counts)

    def one(self, points: Integers | Sequence[int]) -> Integers | list[int]:
        """Ordered draws by `totals` for one shoe, from counts of its cards of 0 to 9 points."""
        size = sum(map(int, points))  # in Python: a sum of 64-bit integers may overflow and look small
        if size > MOST_AS_INTEGER:
            return totals_weights(self._play, [int(count) for count in points])
        counts = np.asarray(points, np.int64)
        histogram = np.empty(TOTALS, np.int64)
        kernel.one_histogram(self._plan, counts, np.empty(kernel.ROWS, _kind(size)), histogram)
        return histogram

    def many(self, points: Integers) -> NDArray[Any]:
        """Ordered draws by `totals` for many shoes, a row for each, in whole numbers of some exact kind."""
        largest = _largest(points)
        if largest > MOST_AS_INTEGER:
            rows = [totals_weights(self._play, [int(count) for count in shoe]) for shoe in points]
            return np.array(rows, dtype=object)
        histograms = np.empty((len(points), TOTALS), _kind(largest))
        counts = np.ascontiguousarray(points, np.int64)
        kernel.many_histograms(self._plan, self._cells, counts, _workspace(_kind(largest)), histograms)
        return histograms

    def expectations(self, points: Integers, nets: NDArray[np.float64]) -> NDArray[np.float64]:
        """Expectations for many shoes: a row for each, a column for each row of `nets` by `totals`.

        The counts behind them are exact; the expectations are floating-point numbers.
        """
        counts = np.ascontiguousarray(points, np.int64)
        sizes = counts.sum(axis=1, dtype=np.float64)
        largest = _largest(counts)
        if largest > MOST_AS_INTEGER:
            sums = self.many(counts).astype(np.float64) @ nets.T
        else:
            sums = np.empty((len(counts), len(nets)))
            kernel.many_sums(self._plan, self._cells, counts, _workspace(_kind(largest)), nets, sums)
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


def _workspace(kind: type[np.float64 | np.int64]) -> NDArray[Any]:
    """Rows of lanes that begin at a cache line: a vector across two lines takes a third longer."""
    cells = kernel.ROWS * kernel.LANES
    room = np.empty(cells * 8 + CACHE_LINE, np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    return room[start : start + cells * 8].view(kind).reshape(kernel.ROWS, kernel.LANES)


def _plan(play: Play) -> Integers:
    """The table of play as lists of pairs of totals for `kernel`, each with its length before it."""
    hands = range(100)
    drawing = [hand for hand in hands if play.player_draws[hand]]
    stood = [hand for hand in hands if hand not in drawing and play.brings_card(hand // 10, hand % 10)]
    lists: dict[int, list[int]] = {
        kernel.ENDED: [hand for hand in hands if hand not in drawing and hand not in stood],
        kernel.DRAWN: sorted(drawing + stood),
        kernel.STOOD: stood,
    }
    for third in range(STOOD):
        draws = play.banker_draws[third]
        lists[kernel.STANDS + third] = [hand for hand in drawing if not draws[hand % 10]]
        lists[kernel.DRAWS + third] = [hand for hand in drawing if draws[hand % 10]]
    plan = np.zeros((len(lists), 101, 3), np.int64)
    for i, one in lists.items():
        plan[i, 0, 0] = len(one)
        for j, hand in enumerate(one):
            plan[i, j + 1] = hand, hand // 10, hand % 10
    return plan
