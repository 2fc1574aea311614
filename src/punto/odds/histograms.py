"""Histograms of `totals` for very many shoes, through compiled kernels: the closed form of `ordered_draws`, arranged so
that taking a third card out costs a few operations, for many shoes side by side; `one_shoe` has the same for one. No
digit is ever lost: numbers are floating-point while they fit exactly, then 64-bit integers, then plain Python's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from punto.odds.machine_row import CACHE_LINE, LaneRow, cached_njit
from punto.odds.one_shoe import OneShoe
from punto.odds.ordered_draws import totals_weights
from punto.rules.outcome import TOTALS
from punto.rules.table_of_play import STOOD, Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

LANES = 16  # Shoes side by side: two vector registers, and a workspace that stays in the nearest caches.


def rowwise(formula: Callable[..., LaneRow], *, is_result: bool = False) -> Any:
    """An operation `op(workspace, row, (rows…))` for compiled code: row = formula(row, rows…). `is_result`: the row
    belongs to the result, which the rows read by this operation never do."""

    @intrinsic
    def operation(_: Any, workspace: Any, row: Any, rows: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            element = array.data.type.pointee
            kind = ir.VectorType(element, LANES)
            module = builder.module
            scope = module.add_metadata(["result", module.add_metadata(["punto rows"])])
            in_result = module.add_metadata([scope])

            def at(index: Any) -> Any:
                place = builder.mul(index, ir.Constant(index.type, LANES))
                return builder.bitcast(builder.gep(array.data, [place]), kind.as_pointer())

            def load(index: Any) -> LaneRow:
                read = builder.load(at(index), align=8)
                if is_result:
                    read.set_metadata("noalias", in_result)
                return LaneRow(builder, read)

            others = [load(builder.extract_value(arguments[2], i)) for i in range(len(signature.args[2]))]
            target = at(arguments[1])
            old = builder.load(target, align=8)
            stored = builder.store(formula(LaneRow(builder, old), *others).value, target, align=8)
            if is_result:
                old.set_metadata("alias.scope", in_result)
                stored.set_metadata("alias.scope", in_result)
            return context.get_dummy_value()

        return types.void(workspace, row, rows), write

    return operation


# Rows of the workspace: the result first, then what it is computed from.
_COUNTS = TOTALS
_SIX = _COUNTS + 10  # rounds of six cards: Player's points at 20, plus Banker's before tens are taken away
_PARTNERS = _SIX + 200  # u[a, s] at 10a + s, twice over, so that a - b is found at 10 + a - b
_HAND = _PARTNERS + 200  # E[s]
_SHARED = _HAND + 10  # 4·n[a]·u[a, s] at 10a + s
_TWO = _SHARED + 100  # Q[s, t] at 10s + t
_TWO_LEFT = _TWO + 100  # Q' after Player's third card, or Banker's if Player stood
_OUT = _TWO_LEFT + 100  # v[s]
_TWICE_HAND = _OUT + 10  # 2·E'[s]
_BOTH = _TWICE_HAND + 10  # ways to draw both third cards, by the second
_SIZE = _BOTH + 10
_ONE_TAIL = _SIZE + 1  # ways for the sixth card of a round of five
_TWO_TAIL = _SIZE + 2  # ways for the last two cards of a round of four
_ONE = _SIZE + 3  # ways to draw one third card, and the sixth
ROWS = _SIZE + 4

# The plan of a table of play: lists of pairs of totals.
NOBODY_DRAWS = 0  # nobody draws
SOMEBODY_DRAWS = 1  # somebody draws
ONLY_BANKER_DRAWS = 2  # only Banker draws
BANKER_STANDS = 3  # by Player's third card: Player draws, Banker stands
BOTH_DRAW = 13  # by Player's third card: both draw

_ADD = np.array([(i + j) % 10 for i in range(10) for j in range(10)])
_SUBTRACT = np.array([(i - j) % 10 for i in range(10) for j in range(10)])

_clear = rowwise(lambda d: d.zero())
_copy = rowwise(lambda _, a: a)
_raise = rowwise(lambda d: d + 1)
_lower = rowwise(lambda d: d - 1)
_accumulate = rowwise(lambda d, a: d + a)
_multiply = rowwise(lambda _, a, b: a * b)
_add_product = rowwise(lambda d, a, b: d + a * b)
_subtract_product = rowwise(lambda d, a, b: d - a * b)
_subtract = rowwise(lambda d, a: d - a)
_four_products = rowwise(lambda _, a, b: a * b * 4)
_add_twice = rowwise(lambda d, a: d + a * 2)
_subtract_eight = rowwise(lambda d, a: d - a * 8)
_one_tail = rowwise(lambda _, size: size - 5)
_two_tail = rowwise(lambda _, size: (size - 4) * (size - 5))
_twice_less = rowwise(lambda _, e, v: (e - v * 2) * 2)
_take_out = rowwise(
    lambda _, q, et, es, vt, vs, ut, us: q - vs * (et * 2 - (vt + ut) * 4) - vt * (es * 2 - (vs + us) * 4)
)
# The inner loop: the second third card is taken out, and the ways go into the histogram.
_add_both = rowwise(
    lambda d, both, q, et, es, vs, vt, ut, us: d + both * (q + vs * ((vt * 2 + ut) * 4 - et) + vt * (us * 4 - es)),
    is_result=True,
)
_subtract_same = rowwise(lambda d, both, v: d - both * v * 8, is_result=True)


@cached_njit
def _closed_form(w: Any) -> None:
    """Partners, hands and pairs of hands of the full shoe, from its counts."""
    for row in range(_COUNTS):
        _clear(w, row, ())
    for row in range(_SIX, _PARTNERS):
        _clear(w, row, ())
    _clear(w, _SIZE, ())
    for a in range(10):
        _accumulate(w, _SIZE, (_COUNTS + a,))
        for s in range(10):
            u = _PARTNERS + 10 * a + s
            _copy(w, u, (_COUNTS + _SUBTRACT[10 * s + a],))
            if _SUBTRACT[10 * s + a] == a:
                _lower(w, u, ())
            _copy(w, u + 100, (u,))
            _four_products(w, _SHARED + 10 * a + s, (_COUNTS + a, u))
    _one_tail(w, _ONE_TAIL, (_SIZE,))
    _two_tail(w, _TWO_TAIL, (_SIZE,))
    for s in range(10):
        _clear(w, _HAND + s, ())
        for a in range(10):
            _add_product(w, _HAND + s, (_COUNTS + a, _PARTNERS + 10 * a + s))
    for s in range(10):
        for t in range(s, 10):
            two = _TWO + 10 * s + t
            _multiply(w, two, (_HAND + s, _HAND + t))
            for a in range(10):
                _subtract_product(w, two, (_SHARED + 10 * a + s, _PARTNERS + 10 * a + t))
            if s == t:
                _add_twice(w, two, (_HAND + s,))
            _copy(w, _TWO + 10 * t + s, (two,))


@cached_njit
def _hand(plan: Integers, kind: int, i: int) -> tuple[int, int, int]:
    """The i-th pair of totals of a list: 10 × Player's + Banker's, and each by itself."""
    return plan[kind, i + 1, 0], plan[kind, i + 1, 1], plan[kind, i + 1, 2]


@cached_njit
def _take_third_out(w: Any, plan: Integers, x: int) -> None:
    """One third card of x points leaves the shoe: Q' and E' for the hands it can come to, and the counts."""
    for s in range(10):
        _copy(w, _OUT + s, (_PARTNERS + 10 * x + s,))
        _twice_less(w, _TWICE_HAND + s, (_HAND + s, _OUT + s))
    for i in range(plan[SOMEBODY_DRAWS, 0, 0]):
        hand, s, t = _hand(plan, SOMEBODY_DRAWS, i)
        ut, us = _PARTNERS + 10 * (10 + s - x) + t, _PARTNERS + 10 * (10 + t - x) + s
        _take_out(w, _TWO_LEFT + hand, (_TWO + hand, _HAND + t, _HAND + s, _OUT + t, _OUT + s, ut, us))
        if s == t:
            _subtract_eight(w, _TWO_LEFT + hand, (_OUT + s,))
    _multiply(w, _ONE, (_COUNTS + x, _ONE_TAIL))
    for y in range(10):
        _multiply(w, _BOTH + y, (_COUNTS + x, _COUNTS + y))
    _subtract(w, _BOTH + x, (_COUNTS + x,))  # of the same points, the second is one of one fewer
    _lower(w, _COUNTS + x, ())
    for a in range(20):
        _lower(w, _PARTNERS + 10 * a + _ADD[10 * (a % 10) + x], ())


@cached_njit
def _put_third_back(w: Any, x: int) -> None:
    _raise(w, _COUNTS + x, ())
    for a in range(20):
        _raise(w, _PARTNERS + 10 * a + _ADD[10 * (a % 10) + x], ())


@cached_njit
def _both_drew(w: Any, s: int, t: int, x: int) -> None:
    """Player has s and draws x, Banker has t and draws any y: the inner loop."""
    two, et, es = _TWO_LEFT + 10 * s + t, _TWICE_HAND + t, _TWICE_HAND + s
    six = _SIX + 20 * _ADD[10 * s + x] + t
    for y in range(10):
        vs, vt = _PARTNERS + 10 * y + s, _PARTNERS + 10 * y + t
        ut, us = _PARTNERS + 10 * (10 + s - y) + t, _PARTNERS + 10 * (10 + t - y) + s
        _add_both(w, six + y, (_BOTH + y, two, et, es, vs, vt, ut, us))
    if s == t:
        for y in range(10):
            _subtract_same(w, six + y, (_BOTH + y, _PARTNERS + 10 * y + s))


@cached_njit
def _fill(w: Any, plan: Integers) -> None:
    """The histogram of the counts in a workspace, into its first rows."""
    _closed_form(w)
    for i in range(plan[NOBODY_DRAWS, 0, 0]):
        hand, s, t = _hand(plan, NOBODY_DRAWS, i)
        _add_product(w, 40 * s + 4 * t, (_TWO + hand, _TWO_TAIL))
    for x in range(10):
        _take_third_out(w, plan, x)
        for i in range(plan[ONLY_BANKER_DRAWS, 0, 0]):  # x is Banker's
            hand, s, t = _hand(plan, ONLY_BANKER_DRAWS, i)
            _add_product(w, 40 * s + 4 * _ADD[10 * t + x] + 1, (_TWO_LEFT + hand, _ONE))
        for i in range(plan[BANKER_STANDS + x, 0, 0]):
            hand, s, t = _hand(plan, BANKER_STANDS + x, i)
            _add_product(w, 40 * _ADD[10 * s + x] + 4 * t + 2, (_TWO_LEFT + hand, _ONE))
        for i in range(plan[BOTH_DRAW + x, 0, 0]):
            _, s, t = _hand(plan, BOTH_DRAW + x, i)
            _both_drew(w, s, t, x)
        _put_third_back(w, x)
    for p in range(10):
        for b in range(10):
            _copy(w, 40 * p + 4 * b + 3, (_SIX + 20 * p + b,))
            _accumulate(w, 40 * p + 4 * b + 3, (_SIX + 20 * p + 10 + b,))


# Plain loops from here on, where NumPy has a word for it: they compile in a fraction of the time.


@cached_njit
def many_histograms(plan: Integers, cells: Integers, counts: Integers, w: Any, histograms: Any) -> None:
    """The histograms of many shoes, side by side in a workspace of two dimensions; `cells` can be filled."""
    for first in range(0, len(counts), LANES):
        shoes = _fill_side_by_side(plan, counts, w, first)
        for lane in range(shoes):
            for i in range(TOTALS):
                histograms[first + lane, i] = 0
            for j in range(len(cells)):
                histograms[first + lane, cells[j]] = w[cells[j], lane]


@cached_njit
def many_sums(plan: Integers, cells: Integers, counts: Integers, w: Any, nets: Any, sums: Any) -> None:
    """Histograms of many shoes, each weighed by several rows of `nets` and summed."""
    lanes = np.empty(LANES)
    for first in range(0, len(counts), LANES):
        shoes = _fill_side_by_side(plan, counts, w, first)
        for k in range(len(nets)):
            for lane in range(LANES):
                lanes[lane] = 0
            for j in range(len(cells)):
                net = nets[k, cells[j]]
                for lane in range(LANES):
                    lanes[lane] += w[cells[j], lane] * net
            for lane in range(shoes):
                sums[first + lane, k] = lanes[lane]


@cached_njit
def _fill_side_by_side(plan: Integers, counts: Integers, w: Any, first: int) -> int:
    """Histograms of as many shoes as there are lanes, or as are left; returns how many those are."""
    shoes = min(LANES, len(counts) - first)
    for lane in range(LANES):
        for a in range(10):
            w[_COUNTS + a, lane] = counts[first + min(lane, shoes - 1), a]
    _fill(w, plan)
    return shoes


MOST_AS_FLOAT = 456  # Cards of a shoe whose ordered draws of six are fewer than 2^53.
MOST_AS_INTEGER = 1_448  # Cards of a shoe whose ordered draws of six are fewer than 2^63.


class Histograms:
    """The kernels, for one table of play. The first use compiles for some seconds and keeps the result on disk; what
    needs only a few shoes uses `totals_weights` and waits for nothing."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._plan = _plan(play)
        self._one: dict[type, OneShoe] = {}
        self._cells = np.array(sorted({totals.index for _, _, totals in play.finishes()}))

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

    def one_shoe(self, size: int) -> OneShoe:
        """The kernel for one shoe of up to this many cards, which are no more than 64 bits can count."""
        assert size <= MOST_AS_INTEGER
        kind = _kind(size)
        if kind not in self._one:
            self._one[kind] = OneShoe(self._play, kind)
        return self._one[kind]

    def many(self, points: Integers) -> NDArray[Any]:
        """Ordered draws by `totals` for many shoes, a row for each, in whole numbers of some exact kind."""
        largest = _largest(points)
        if largest > MOST_AS_INTEGER:
            rows = [totals_weights(self._play, [int(count) for count in shoe]) for shoe in points]
            return np.array(rows, dtype=object)
        histograms = np.empty((len(points), TOTALS), _kind(largest))
        counts = np.ascontiguousarray(points, np.int64)
        many_histograms(self._plan, self._cells, counts, _workspace(_kind(largest)), histograms)
        return histograms

    def expectations(self, points: Integers, nets: NDArray[np.float64]) -> NDArray[np.float64]:
        """Expectations for many shoes: a row for each, a column for each row of `nets` by `totals`. The counts behind
        them are exact; the expectations are floating-point numbers."""
        counts = np.ascontiguousarray(points, np.int64)
        sizes = counts.sum(axis=1, dtype=np.float64)
        largest = _largest(counts)
        if largest > MOST_AS_INTEGER:
            sums = self.many(counts).astype(np.float64) @ nets.T
        else:
            sums = np.empty((len(counts), len(nets)))
            many_sums(self._plan, self._cells, counts, _workspace(_kind(largest)), nets, sums)
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
    cells = ROWS * LANES
    room = np.empty(cells * 8 + CACHE_LINE, np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    return room[start : start + cells * 8].view(kind).reshape(ROWS, LANES)


def _plan(play: Play) -> Integers:
    """The table of play as lists of pairs of totals for the kernels, each with its length before it."""
    hands = range(100)
    drawing = [hand for hand in hands if play.player_draws[hand]]
    stood = [hand for hand in hands if hand not in drawing and play.brings_card(hand // 10, hand % 10)]
    lists: dict[int, list[int]] = {
        NOBODY_DRAWS: [hand for hand in hands if hand not in drawing and hand not in stood],
        SOMEBODY_DRAWS: sorted(drawing + stood),
        ONLY_BANKER_DRAWS: stood,
    }
    for third in range(STOOD):
        draws = play.banker_draws[third]
        lists[BANKER_STANDS + third] = [hand for hand in drawing if not draws[hand % 10]]
        lists[BOTH_DRAW + third] = [hand for hand in drawing if draws[hand % 10]]
    plan = np.zeros((len(lists), 101, 3), np.int64)
    for i, one in lists.items():
        plan[i, 0, 0] = len(one)
        for j, hand in enumerate(one):
            plan[i, j + 1] = hand, hand // 10, hand % 10
    return plan
