"""Compiled kernels: the histogram of `totals` in microseconds, for one shoe or for many side by side.

The same closed form as `totals`, arranged so that taking a third card out costs a few operations. With n
counts, E and Q as in `two_cards`, and v[s] = u[x, s] the partners of a card of x points, taking it out
leaves

    E'[s]    = E[s] - 2·v[s]
    Q'[s, t] = Q[s, t] - 2·v[s]·(E[t] - 2·v[t] - 2·u[s-x, t])
                       - 2·v[t]·(E[s] - 2·v[s] - 2·u[t-x, s]) - 8·[s = t]·v[s]

All of it is arithmetic on whole rows of a workspace. A workspace of one dimension has one number to a row;
one of two dimensions has `LANES` numbers, one for each shoe, and then every operation is a vector
instruction. Compilers see that by themselves only where they can prove that rows do not overlap, which
looked-up rows defeat; so it is said outright. Rows of the result are declared apart from all others, and
what a formula reads can stay in registers.

Everything that goes into the machine code stands in this one file, because the compiler's store on disk
looks at the file's date to know whether its code is still good.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from punto.rules.facts import TOTALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

LANES = 16
"""Shoes side by side: two vector registers, and a workspace that stays in the nearest caches."""

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Machine code for a function, kept on disk where there is a place to keep it."""
    try:
        return cast(Function, numba.njit(cache=True)(function))
    except RuntimeError:  # neither this folder nor the user's cache folder can be written
        return cast(Function, numba.njit(function))


# ── Rows ────────────────────────────────────────────────────────────────────────────────────────────


class LaneRow:
    """A row while machine code is being written: operators write instructions."""

    def __init__(self, builder: Any, value: Any) -> None:
        self._builder, self._value = builder, value

    @property
    def value(self) -> Any:
        """The row as an LLVM value."""
        return self._value

    def zero(self) -> LaneRow:
        """A row of zeros; what was there before may be no number at all."""
        kind = self._value.type
        element = kind.element if isinstance(kind, ir.VectorType) else kind
        return LaneRow(self._builder, _constant(kind, element, 0))

    def __add__(self, other: LaneRow | int) -> LaneRow:
        return self._write("add", other)

    def __sub__(self, other: LaneRow | int) -> LaneRow:
        return self._write("sub", other)

    def __mul__(self, other: LaneRow | int) -> LaneRow:
        return self._write("mul", other)

    def _write(self, operation: str, other: LaneRow | int) -> LaneRow:
        kind = self._value.type
        element = kind.element if isinstance(kind, ir.VectorType) else kind
        right = other.value if isinstance(other, LaneRow) else _constant(kind, element, other)
        if isinstance(element, ir.IntType):
            return LaneRow(self._builder, getattr(self._builder, operation)(self._value, right))
        # All values are whole numbers: a product and a sum may be rounded once or twice, it changes nothing.
        write = getattr(self._builder, f"f{operation}")
        return LaneRow(self._builder, write(self._value, right, flags=("contract",)))


def _constant(kind: Any, element: Any, number: int) -> Any:
    value: float = number if isinstance(element, ir.IntType) else float(number)
    return ir.Constant(kind, [value] * kind.count if isinstance(kind, ir.VectorType) else value)


def rowwise(formula: Callable[..., LaneRow], *, is_result: bool = False) -> Any:
    """An operation `op(workspace, row, (rows…))` for compiled code: row = formula(row, rows…).

    `is_result`: the row belongs to the result, which the rows read by this operation never do.
    """

    @intrinsic
    def operation(_: Any, workspace: Any, row: Any, rows: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            element = array.data.type.pointee
            lanes = LANES if signature.args[0].ndim == 2 else 1
            kind = ir.VectorType(element, lanes) if lanes > 1 else element
            in_result = _result_scope(builder.module)

            def at(index: Any) -> Any:
                place = builder.mul(index, ir.Constant(index.type, lanes))
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


def _result_scope(module: Any) -> Any:
    domain = module.add_metadata(["punto rows"])
    return module.add_metadata([module.add_metadata(["result", domain])])


# ── The workspace ───────────────────────────────────────────────────────────────────────────────────

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
ENDED = 0  # nobody draws
DRAWN = 1  # somebody draws
STOOD = 2  # only Banker draws
STANDS = 3  # by Player's third card: Player draws, Banker stands
DRAWS = 13  # by Player's third card: both draw

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
    lambda d, both, q, et, es, vs, vt, ut, us: (
        d + both * (q + vs * ((vt * 2 + ut) * 4 - et) + vt * (us * 4 - es))
    ),
    is_result=True,
)
_subtract_same = rowwise(lambda d, both, v: d - both * v * 8, is_result=True)


@compiled
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


@compiled
def _hand(plan: Integers, kind: int, i: int) -> tuple[int, int, int]:
    """The i-th pair of totals of a list: 10 × Player's + Banker's, and each by itself."""
    return plan[kind, i + 1, 0], plan[kind, i + 1, 1], plan[kind, i + 1, 2]


@compiled
def _take_third_out(w: Any, plan: Integers, x: int) -> None:
    """One third card of x points leaves the shoe: Q' and E' for the hands it can come to, and the counts."""
    for s in range(10):
        _copy(w, _OUT + s, (_PARTNERS + 10 * x + s,))
        _twice_less(w, _TWICE_HAND + s, (_HAND + s, _OUT + s))
    for i in range(plan[DRAWN, 0, 0]):
        hand, s, t = _hand(plan, DRAWN, i)
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


@compiled
def _put_third_back(w: Any, x: int) -> None:
    _raise(w, _COUNTS + x, ())
    for a in range(20):
        _raise(w, _PARTNERS + 10 * a + _ADD[10 * (a % 10) + x], ())


@compiled
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


@compiled
def _fill(w: Any, plan: Integers) -> None:
    """The histogram of the counts in a workspace, into its first rows."""
    _closed_form(w)
    for i in range(plan[ENDED, 0, 0]):
        hand, s, t = _hand(plan, ENDED, i)
        _add_product(w, 40 * s + 4 * t, (_TWO + hand, _TWO_TAIL))
    for x in range(10):
        _take_third_out(w, plan, x)
        for i in range(plan[STOOD, 0, 0]):  # x is Banker's
            hand, s, t = _hand(plan, STOOD, i)
            _add_product(w, 40 * s + 4 * _ADD[10 * t + x] + 1, (_TWO_LEFT + hand, _ONE))
        for i in range(plan[STANDS + x, 0, 0]):
            hand, s, t = _hand(plan, STANDS + x, i)
            _add_product(w, 40 * _ADD[10 * s + x] + 4 * t + 2, (_TWO_LEFT + hand, _ONE))
        for i in range(plan[DRAWS + x, 0, 0]):
            _, s, t = _hand(plan, DRAWS + x, i)
            _both_drew(w, s, t, x)
        _put_third_back(w, x)
    for p in range(10):
        for b in range(10):
            _copy(w, 40 * p + 4 * b + 3, (_SIX + 20 * p + b,))
            _accumulate(w, 40 * p + 4 * b + 3, (_SIX + 20 * p + 10 + b,))


# Plain loops from here on, where NumPy has a word for it: they compile in a fraction of the time.


@compiled
def one_histogram(plan: Integers, counts: Integers, w: Any, histogram: Integers) -> None:
    """The histogram of one shoe, computed in a workspace of one dimension."""
    for a in range(10):
        w[_COUNTS + a] = counts[a]
    _fill(w, plan)
    for i in range(TOTALS):
        histogram[i] = int(w[i])


@compiled
def many_histograms(plan: Integers, cells: Integers, counts: Integers, w: Any, histograms: Any) -> None:
    """The histograms of many shoes, side by side in a workspace of two dimensions; `cells` can be filled."""
    for first in range(0, len(counts), LANES):
        shoes = _fill_side_by_side(plan, counts, w, first)
        for lane in range(shoes):
            for i in range(TOTALS):
                histograms[first + lane, i] = 0
            for j in range(len(cells)):
                histograms[first + lane, cells[j]] = w[cells[j], lane]


@compiled
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


@compiled
def _fill_side_by_side(plan: Integers, counts: Integers, w: Any, first: int) -> int:
    """Histograms of as many shoes as there are lanes, or as are left; returns how many those are."""
    shoes = min(LANES, len(counts) - first)
    for lane in range(LANES):
        for a in range(10):
            w[_COUNTS + a, lane] = counts[first + min(lane, shoes - 1), a]
    _fill(w, plan)
    return shoes
