"""The histogram of one shoe, and of the same shoe as its cards are seen one by one: the closed form of `ordered_draws`,
with the totals of Player side by side in a vector. `histograms` has very many shoes side by side.

What one third card changes and what both change together are kept apart, as `many_shoes` does it; what both change
together for a few of Player's cards only lies on diagonals of the result. docs/internals/exact-odds.md derives it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from punto.odds.machine_row import LaneRow, cached_njit, in_all_lanes, room_for
from punto.rules.outcome import TOTALS
from punto.rules.table_of_play import STOOD, Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]

LANES = 8  # Totals side by side. Player usually acts on 0 to 7: one vector.

# Places in the workspace. Rows are longer than ten, because they are read in vectors: those along Player's two-card
# total s are wide, and those along s + x, before tens are taken away, are long.
_WIDE = 16
_LONG = 24
_TURNED_WIDE = 32
_TENS = 4  # Times that a row of counts is repeated.
# A shoe.
_COUNTS = 0  # n[i mod 10]
_TURNED_COUNTS = _COUNTS + 10 * _TENS  # n[-i mod 10]
_PARTNERS = _TURNED_COUNTS + 10 * _TENS  # u[a, s] at 16a + s, twice over, so that a - b is found at 10 + a - b
_HAND = _PARTNERS + 20 * _WIDE  # E[s]
_TWICE = _HAND + _WIDE  # 2·E[s] + 8·[s = t] at 16t + s
_TWO = _TWICE + 10 * _WIDE  # Q[s, t] at 16t + s
# What is computed from it.
_SHARED = _TWO + 10 * _WIDE  # U[a, s] = n[a]·u[a, s] at 16a + s
_DRAWN = _SHARED + 10 * _WIDE  # the same where Player draws, else 0
_FOUR = _DRAWN + 10 * _WIDE  # 4·U[a, s]
_BESIDE = _FOUR + 10 * _WIDE  # F[a, s] = 4·[2a = s] - 8·u[a, s], twice over
_HAND_BESIDE = _BESIDE + 20 * _WIDE  # 2·E[s] + F[a, s]
_LESS_HAND = _HAND_BESIDE + 10 * _WIDE  # 8·u[a, s] - 2·E[s]
_CHANGE = _LESS_HAND + 10 * _WIDE  # n[y]·D[y, s, t] at 8(10t + b) + s, where b are the points of t and y
_ONE = _CHANGE + 100 * LANES  # a number for what is done next
_REACHED = _ONE + LANES  # by Banker's last points: the sum of U[b-t, t] over the t that draw
_BANKERS = _REACHED + _WIDE  # by Banker's last points: the sum of the changes over the t that draw
_STANDING = _BANKERS + 10 * LANES  # Banker's third cards where Player stands
# Sums along s + x, by Banker's points.
_FIRST = _STANDING + 10 * LANES  # Player's third card where Banker draws too, by Banker's two-card total
_PLAYERS = _FIRST + 10 * _LONG  # and where Banker stands
_BOTH = _PLAYERS + 10 * _LONG  # both third cards
_AHEAD = _BOTH + 10 * _LONG  # by how many points Banker's last total is ahead, modulo ten
_ADDED = _AHEAD + 10 * _LONG  # by half of both last totals together, modulo five
_FOLDED = _ADDED + 5 * _LONG  # `_FIRST` with tens taken away
# The result, in rows along Player's points: Banker's points by kind of finish, then the diagonals of six cards.
_WAYS = _FOLDED + 10 * _WIDE
_KIND = 10 * _WIDE
_AHEAD_WAYS = _WAYS + 4 * _KIND
_ADDED_WAYS = _AHEAD_WAYS + 10 * _WIDE
_RESULTS = 55 * _WIDE
# What never changes: deltas, and the totals on which Player draws or stands.
_SAME = _WAYS + _RESULTS  # [2a = s] at 16a + s
_TURNED_SAME = _SAME + 10 * _WIDE  # [2k = t] at 32t + k
_EIGHT = _TURNED_SAME + 10 * _TURNED_WIDE  # 8·[s = t] at 16t + s
_NOBODY = _EIGHT + 10 * _WIDE  # 1 where nobody draws, at 16t + s
_DRAWS = _NOBODY + 10 * _WIDE  # 1 where Player draws
_STANDS = _DRAWS + _WIDE  # 1 where Player stands and Banker may draw
_HOT = _STANDS + _WIDE  # [k = s] at 16k + s, twice over
_SIZE = _HOT + 20 * _WIDE  # cards of the shoe
_NOTHING = _SIZE + 1  # 0
_PLAN = _SIZE + LANES  # what a table of play asks for, in whole numbers
FOUR_CARDS, BANKERS_THIRD, PLAYERS_THIRD, SIX_CARDS = range(4)  # Kinds of finish, as `totals` numbers them.

# The plan of a table of play: lists, each with its length before it.
_LIST = 12
_BLOCKS = _PLAN  # where the blocks of totals begin
_BITS = _BLOCKS + _LIST  # no list but Banker's totals as bits: at which anybody draws, those that draw where Player
# stands, and by Player's third card those that draw
_ORDER = _BITS + _LIST  # Player's third cards, those at which Banker draws to the same totals after each other
_JOIN = _ORDER + _LIST  # by Player's third card: Banker's totals that draw, but do not at the card before it
_LEAVE = _JOIN + 10 * _LIST  # and those that do not draw any more
_SIXES = _LEAVE + 10 * _LIST  # six cards: an index of `totals`, and three places of the result that are added
_CELLS = _SIXES + 4 * 100  # other finishes: how many there are, and for each an index and a place
SIZE = _CELLS + 2 * 300 + LANES
_NETS = SIZE  # what one unit gains, arranged as the results are, bet by bet; then a row of sums for each
_AT_ONCE = 10  # Vectors of a bet that are weighed in one go.

_intrinsic: Any = intrinsic  # Numba says nothing of its types.
_machine: Any = cgutils


class _Scribe:
    """Rows of the workspace while machine code is being written."""

    def __init__(self, context: Any, builder: Any, signature: Any, workspace: Any) -> None:
        self.builder = builder
        self._data = context.make_array(signature.args[0])(context, builder, workspace).data
        self._kind = ir.VectorType(self._data.type.pointee, LANES)

    def vector(self, place: Any, displacement: int = 0) -> LaneRow:
        """Eight numbers from here on."""
        return LaneRow(self.builder, self.builder.load(self._at(place, displacement), align=8))

    def number(self, place: Any, displacement: int = 0) -> LaneRow:
        """One number in all lanes."""
        at = self.builder.gep(self._data, [self._sum(place, displacement)])
        return LaneRow(self.builder, in_all_lanes(self.builder, self.builder.load(at), LANES))

    def store(self, row: LaneRow, place: Any, displacement: int = 0) -> None:
        self.builder.store(row.value, self._at(place, displacement), align=8)

    def times(self, number: Any, factor: int) -> Any:
        return self.builder.mul(number, ir.Constant(number.type, factor))

    def _at(self, place: Any, displacement: int) -> Any:
        at = self.builder.gep(self._data, [self._sum(place, displacement)])
        return self.builder.bitcast(at, self._kind.as_pointer())

    def _sum(self, place: Any, displacement: int) -> Any:
        return self.builder.add(place, ir.Constant(place.type, displacement))


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


def _changed(w: _Scribe, x: Any, t: Any, s: Any) -> LaneRow:
    """D[x, s, t]: what a card of x points changes in Q[s, t]."""
    b = w.builder
    own, back = b.add(w.times(x, _WIDE), s), b.sub(s, x)
    same = w.vector(b.add(back, w.times(t, _TURNED_WIDE)), _TURNED_SAME + 10)
    ut = w.vector(b.sub(back, t), _TURNED_COUNTS + 20) - same
    us = w.vector(b.add(s, w.times(b.sub(t, x), _WIDE)), _PARTNERS + 10 * _WIDE)
    vs, vt = w.vector(own, _PARTNERS), w.number(b.add(w.times(x, _WIDE), t), _PARTNERS)
    e = w.vector(b.add(w.times(t, _WIDE), s), _TWICE)
    return vs * (ut * 4 + (vt * 8 - w.number(t, _HAND) * 2)) + vt * (us * 4 - e)


def _written(code: Callable[..., None]) -> Any:
    """An operation of Numba whose code is written by `code(scribe, numbers…)`."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code(_Scribe(context, builder, signature, arguments[0]), *arguments[1:])
        return context.get_dummy_value()

    return write


class _Third:
    """A first third card of x points while its machine code is being written, for Player's totals from s on. What
    does not depend on Banker's total is loaded once."""

    def __init__(self, w: _Scribe, x: Any, s: Any, lists: Any) -> None:
        self._w, self._b, self._x, self._s = w, w.builder, x, s
        self._lists = lists  # Banker's totals, as bits: all that matter, those that draw after Player stood, or do too.
        self._p, self._row = self._b.add(s, x), w.times(x, _WIDE)
        own = self._b.add(self._row, s)
        self._count, self._draws, self._partners = w.number(x, _COUNTS), w.vector(s, _DRAWS), w.vector(own, _PARTNERS)
        self._eight_shared, self._drawn = w.vector(own, _SHARED) * 8, w.vector(own, _DRAWN)
        self._hand_beside = w.vector(own, _HAND_BESIDE)
        self._fourfold = self._count * self._draws * -4
        self._product = w.vector(self._b.sub(s, x), _COUNTS + 10) * self._fourfold
        self._equal = _machine.alloca_once_value(self._b, self._count.zero().value)

    def write(self) -> None:
        for t in range(10):
            with self._b.if_then(self._is_in(0, t)):
                self._total(t)
        self._into(self._p, _AHEAD, LaneRow(self._b, self._b.load(self._equal)) * self._fourfold)

    def _is_in(self, which: int, t: int) -> Any:
        bits = self._lists[which]
        return self._b.icmp_signed("!=", self._b.and_(bits, ir.Constant(bits.type, 1 << t)), ir.Constant(bits.type, 0))

    def _into(self, place: Any, displacement: int, row: LaneRow) -> None:
        self._w.store(self._w.vector(place, displacement) + row, place, displacement)

    def _modulo(self, number: Any, modulus: int, wide: int) -> Any:
        return self._w.times(self._b.urem(number, ir.Constant(number.type, modulus)), wide)

    def _less(self, number: int, times: int = 1) -> Any:
        """A number less x, or less a multiple of it."""
        return self._b.sub(ir.Constant(self._x.type, number), self._w.times(self._x, times))

    def _total(self, t: int) -> None:
        """Banker has t: n[x]·D[x, s, t], and n[x] times Q without the card."""
        w, b, count = self._w, self._b, self._count
        back = b.sub(self._s, self._x)
        turned, same = w.vector(back, _TURNED_COUNTS + 20 - t), w.vector(back, _TURNED_SAME + _TURNED_WIDE * t + 10)
        us, vt = w.vector(b.sub(self._s, self._row), _PARTNERS + _WIDE * (10 + t)), w.number(self._row, _PARTNERS + t)
        ahead = (turned - same) * 4 + w.number(self._row, _LESS_HAND + t)
        change = (self._partners * ahead + vt * (us * 4 - w.vector(self._s, _TWICE + _WIDE * t))) * count
        without = count * w.vector(self._s, _TWO + _WIDE * t) + change
        alike = self._modulo(b.add(self._x, ir.Constant(self._x.type, t)), 10, LANES)
        w.store(change, alike, _CHANGE + 10 * LANES * t)
        with b.if_then(self._is_in(1, t)):
            self._into(alike, _STANDING, without)
        with b.if_else(self._is_in(2, t)) as (then, otherwise):
            with then:
                self._into(self._p, _FIRST + _LONG * t, without * self._draws)
                self._few(t, without + change + self._eight_shared * vt, turned, same)
            with otherwise:
                self._into(self._p, _PLAYERS + _LONG * t, without * self._draws)

    def _few(self, t: int, fewer: LaneRow, turned: LaneRow, same: LaneRow) -> None:
        """Banker draws to t too: what both cards change for a few y only, and that there is one fewer of x."""
        w, b, p = self._w, self._b, self._p
        of_difference, eight = w.number(self._less(t), _COUNTS + 10), w.vector(self._s, _EIGHT + _WIDE * t)
        # One fewer of x: -n[x]·Q'' for y = x.
        place = b.add(self._modulo(b.add(self._x, ir.Constant(self._x.type, t)), 10, _LONG), p)
        self._into(place, _BOTH, (eight * (self._count * of_difference) - fewer) * self._draws)
        # y = t - x.
        beside = w.vector(b.sub(self._s, self._row), _BESIDE + _WIDE * (10 + t)) + self._hand_beside + eight * 2
        place = b.add(self._modulo(self._less(2 * t + 10), 10, _LONG), p)
        self._into(place, _BOTH, beside * (w.number(self._row, _SHARED + t) * self._draws))
        # y = s - x.
        beside = same * 12 + w.number(self._row, _HAND_BESIDE + t) - turned * 8
        self._into(b.add(self._modulo(self._less(t + 20, 2), 10, _LONG), p), _AHEAD, beside * self._drawn)
        # y = x + t - s.
        place = b.add(self._modulo(b.add(self._x, ir.Constant(self._x.type, t)), 5, _LONG), p)
        self._into(place, _ADDED, turned * self._product)
        # y = x + s - t.
        equal = LaneRow(b, b.load(self._equal)) + w.vector(p, _COUNTS + 10 - t) * of_difference
        b.store(equal.value, self._equal)


@_intrinsic
def _add_third(_, w, x, s, totals, bankers, too):  # type: ignore[no-untyped-def]
    """All that depends on one third card of x points."""

    def code(w: _Scribe, x: Any, s: Any, *lists: Any) -> None:
        _Third(w, x, s, lists).write()

    return types.void(w, x, s, totals, bankers, too), _written(code)


@_intrinsic
def _take_out(_, w, x, t, s):  # type: ignore[no-untyped-def]
    """Q without a card of x points in the place of Q."""

    def code(w: _Scribe, x: Any, t: Any, s: Any) -> None:
        cell = w.builder.add(w.times(t, _WIDE), s)
        w.store(w.vector(cell, _TWO) + _changed(w, x, t, s), cell, _TWO)

    return types.void(w, x, t, s), _written(code)


@_intrinsic
def _add_both(_, w, x, s, mask):  # type: ignore[no-untyped-def]
    """Player draws x, Banker draws any y to each t of the mask: what y changes, and what both change for all y. The
    ten sums by Banker's last points stay in registers."""

    def code(w: _Scribe, x: Any, s: Any, mask: Any) -> None:
        b, zero = w.builder, ir.Constant(x.type, 0)
        own, row = b.add(w.times(x, _WIDE), s), w.times(x, _WIDE)
        rows = [w.vector(s, _SHARED + _WIDE * y) for y in range(10)]
        count, four = w.number(x, _COUNTS), w.vector(own, _FOUR)
        sums = []
        for total in range(10):
            begun = count * w.vector(zero, _BANKERS + LANES * total) + four * w.number(zero, _REACHED + total)
            sums.append(_machine.alloca_once_value(b, begun.value))
        for t in range(10):
            is_set = b.and_(mask, ir.Constant(mask.type, 1 << t))
            with b.if_then(b.icmp_signed("!=", is_set, ir.Constant(mask.type, 0))):
                other = w.number(row, _FOUR + t)
                for y in range(10):
                    place = sums[(t + y) % 10]
                    b.store((LaneRow(b, b.load(place)) + other * rows[y]).value, place)
        draws, p = w.vector(s, _DRAWS), b.add(s, x)
        for total in range(10):
            into = w.vector(p, _BOTH + _LONG * total)
            w.store(into + LaneRow(b, b.load(sums[total])) * draws, p, _BOTH + _LONG * total)

    return types.void(w, x, s, mask), _written(code)


@_intrinsic
def _put_six(_, w, total, mask):  # type: ignore[no-untyped-def]
    """All ways of six cards that do not lie on a diagonal: those of both cards, with tens taken away, and Banker's
    third card as if Player's were still in the shoe."""

    def code(w: _Scribe, total: Any, mask: Any) -> None:
        b, row, zero = w.builder, w.times(total, _LONG), ir.Constant(total.type, 0)
        halves = [w.vector(row, _BOTH + p) + w.vector(row, _BOTH + 10 + p) for p in range(0, _WIDE, LANES)]
        sums = [_machine.alloca_once_value(b, half.value) for half in halves]
        for t in range(10):
            is_set = b.and_(mask, ir.Constant(mask.type, 1 << t))
            with b.if_then(b.icmp_signed("!=", is_set, ir.Constant(mask.type, 0))):
                count = w.number(total, _COUNTS + 10 - t)
                for i, place in enumerate(sums):
                    more = w.vector(zero, _FOLDED + _WIDE * t + LANES * i) * count
                    b.store((LaneRow(b, b.load(place)) + more).value, place)
        for i, place in enumerate(sums):
            w.store(LaneRow(b, b.load(place)), w.times(total, _WIDE), _WAYS + SIX_CARDS * _KIND + LANES * i)

    return types.void(w, total, mask), _written(code)


@_intrinsic
def _weigh(_, w, ways, nets, sums):  # type: ignore[no-untyped-def]
    """Some ways times what a bet gains by them, added to its sums; two of these take turns, so that none is waited
    for."""

    def code(w: _Scribe, ways: Any, nets: Any, sums: Any) -> None:
        total, other = w.vector(sums), w.vector(ways) * w.vector(nets)
        for i in range(1, _AT_ONCE):
            total, other = other, total + w.vector(ways, LANES * i) * w.vector(nets, LANES * i)
        w.store(total + other, sums)

    return types.void(w, ways, nets, sums), _written(code)


_copy = rowwise(lambda _, a: a)
_clear = rowwise(lambda d: d.zero())
_sum = rowwise(lambda _, a, b: a + b)
_less = rowwise(lambda _, a, b: a - b)
_add = rowwise(lambda d, a: d + a)
_subtract = rowwise(lambda d, a: d - a)
_product = rowwise(lambda _, a, b: a * b)
_four_products = rowwise(lambda _, a, b: a * b * 4)
_scaled_product = rowwise(lambda _, a, b, c: a * b * c)
_scaled_sum = rowwise(lambda _, a, b, c: (a + b) * c)
_add_product = rowwise(lambda d, a, b: d + a * b)
_add_scaled_product = rowwise(lambda d, a, b, c: d + a * b * c)
_subtract_product = rowwise(lambda d, a, b: d - a * b)
_less_twice = rowwise(lambda e, v: e - v * 2)
_twice_and = rowwise(lambda _, e, eight: e * 2 + eight)
_eight_less_twice = rowwise(lambda _, u, e: u * 8 - e * 2)
_put_beside = rowwise(lambda _, same, u: same * 4 - u * 8)
_add_reached = rowwise(lambda d, n, turned, same: d + n * (turned - same))
_subtract_reached = rowwise(lambda d, n, turned, same: d - n * (turned - same))


@cached_njit
def _put_counts(w: Any, counts: Integers) -> None:
    """Counts, and the partners of all cards by them."""
    for points in range(10):
        _put_count(w, points, counts[points])
    for a in range(10):
        for s in range(0, _WIDE, LANES):
            here = _PARTNERS + _WIDE * a + s
            _less(w, here, (_COUNTS + 10 - a + s, _SAME + _WIDE * a + s), ())
            _copy(w, here + 10 * _WIDE, (here,), ())


@cached_njit
def _put_count(w: Any, points: int, count: int) -> None:
    for ten in range(0, 10 * _TENS, 10):
        w[_COUNTS + ten + points] = count
    for ten in range(0, 10 * _TENS, 10):
        w[_TURNED_COUNTS + ten + (10 - points if points else 0)] = count


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
    _put_twice(w)


@cached_njit
def _put_twice(w: Any) -> None:
    for t in range(10):
        for s in range(0, _WIDE, LANES):
            _twice_and(w, _TWICE + _WIDE * t + s, (_HAND + s, _EIGHT + _WIDE * t + s), ())


@cached_njit
def _take_card(w: Any, x: int) -> None:
    """The shoe without a card of x points."""
    for t in range(10):
        for s in range(0, _WIDE, LANES):
            _take_out(w, x, t, s)
    for s in range(0, _WIDE, LANES):
        _less_twice(w, _HAND + s, (_PARTNERS + _WIDE * x + s,), ())
    _put_twice(w)
    for a in range(10):
        for s in range(0, _WIDE, LANES):
            here = _PARTNERS + _WIDE * a + s
            _less(w, here, (here, _HOT + _WIDE * (a + x) + s), ())
            _copy(w, here + 10 * _WIDE, (here,), ())
    _put_count(w, x, w[_COUNTS + x] - 1)


@cached_njit
def _put_rows(w: Any, lanes: int) -> None:
    """Rows by card and total that are read many times."""
    for a in range(10):
        for s in range(0, lanes, LANES):
            row = _WIDE * a + s
            _product(w, _SHARED + row, (_PARTNERS + row,), (_COUNTS + a,))
            _product(w, _DRAWN + row, (_SHARED + row, _DRAWS + s), ())
            _four_products(w, _FOUR + row, (_PARTNERS + row,), (_COUNTS + a,))
            _put_beside(w, _BESIDE + row, (_SAME + row, _PARTNERS + row), ())
            _copy(w, _BESIDE + 10 * _WIDE + row, (_BESIDE + row,), ())
            _twice_and(w, _HAND_BESIDE + row, (_HAND + s, _BESIDE + row), ())
            _eight_less_twice(w, _LESS_HAND + row, (_PARTNERS + row, _HAND + s), ())


@cached_njit
def _join(w: Any, t: int) -> None:
    """Banker draws to this total too: what y changes there, and the hands that a card y makes."""
    for b in range(10):
        _add(w, _BANKERS + LANES * b, (_CHANGE + LANES * (10 * t + b),), ())
    for b in range(0, _WIDE, LANES):
        rows = (_COUNTS + 10 - t + b, _TURNED_COUNTS + 20 - 2 * t + b, _TURNED_SAME + _TURNED_WIDE * t + 10 - t + b)
        _add_reached(w, _REACHED + b, rows, ())


@cached_njit
def _leave(w: Any, t: int) -> None:
    """Banker does not draw to this total any more."""
    for b in range(10):
        _subtract(w, _BANKERS + LANES * b, (_CHANGE + LANES * (10 * t + b),), ())
    for b in range(0, _WIDE, LANES):
        rows = (_COUNTS + 10 - t + b, _TURNED_COUNTS + 20 - 2 * t + b, _TURNED_SAME + _TURNED_WIDE * t + 10 - t + b)
        _subtract_reached(w, _REACHED + b, rows, ())


@cached_njit
def _add_six(w: Any, plan: Any, s: int) -> None:
    """What both third cards change, for Player's totals from s on."""
    for i in range(_REACHED, _STANDING, LANES):
        _clear(w, i, (), ())
    for i in range(plan[_ORDER]):
        x = plan[_ORDER + 1 + i]
        for j in range(plan[_JOIN + _LIST * x]):
            _join(w, plan[_JOIN + _LIST * x + 1 + j])
        for j in range(plan[_LEAVE + _LIST * x]):
            _leave(w, plan[_LEAVE + _LIST * x + 1 + j])
        _add_both(w, x, s, plan[_BITS + 2 + x])


@cached_njit
def _fill(w: Any) -> None:
    """All ways of a workspace whose closed form is there."""
    plan = w.view(np.int64)
    size = w[_COUNTS] - w[_COUNTS]
    for a in range(10):
        size += w[_COUNTS + a]
    w[_SIZE] = size
    for i in range(_FIRST, _FOLDED, LANES):
        _clear(w, i, (), ())
    _put_rows(w, LANES * plan[_BLOCKS])
    for block in range(plan[_BLOCKS]):
        s = plan[_BLOCKS + 1 + block]
        for i in range(_STANDING, _FIRST, LANES):
            _clear(w, i, (), ())
        for x in range(10):
            _add_third(w, x, s, plan[_BITS], plan[_BITS + 1], plan[_BITS + 2 + x])
        _add_six(w, plan, s)
        w[_ONE] = size - 5
        for b in range(10):
            here = _WAYS + BANKERS_THIRD * _KIND + _WIDE * b + s
            _scaled_product(w, here, (_STANDING + LANES * b, _STANDS + s), (_ONE,))
    w[_ONE] = size - 5
    for b in range(10):
        for p in range(0, _WIDE, LANES):
            row, long = _WIDE * b + p, _LONG * b + p
            _scaled_sum(w, _WAYS + PLAYERS_THIRD * _KIND + row, (_PLAYERS + long, _PLAYERS + long + 10), (_ONE,))
            _sum(w, _FOLDED + row, (_FIRST + long, _FIRST + long + 10), ())
            _sum(w, _AHEAD_WAYS + row, (_AHEAD + long, _AHEAD + long + 10), ())
    for c in range(5):
        for p in range(0, _WIDE, LANES):
            long = _ADDED + _LONG * c + p
            _sum(w, _ADDED_WAYS + _WIDE * c + p, (long, long + 10), ())
    w[_ONE] = (size - 4) * (size - 5)
    for b in range(10):
        for p in range(0, _WIDE, LANES):
            row = _WIDE * b + p
            _scaled_product(w, _WAYS + row, (_TWO + row, _NOBODY + row), (_ONE,))
        _put_six(w, b, plan[_BITS])


NEW, SAME = -1, -2  # Which shoe is computed: one from its counts, or again the last one.


@cached_njit
def _count_ways(w: Any, counts: Integers, seen: int) -> None:
    """The ways of the shoe with these counts (`NEW`), or of the shoe that was computed last in this workspace: as it
    was (`SAME`), or without a card of `seen` points."""
    if seen == NEW:
        _put_counts(w, counts)
        _closed_form(w)
    elif seen != SAME:
        _take_card(w, seen)
    _fill(w)


@cached_njit
def one_histogram(w: Any, counts: Integers, seen: int, histogram: Integers) -> None:
    """The ways of a shoe by `totals`."""
    _count_ways(w, counts, seen)
    places = w.view(np.uint64)  # A number with a sign might mean a place from the end, and would be asked for it.
    for i in range(TOTALS):
        histogram[i] = 0
    for i in range(_SIXES, _CELLS, 4):
        ways = w[places[i + 1]] + w[places[i + 2]] + w[places[i + 3]]
        histogram[places[i]] = int(ways)
    for i in range(places[_CELLS]):
        histogram[places[_CELLS + 1 + 2 * i]] = int(w[places[_CELLS + 2 + 2 * i]])


@cached_njit
def one_weighing(w: Any, counts: Integers, seen: int, expectations: Floats) -> None:
    """The ways of a shoe, times the nets that stand in the workspace, for one of all draws."""
    _count_ways(w, counts, seen)
    draws, bets = 1.0, len(expectations)
    for taken in range(6):
        draws *= w[_SIZE] - taken
    sums = _NETS + bets * _RESULTS
    for bet in range(bets):
        _clear(w, sums + LANES * bet, (), ())
    for part in range(0, _RESULTS, LANES * _AT_ONCE):
        for bet in range(bets):
            _weigh(w, _WAYS + part, _NETS + bet * _RESULTS + part, sums + LANES * bet)
    for bet in range(bets):
        total = 0.0
        for lane in range(LANES):
            total += w[sums + LANES * bet + lane]
        expectations[bet] = total / draws


_WHOLE = np.dtype(np.int64)  # Made once, because a type is made into one each time.


class OneShoe:
    """The kernel and its workspace, for one table of play and one kind of number."""

    def __init__(self, play: Play, kind: type[np.float64 | np.int64], nets: Floats | None = None) -> None:
        """`nets` are what one unit of some bets gains by `totals`, a row for each; only floating-point numbers are
        weighed with them."""
        self._bets = 0 if nets is None or kind is not np.float64 else len(nets)
        self.can_weigh = self._bets > 0
        """Whether it knows `expectations_of`."""
        self._workspace = _workspace(play, kind, self._bets)
        self._none = np.zeros(10, np.int64)
        if nets is not None and self._bets:
            arranged = _arranged(nets)
            self._workspace[_NETS : _NETS + arranged.size] = arranged.ravel()

    def of(self, points: Integers) -> Integers:
        """Ordered draws by `totals`, from counts of the cards of 0 to 9 points."""
        histogram = np.empty(TOTALS, _WHOLE)
        one_histogram(self._workspace, points, NEW, histogram)
        return histogram

    def without(self, points: int) -> Integers:
        """The same for the shoe that was asked for last without one card of these points, which must be there; or for
        that shoe again (`SAME`)."""
        histogram = np.empty(TOTALS, _WHOLE)
        one_histogram(self._workspace, self._none, points, histogram)
        return histogram

    def expectations_of(self, points: Integers) -> Floats:
        """What one unit gains on average, for each row of nets, as `of` has the draws."""
        expectations = np.empty(self._bets)
        one_weighing(self._workspace, points, NEW, expectations)
        return expectations

    def expectations_without(self, points: int) -> Floats:
        """The same as `without` has the draws."""
        expectations = np.empty(self._bets)
        one_weighing(self._workspace, self._none, points, expectations)
        return expectations


def _arranged(nets: Floats) -> Floats:
    """Nets by `totals` in the order of the results, bet by bet."""
    by_kind = nets.reshape(-1, 10, 10, 4).transpose(0, 3, 2, 1)  # Bet, kind of finish, Banker, Player.
    arranged, points = np.zeros((len(nets), _RESULTS // _WIDE, _WIDE)), np.arange(10)
    arranged[:, :40, :10] = by_kind.reshape(-1, 40, 10)
    for ahead in range(10):
        arranged[:, 40 + ahead, :10] = by_kind[:, SIX_CARDS, (points + ahead) % 10, points]
    for added in range(5):
        arranged[:, 50 + added, :10] = by_kind[:, SIX_CARDS, (2 * added - points) % 10, points]
    return arranged


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
    draw_too = [[t for t in asked if play.banker_draws[third][t]] for third in range(STOOD)]
    order = sorted(range(STOOD), key=draw_too.__getitem__)
    before = {third: draw_too[last] for last, third in pairwise(order)}
    lists = [[0] if is_one_block else [0, LANES], [], order]
    lists += [[t for t in draw_too[third] if t not in before.get(third, ())] for third in range(STOOD)]
    lists += [[t for t in before.get(third, ()) if t not in draw_too[third]] for third in range(STOOD)]
    plan = np.zeros(SIZE - _PLAN, np.int64)
    for i, one in enumerate(lists):
        plan[_LIST * i : _LIST * i + len(one) + 1] = len(one), *one
    bits = [sum(1 << t for t in totals) for totals in ({*asked, *bankers}, bankers, *draw_too)]
    plan[_BITS - _PLAN : _ORDER - _PLAN] = bits
    cells = sorted({totals.index for _, _, totals in play.finishes()})
    sixes, others = [], []
    for cell in cells:
        p, b, kind = cell // 40, cell // 4 % 10, cell % 4
        place = _WAYS + kind * _KIND + _WIDE * b + p
        if kind == SIX_CARDS:
            added = _ADDED_WAYS + _WIDE * ((p + b) // 2 % 5) + p if (p + b) % 2 == 0 else _NOTHING
            sixes += [cell, place, _AHEAD_WAYS + _WIDE * ((b - p) % 10) + p, added]
        else:
            others += [cell, place]
    sixes += [0, _NOTHING, _NOTHING, _NOTHING] * (100 - len(sixes) // 4)  # Of those that nothing leads to.
    plan[_SIXES - _PLAN : _CELLS - _PLAN] = sixes
    plan[_CELLS - _PLAN : _CELLS - _PLAN + len(others) + 1] = len(others) // 2, *others
    return plan


def _workspace(play: Play, kind: type[np.float64 | np.int64], bets: int) -> NDArray[Any]:
    """Zeros and what never changes, beginning at a cache line: most vectors then lie in one line each."""
    w = cast("NDArray[Any]", room_for(SIZE + bets * (_RESULTS + LANES), kind))
    for a in range(10):
        w[_SAME + _WIDE * a + 2 * a % 10] = 1
        w[_EIGHT + _WIDE * a + a] = 8
        for k in range(_TURNED_WIDE):
            w[_TURNED_SAME + _TURNED_WIDE * a + k] = 2 * k % 10 == a
    for j in range(20):
        w[_HOT + _WIDE * j + j % 10] = 1
    for s in range(10):
        w[_DRAWS + s] = any(play.player_draws[10 * s : 10 * s + 10])
        w[_STANDS + s] = not w[_DRAWS + s] and any(play.brings_card(s, t) for t in range(10))
        for t in range(10):
            w[_NOBODY + _WIDE * t + s] = not play.player_draws[10 * s + t] and not play.brings_card(s, t)
    w.view(np.int64)[_PLAN:SIZE] = _plan(play)
    return w
