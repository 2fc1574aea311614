"""The histogram of one shoe, and of the same shoe as its cards are seen one by one: the closed form of `ordered_draws`,
with the totals of Player side by side in a vector. `histograms` has very many shoes side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from punto.odds.machine_row import LaneRow, cached_njit, in_all_lanes, room_for
from punto.rules.outcome import TOTALS
from punto.rules.table_of_play import STOOD, Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]

LANES = 8  # Totals side by side. Player usually acts on 0 to 7: one vector.

# Places in the workspace. Rows are longer than ten, because they are read in vectors.
_WIDE = 16
_TURNED_WIDE = 24
# A shoe: its counts and partners in all the orders in which they are read.
_COUNTS = 0  # n[i mod 10]; only the first ten are kept up when a card is seen
_TURNED_COUNTS = 32  # n[-i mod 10]
_PARTNERS = 72  # u[a, s] at 16a + s, twice over, so that a - b is found at 10 + a - b
_TURNED = _PARTNERS + 20 * _WIDE  # u[k mod 10, t] at 24t + k
_FEWER = _TURNED + 10 * _TURNED_WIDE  # the same again without the first third card
_HAND = 2 * _FEWER  # E[s]
_TWO = _HAND + _WIDE  # Q[s, t] at 16t + s
_LEFT = _TWO + 10 * _WIDE  # Q' after a third card
_TWICE = _LEFT + 10 * _WIDE  # 2·E' after a third card
_ONE = _TWICE + _WIDE  # ways to draw that third card
_FOUR = _ONE + LANES  # 4·n[a]·u[a, s] at 16a + s
_SUMS = _FOUR + 10 * _WIDE  # Player's two-card total s, Banker's last total before tens are taken away, at 8t + s
_WAYS = _SUMS + 20 * LANES  # by kind of finish, Banker's points, and Player's points before tens are taken away
_WAYS_WIDE = 20
_KIND = 10 * _WAYS_WIDE
# What never changes: deltas, and the totals on which Player draws or stands, by block.
_SAME = _WAYS + 4 * _KIND + LANES  # [2a = s] at 16a + s
_TURNED_SAME = _SAME + 10 * _WIDE  # [2k = t] at 24t + k
_EIGHT = _TURNED_SAME + 10 * _TURNED_WIDE  # 8·[s = t] at 16t + s
_DRAWS = _EIGHT + 10 * _WIDE  # 1 where Player draws, at 8·block + lane
_STANDS = _DRAWS + 2 * LANES  # 1 where Player stands and Banker may draw
_HOT = _STANDS + 2 * LANES  # [k = s] at 16k + s, twice over
_TURNED_HOT = _HOT + 20 * _WIDE  # [j = k] at 24j + k, twice over
_SIZE = _TURNED_HOT + 20 * _TURNED_WIDE  # cards of the shoe
SIZE = _SIZE + LANES
_NETS = SIZE  # what one unit gains, arranged as the ways are, bet by bet; then a row of sums for each
_AT_ONCE = 10  # Vectors of a bet that are weighed in one go.

FOUR_CARDS, BANKERS_THIRD, PLAYERS_THIRD, SIX_CARDS = range(4)  # Kinds of finish, as `totals` numbers them.

# The plan of a table of play: lists, each with its length before it.
_BLOCKS = 0  # where the blocks of totals begin
_NOBODY = 1  # pairs of totals, 16t + s, at which nobody draws
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
        return LaneRow(self._builder, in_all_lanes(self._builder, self._builder.load(at), LANES))

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
        q, es, et = w.vector(cell, _LEFT), w.vector(block, _TWICE) + w.vector(cell, _EIGHT), w.number(t, _TWICE)
        for y in range(10):
            row, place = _WIDE * y, _SUMS + LANES * y
            vs, vt = w.vector(block, partners + row), w.number(t, partners + row)
            ut, us = w.vector(turned, _FEWER + _TURNED + 10 - y), w.vector(cell, partners + 10 * _WIDE - row)
            left = _taken(q, vs, vt, ut, us, vt * 8 - et, es)
            w.store(w.vector(sums, place) + left * w.number(zero, _FEWER + _COUNTS + y), sums, place)
        return context.get_dummy_value()

    return types.void(workspace, block, t), write


_add_both: Any = intrinsic(_both)


def _weighed(_: Any, workspace: Any, ways: Any, nets: Any, sums: Any) -> Any:
    """Some ways times what a bet gains by them, added to its sums; two of these take turns, so that none is waited
    for."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        w, (_, ways, nets, sums) = _Scribe(context, builder, signature, arguments[0]), arguments
        total, other = w.vector(sums), w.vector(ways) * w.vector(nets)
        for i in range(1, _AT_ONCE):
            total, other = other, total + w.vector(ways, LANES * i) * w.vector(nets, LANES * i)
        w.store(total + other, sums)
        return context.get_dummy_value()

    return types.void(workspace, ways, nets, sums), write


_weigh: Any = intrinsic(_weighed)

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
_add_product_of_sum = rowwise(lambda d, a, b, c, one: d + (a + b) * c * one)
_take = rowwise(lambda _, q, vs, ut, us, e, eight, vt, et: _taken(q, vs, vt, ut, us, et.zero() - et, e + eight))


@cached_njit
def _put_counts(w: Any, counts: Integers) -> None:
    """Counts, and the partners of all cards by them."""
    for turn in range(0, 30, 10):
        for points in range(10):
            w[_COUNTS + turn + points] = w[_TURNED_COUNTS + turn + 10 - points] = counts[points]
    for a in range(10):
        for s in range(0, _WIDE, LANES):
            here = _PARTNERS + _WIDE * a + s
            _less(w, here, (_COUNTS + 10 - a + s, _SAME + _WIDE * a + s), ())
            _copy(w, here + 10 * _WIDE, (here,), ())
        for k in range(0, _TURNED_WIDE, LANES):
            row = _TURNED_WIDE * a + k
            _less(w, _TURNED + row, (_TURNED_COUNTS + 10 - a + k, _TURNED_SAME + row), ())


@cached_njit
def _take_card(w: Any, shoe: int, x: int, lanes: int) -> None:
    """Counts and partners without a card of x points: in the place of those with it, or beside them."""
    w[shoe + _COUNTS + x] = w[_COUNTS + x] - 1
    for a in range(10):
        for s in range(0, lanes, LANES):
            here = _PARTNERS + _WIDE * a + s
            _less(w, shoe + here, (here, _HOT + _WIDE * (a + x) + s), ())
            _copy(w, shoe + here + 10 * _WIDE, (shoe + here,), ())
    for t in range(min(lanes, 10)):
        for k in range(0, _TURNED_WIDE, LANES):
            here = _TURNED + _TURNED_WIDE * t + k
            _less(w, shoe + here, (here, _TURNED_HOT + _TURNED_WIDE * (10 + t - x) + k), ())


@cached_njit
def _closed_form(w: Any) -> None:
    """Hands and pairs of hands, from counts and partners."""
    for s in range(0, _WIDE, LANES):
        _clear(w, _HAND + s, (), ())
        for a in range(10):
            partners = _PARTNERS + _WIDE * a + s
            _add_product(w, _HAND + s, (partners,), (_COUNTS + a,))
            _four_products(w, _FOUR + _WIDE * a + s, (partners,), (_COUNTS + a,))
    for t in range(10):
        for s in range(0, _WIDE, LANES):
            two = _TWO + _WIDE * t + s
            _product(w, two, (_HAND + s,), (_HAND + t,))
            for a in range(10):
                _subtract_product(w, two, (_PARTNERS + _WIDE * a + s,), (_FOUR + _WIDE * a + t,))
        w[_TWO + _WIDE * t + t] += 2 * w[_HAND + t]


@cached_njit
def _take_out(w: Any, x: int, lanes: int) -> None:
    """Q' and 2·E' without a card of x points."""
    for s in range(0, _WIDE, LANES):
        _twice_less(w, _TWICE + s, (_HAND + s, _PARTNERS + _WIDE * x + s), ())
    for t in range(min(lanes, 10)):
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
            total = t + x if t + x < 10 else t + x - 10
            place = _WAYS + BANKERS_THIRD * _KIND + _WAYS_WIDE * total + s
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
        for i in range(10):
            place, sums = _WAYS + SIX_CARDS * _KIND + _WAYS_WIDE * i + s + x, _SUMS + LANES * i
            _add_product_of_sum(w, place, (sums, sums + 10 * LANES, _DRAWS + LANES * block), (_ONE,))


@cached_njit
def _fill(w: Any, plan: Integers) -> None:
    """All ways of a workspace whose closed form is there."""
    size = w[_COUNTS] - w[_COUNTS]
    for a in range(10):
        size += w[_COUNTS + a]
    w[_SIZE] = size
    for i in range(4 * _KIND + LANES):
        w[_WAYS + i] = 0
    last_two = (size - 4) * (size - 5)
    for i in range(plan[_NOBODY, 0]):
        cell = plan[_NOBODY, i + 1]
        w[_WAYS + cell + (_WAYS_WIDE - _WIDE) * (cell >> 4)] = w[_TWO + cell] * last_two
    lanes = LANES * plan[_BLOCKS, 0]
    for x in range(10):
        w[_FEWER + _COUNTS + x] = w[_COUNTS + x]
    for x in range(10):
        ways = w[_COUNTS + x]
        if ways == 0:
            continue
        _take_out(w, x, lanes)
        _take_card(w, _FEWER, x, lanes)
        _add_third(w, plan, x, ways, size - 5)
        w[_FEWER + _COUNTS + x] = ways


NEW, SAME = -1, -2  # Which shoe is computed: one from its counts, or again the last one.


@cached_njit
def _count_ways(plan: Integers, counts: Integers, seen: int, w: Any) -> None:
    """The ways of the shoe with these counts (`NEW`), or of the shoe that was computed last in this workspace: as it
    was (`SAME`), or without a card of `seen` points."""
    if seen == NEW:
        _put_counts(w, counts)
        _closed_form(w)
    elif seen != SAME:
        _take_out(w, seen, _WIDE)
        for s in range(0, _WIDE, LANES):
            _less_twice(w, _HAND + s, (_PARTNERS + _WIDE * seen + s,), ())
            for t in range(10):
                _copy(w, _TWO + _WIDE * t + s, (_LEFT + _WIDE * t + s,), ())
        _take_card(w, 0, seen, _WIDE)
    _fill(w, plan)


@cached_njit
def one_histogram(plan: Integers, counts: Integers, seen: int, w: Any, histogram: Integers) -> None:
    """The ways of a shoe by `totals`."""
    _count_ways(plan, counts, seen, w)
    for kind in range(4):
        for b in range(10):
            row = _WAYS + kind * _KIND + _WAYS_WIDE * b
            for p in range(10):
                histogram[40 * p + 4 * b + kind] = int(w[row + p] + w[row + 10 + p])


@cached_njit
def one_weighing(plan: Integers, counts: Integers, seen: int, w: Any, expectations: Floats) -> None:
    """The ways of a shoe, times the nets that stand in the workspace, for one of all draws."""
    _count_ways(plan, counts, seen, w)
    draws, bets = 1.0, len(expectations)
    for taken in range(6):
        draws *= w[_SIZE] - taken
    sums = _NETS + bets * 4 * _KIND
    for bet in range(bets):
        _clear(w, sums + LANES * bet, (), ())
    for part in range(0, 4 * _KIND, LANES * _AT_ONCE):
        for bet in range(bets):
            _weigh(w, _WAYS + part, _NETS + bet * 4 * _KIND + part, sums + LANES * bet)
    for bet in range(bets):
        total = 0.0
        for lane in range(LANES):
            total += w[sums + LANES * bet + lane]
        expectations[bet] = total / draws


class OneShoe:
    """The kernel and its workspace, for one table of play and one kind of number."""

    def __init__(self, play: Play, kind: type[np.float64 | np.int64], nets: Floats | None = None) -> None:
        """`nets` are what one unit of some bets gains by `totals`, a row for each; only floating-point numbers are
        weighed with them."""
        self._bets = 0 if nets is None or kind is not np.float64 else len(nets)
        self.can_weigh = self._bets > 0
        """Whether it knows `expectations_of`."""
        self._plan, self._workspace = _plan(play), _workspace(play, kind, self._bets)
        self._none = np.zeros(10, np.int64)
        if nets is not None and self._bets:
            by_kind = nets.reshape(-1, 10, 10, 4).transpose(0, 3, 2, 1)  # Bet, kind of finish, Banker, Player.
            arranged = np.concatenate((by_kind, by_kind), axis=3)  # Player's points before tens are taken away.
            self._workspace[_NETS : _NETS + arranged.size] = arranged.ravel()

    def of(self, points: Integers) -> Integers:
        """Ordered draws by `totals`, from counts of the cards of 0 to 9 points."""
        histogram = np.empty(TOTALS, np.int64)
        one_histogram(self._plan, points, NEW, self._workspace, histogram)
        return histogram

    def without(self, points: int) -> Integers:
        """The same for the shoe that was asked for last without one card of these points, which must be there; or for
        that shoe again (`SAME`)."""
        histogram = np.empty(TOTALS, np.int64)
        one_histogram(self._plan, self._none, points, self._workspace, histogram)
        return histogram

    def expectations_of(self, points: Integers) -> Floats:
        """What one unit gains on average, for each row of nets, as `of` has the draws."""
        expectations = np.empty(self._bets)
        one_weighing(self._plan, points, NEW, self._workspace, expectations)
        return expectations

    def expectations_without(self, points: int) -> Floats:
        """The same as `without` has the draws."""
        expectations = np.empty(self._bets)
        one_weighing(self._plan, self._none, points, self._workspace, expectations)
        return expectations


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
    lists += [
        [_WIDE * (hand % 10) + hand // 10 for hand in hands if hand not in drawing and hand not in stood],
        bankers,
    ]
    lists += [[t for t in asked if not play.banker_draws[third][t]] for third in range(STOOD)]
    lists += [[t for t in asked if play.banker_draws[third][t]] for third in range(STOOD)]
    plan = np.zeros((_LISTS, 101), np.int64)
    for i, one in enumerate(lists):
        plan[i, : len(one) + 1] = len(one), *one
    return plan


def _workspace(play: Play, kind: type[np.float64 | np.int64], bets: int) -> NDArray[Any]:
    """Zeros and what never changes, beginning at a cache line: most vectors then lie in one line each."""
    w = cast("NDArray[Any]", room_for(SIZE + bets * (4 * _KIND + LANES), kind))
    for a in range(10):
        w[_SAME + _WIDE * a + 2 * a % 10] = 1
        w[_EIGHT + _WIDE * a + a] = 8
        for k in range(20):
            w[_TURNED_SAME + _TURNED_WIDE * a + k] = 2 * k % 10 == a
    for j in range(20):
        w[_HOT + _WIDE * j + j % 10] = 1
        for k in range(_TURNED_WIDE):
            w[_TURNED_HOT + _TURNED_WIDE * j + k] = j % 10 == k % 10
    for s in range(10):
        w[_DRAWS + s] = any(play.player_draws[10 * s : 10 * s + 10])
        w[_STANDS + s] = not w[_DRAWS + s] and any(play.brings_card(s, t) for t in range(10))
    return w
