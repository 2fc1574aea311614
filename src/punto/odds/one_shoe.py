"""The histogram of one shoe, and of the same shoe as its cards are seen one by one: the closed form of `ordered_draws`,
with the totals of Player side by side in a vector. `histograms` has very many shoes side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from punto.odds.machine_row import CACHE_LINE, LaneRow, cached_njit
from punto.rules.outcome import TOTALS
from punto.rules.table_of_play import STOOD, Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

LANES = 8  # Totals side by side. Player usually acts on 0 to 7: one vector.

# Places in the workspace. Rows are longer than ten, because they are read in vectors.
_WIDE = 16
_TURNED_WIDE = 24
# A shoe: its counts and partners in all the orders in which they are read.
_COUNTS = 0  # n[i mod 10]
_TURNED_COUNTS = 32  # n[-i mod 10]
_PARTNERS = 72  # u[a, s] at 16a + s, twice over, so that a - b is found at 10 + a - b
_TURNED = _PARTNERS + 20 * _WIDE  # u[k mod 10, t] at 24t + k
_FEWER = _TURNED + 10 * _TURNED_WIDE  # the same again without the first third card
_HAND = 2 * _FEWER  # E[s]
_TWO = _HAND + _WIDE  # Q[s, t] at 16t + s
_LEFT = _TWO + 10 * _WIDE  # Q' after a third card
_TWICE = _LEFT + 10 * _WIDE  # 2·E' after a third card
_ONE = _TWICE + _WIDE  # ways to draw that third card
_BESIDE = _ONE + LANES  # 8·u[y, t] - 2·E'[t] at 16y + t
_SUMS = _BESIDE + 10 * _WIDE  # Player's two-card total s, Banker's last total before tens are taken away, at 8t + s
_WAYS = _SUMS + 20 * LANES  # by kind of finish, Banker's points, and Player's points before tens are taken away
_WAYS_WIDE = 20
_KIND = 10 * _WAYS_WIDE
# What never changes: deltas, and the totals on which Player draws or stands, by block.
_SAME = _WAYS + 4 * _KIND + LANES  # [2a = s] at 16a + s
_TURNED_SAME = _SAME + 10 * _WIDE  # [2k = t] at 24t + k
_EIGHT = _TURNED_SAME + 10 * _TURNED_WIDE  # 8·[s = t] at 16t + s
_DRAWS = _EIGHT + 10 * _WIDE  # 1 where Player draws, at 8·block + lane
_STANDS = _DRAWS + 2 * LANES  # 1 where Player stands and Banker may draw
SIZE = _STANDS + 2 * LANES

FOUR_CARDS, BANKERS_THIRD, PLAYERS_THIRD, SIX_CARDS = range(4)  # Kinds of finish, as `totals` numbers them.

# The plan of a table of play: lists, each with its length before it.
_BLOCKS = 0  # where the blocks of totals begin
_NOBODY = 1  # pairs of totals, 10s + t, at which nobody draws
_ONLY_BANKER = 2  # Banker's totals that draw where Player stands
_BANKER_STANDS = 3  # by Player's third card: Banker's totals that stand
_BOTH = 13  # by Player's third card: Banker's totals that draw
_LISTS = 23


class _Scribe:
    """Rows of the workspace while machine code is being written."""

    def __init__(self, context: Any, builder: Any, signature: Any, workspace: Any) -> None:
        self._builder = builder
        self._data = context.make_array(signature.args[0])(context, builder, workspace).data
        self._kind = ir.VectorType(self._data.type.pointee, LANES)

    def vector(self, place: Any, displacement: int = 0) -> LaneRow:
        """Eight numbers from here on."""
        return LaneRow(self._builder, self._builder.load(self._at(place, displacement), align=8))

    def number(self, place: Any, displacement: int = 0) -> LaneRow:
        """One number in all lanes."""
        at = self._builder.gep(self._data, [self._sum(place, displacement)])
        one = self._builder.insert_element(
            ir.Constant(self._kind, ir.Undefined), self._builder.load(at), ir.Constant(ir.IntType(32), 0)
        )
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return LaneRow(self._builder, self._builder.shuffle_vector(one, one, mask))

    def store(self, row: LaneRow, place: Any, displacement: int = 0) -> None:
        self._builder.store(row.value, self._at(place, displacement), align=8)

    def _at(self, place: Any, displacement: int) -> Any:
        at = self._builder.gep(self._data, [self._sum(place, displacement)])
        return self._builder.bitcast(at, self._kind.as_pointer())

    def _sum(self, place: Any, displacement: int) -> Any:
        return self._builder.add(place, ir.Constant(place.type, displacement))


def rowwise(formula: Callable[..., LaneRow]) -> Any:
    """An operation `op(workspace, place, (rows…), (numbers…))`: row at this place = formula(row, rows…, numbers…)."""

    @intrinsic
    def operation(_: Any, workspace: Any, place: Any, rows: Any, numbers: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            scribe = _Scribe(context, builder, signature, arguments[0])
            places = [builder.extract_value(arguments[2], i) for i in range(len(signature.args[2]))]
            single = [builder.extract_value(arguments[3], i) for i in range(len(signature.args[3]))]
            old = scribe.vector(arguments[1])
            given = [*map(scribe.vector, places), *map(scribe.number, single)]
            scribe.store(formula(old, *given), arguments[1])
            return context.get_dummy_value()

        return types.void(workspace, place, rows, numbers), write

    return operation


def _taken(q: LaneRow, vs: LaneRow, vt: LaneRow, ut: LaneRow, us: LaneRow, et: LaneRow, es: LaneRow) -> LaneRow:
    """Q without one card: es = 2·E'[s] + 8·[s = t], et = -2·E'[t]."""
    return q + vs * (ut * 4 + et) + vt * (us * 4 - es)


def _both(_: Any, workspace: Any, block: Any, t: Any) -> Any:
    """The inner loop, written out: Banker has t and draws any y. The second third card is taken out of Q', and the ways
    go to the total that Banker comes to."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        w, (_, block, t) = _Scribe(context, builder, signature, arguments[0]), arguments
        zero, partners = ir.Constant(t.type, 0), _FEWER + _PARTNERS
        cell = builder.add(builder.mul(t, ir.Constant(t.type, _WIDE)), block)
        turned = builder.add(builder.mul(t, ir.Constant(t.type, _TURNED_WIDE)), block)
        sums = builder.mul(t, ir.Constant(t.type, LANES))
        q, es = w.vector(cell, _LEFT), w.vector(block, _TWICE) + w.vector(cell, _EIGHT)
        for y in range(10):
            row, place = _WIDE * y, _SUMS + LANES * y
            vs, vt = w.vector(block, partners + row), w.number(t, partners + row)
            ut, us = w.vector(turned, _FEWER + _TURNED + 10 - y), w.vector(cell, partners + 10 * _WIDE - row)
            left = _taken(q, vs, vt, ut, us, w.number(t, _BESIDE + row), es)
            w.store(w.vector(sums, place) + left * w.number(zero, _FEWER + _COUNTS + y), sums, place)
        return context.get_dummy_value()

    return types.void(workspace, block, t), write


_add_both: Any = intrinsic(_both)


_copy = rowwise(lambda _, a: a)
_clear = rowwise(lambda d: d.zero())
_less = rowwise(lambda _, a, b: a - b)
_product = rowwise(lambda _, a, b: a * b)
_four_products = rowwise(lambda _, a, b: a * b * 4)
_add_product = rowwise(lambda d, a, b: d + a * b)
_subtract_product = rowwise(lambda d, a, b: d - a * b)
_add_three = rowwise(lambda d, a, b, c: d + a * b * c)
_twice_less = rowwise(lambda _, e, v: e * 2 - v * 4)
_less_twice = rowwise(lambda e, v: e - v * 2)
_beside = rowwise(lambda _, v, e: v * 8 - e)
_take = rowwise(lambda _, q, vs, ut, us, e, eight, vt, et: _taken(q, vs, vt, ut, us, et.zero() - et, e + eight))


@cached_njit
def _put_count(w: Any, shoe: int, points: int, count: Any) -> None:
    """The number of cards of these points, wherever it is read."""
    for turn in range(0, 30, 10):
        w[shoe + _COUNTS + turn + points] = count
        w[shoe + _TURNED_COUNTS + turn + 10 - points] = count


@cached_njit
def _put_partners(w: Any, shoe: int, lanes: int) -> None:
    """Partners of all cards, from the counts."""
    for a in range(10):
        for s in range(0, lanes, LANES):
            here = shoe + _PARTNERS + _WIDE * a + s
            _less(w, here, (shoe + _COUNTS + 10 - a + s, _SAME + _WIDE * a + s), ())
            _copy(w, here + 10 * _WIDE, (here,), ())
        for k in range(0, _TURNED_WIDE, LANES):
            row = _TURNED_WIDE * a + k
            _less(w, shoe + _TURNED + row, (shoe + _TURNED_COUNTS + 10 - a + k, _TURNED_SAME + row), ())


@cached_njit
def _closed_form(w: Any) -> None:
    """Hands and pairs of hands, from counts and partners."""
    for s in range(0, _WIDE, LANES):
        _clear(w, _HAND + s, (), ())
        for a in range(10):
            partners = _PARTNERS + _WIDE * a + s
            _add_product(w, _HAND + s, (partners,), (_COUNTS + a,))
            _four_products(w, _BESIDE + _WIDE * a + s, (partners,), (_COUNTS + a,))
    for t in range(10):
        for s in range(0, _WIDE, LANES):
            two = _TWO + _WIDE * t + s
            _product(w, two, (_HAND + s,), (_HAND + t,))
            for a in range(10):
                _subtract_product(w, two, (_PARTNERS + _WIDE * a + s,), (_BESIDE + _WIDE * a + t,))
        w[_TWO + _WIDE * t + t] += 2 * w[_HAND + t]


@cached_njit
def _take_out(w: Any, x: int, lanes: int) -> None:
    """Q' and 2·E' without a card of x points."""
    for s in range(0, _WIDE, LANES):
        _twice_less(w, _TWICE + s, (_HAND + s, _PARTNERS + _WIDE * x + s), ())
    for t in range(10):
        for s in range(0, lanes, LANES):
            row, turned = _WIDE * t + s, _TURNED + _TURNED_WIDE * t + 10 - x + s
            rows = (
                *(_TWO + row, _PARTNERS + _WIDE * x + s, turned),
                *(_PARTNERS + _WIDE * (10 + t - x) + s, _TWICE + s, _EIGHT + row),
            )
            _take(w, _LEFT + row, rows, (_PARTNERS + _WIDE * x + t, _TWICE + t))


@cached_njit
def _add_third(w: Any, plan: Integers, x: int, ways: Any, tail: Any) -> None:
    """All finishes with a first third card of x points: Q', E', counts and partners are without it."""
    for block in range(plan[_BLOCKS, 0]):
        s = plan[_BLOCKS, block + 1]
        w[_ONE] = ways * tail
        for i in range(plan[_ONLY_BANKER, 0]):
            t = plan[_ONLY_BANKER, i + 1]
            place = _WAYS + BANKERS_THIRD * _KIND + _WAYS_WIDE * ((t + x) % 10) + s
            _add_three(w, place, (_LEFT + _WIDE * t + s, _STANDS + LANES * block), (_ONE,))
        for i in range(plan[_BANKER_STANDS + x, 0]):
            t = plan[_BANKER_STANDS + x, i + 1]
            place = _WAYS + PLAYERS_THIRD * _KIND + _WAYS_WIDE * t + s + x
            _add_three(w, place, (_LEFT + _WIDE * t + s, _DRAWS + LANES * block), (_ONE,))
        for i in range(20):
            _clear(w, _SUMS + LANES * i, (), ())
        for i in range(plan[_BOTH + x, 0]):
            _add_both(w, s, plan[_BOTH + x, i + 1])
        w[_ONE] = ways
        for i in range(20):
            place = _WAYS + SIX_CARDS * _KIND + _WAYS_WIDE * (i % 10) + s + x
            _add_three(w, place, (_SUMS + LANES * i, _DRAWS + LANES * block), (_ONE,))


@cached_njit
def _fill(w: Any, plan: Integers, histogram: Integers) -> None:
    """The histogram of a workspace whose closed form is there."""
    size = w[_COUNTS] - w[_COUNTS]
    for a in range(10):
        size += w[_COUNTS + a]
    for i in range(4 * _KIND + LANES):
        w[_WAYS + i] = 0
    for i in range(plan[_NOBODY, 0]):
        s, t = plan[_NOBODY, i + 1] // 10, plan[_NOBODY, i + 1] % 10
        w[_WAYS + _WAYS_WIDE * t + s] = w[_TWO + _WIDE * t + s] * (size - 4) * (size - 5)
    lanes = LANES * plan[_BLOCKS, 0]
    for a in range(10):
        _put_count(w, _FEWER, a, w[_COUNTS + a])
    for x in range(10):
        ways = w[_COUNTS + x]
        if ways == 0:
            continue
        _take_out(w, x, lanes)
        _put_count(w, _FEWER, x, ways - 1)
        _put_partners(w, _FEWER, lanes)
        for y in range(10):
            for t in range(0, lanes, LANES):
                _beside(w, _BESIDE + _WIDE * y + t, (_FEWER + _PARTNERS + _WIDE * y + t, _TWICE + t), ())
        _add_third(w, plan, x, ways, size - 5)
        _put_count(w, _FEWER, x, ways)
    for kind in range(4):
        for b in range(10):
            row = _WAYS + kind * _KIND + _WAYS_WIDE * b
            for p in range(10):
                histogram[40 * p + 4 * b + kind] = int(w[row + p] + w[row + 10 + p])


@cached_njit
def one_histogram(plan: Integers, counts: Integers, seen: int, w: Any, histogram: Integers) -> None:
    """The histogram of the shoe with these counts; or, where a card of `seen` points is given, of the shoe that was
    computed last in this workspace without that card."""
    if seen < 0:
        for a in range(10):
            _put_count(w, 0, a, counts[a])
        _put_partners(w, 0, _WIDE)
        _closed_form(w)
    else:
        _take_out(w, seen, _WIDE)
        for s in range(0, _WIDE, LANES):
            _less_twice(w, _HAND + s, (_PARTNERS + _WIDE * seen + s,), ())
            for t in range(10):
                _copy(w, _TWO + _WIDE * t + s, (_LEFT + _WIDE * t + s,), ())
        _put_count(w, 0, seen, w[_COUNTS + seen] - 1)
        _put_partners(w, 0, _WIDE)
    _fill(w, plan, histogram)


class OneShoe:
    """The kernel and its workspace, for one table of play and one kind of number."""

    def __init__(self, play: Play, kind: type[np.float64 | np.int64]) -> None:
        self._plan, self._workspace = _plan(play), _workspace(play, kind)
        self._none = np.zeros(10, np.int64)

    def of(self, points: Integers) -> Integers:
        """Ordered draws by `totals`, from counts of the cards of 0 to 9 points."""
        histogram = np.empty(TOTALS, np.int64)
        one_histogram(self._plan, points, -1, self._workspace, histogram)
        return histogram

    def without(self, points: int) -> Integers:
        """The same for the shoe that was asked for last without one card of these points, which must be there."""
        histogram = np.empty(TOTALS, np.int64)
        one_histogram(self._plan, self._none, points, self._workspace, histogram)
        return histogram


def _plan(play: Play) -> Integers:
    """The table of play as lists for the kernel."""
    hands = range(100)
    drawing = [hand for hand in hands if play.player_draws[hand]]
    stood = [hand for hand in hands if hand not in drawing and play.brings_card(hand // 10, hand % 10)]
    players, standing = {hand // 10 for hand in drawing}, {hand // 10 for hand in stood}
    asked, bankers = sorted({hand % 10 for hand in drawing}), sorted({hand % 10 for hand in stood})
    # A natural of either hand ends the deal; else each looks at its own total only.
    assert drawing == [10 * s + t for s in sorted(players) for t in asked]
    assert stood == [10 * s + t for s in sorted(standing) for t in bankers]
    is_one_block = max((*players, *standing, *asked, *bankers), default=0) < LANES
    lists = [[0] if is_one_block else [0, LANES]]
    lists += [[hand for hand in hands if hand not in drawing and hand not in stood], bankers]
    lists += [[t for t in asked if not play.banker_draws[third][t]] for third in range(STOOD)]
    lists += [[t for t in asked if play.banker_draws[third][t]] for third in range(STOOD)]
    plan = np.zeros((_LISTS, 101), np.int64)
    for i, one in enumerate(lists):
        plan[i, : len(one) + 1] = len(one), *one
    return plan


def _workspace(play: Play, kind: type[np.float64 | np.int64]) -> NDArray[Any]:
    """Zeros and what never changes, beginning at a cache line: most vectors then lie in one line each."""
    room = np.zeros(SIZE * 8 + CACHE_LINE, np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    w = room[start : start + SIZE * 8].view(kind)
    for a in range(10):
        w[_SAME + _WIDE * a + 2 * a % 10] = 1
        w[_EIGHT + _WIDE * a + a] = 8
        for k in range(20):
            w[_TURNED_SAME + _TURNED_WIDE * a + k] = 2 * k % 10 == a
    for s in range(10):
        w[_DRAWS + s] = any(play.player_draws[10 * s : 10 * s + 10])
        w[_STANDS + s] = not w[_DRAWS + s] and any(play.brings_card(s, t) for t in range(10))
    return w
