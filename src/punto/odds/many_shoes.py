"""The histograms of very many shoes, side by side: the closed form of `ordered_draws` with both third cards taken out
at once. What one card changes and what two change together are kept apart, because nearly all of it is the same for
many third cards; docs/internals/exact-odds.md derives it. `one_shoe` has the histogram of one.

Every step works on rows, a number of each shoe. Which rows are combined depends on the table of play only, so all of it
is listed beforehand, as the formulas are written, and the compiled code goes through the lists.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from punto.odds.machine_row import LANES, LaneRow, Scribe, cached_in_threads, cached_njit, in_all_lanes, room_for
from punto.rules.outcome import TOTALS
from punto.rules.table_of_play import Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Steps = tuple[NDArray[np.int32], ...]

# Rows of the workspace: the result first, then what it is computed from.
_COUNTS = TOTALS  # n[a]
_PARTNERS = _COUNTS + 10  # u[a, s] at 10a + s
_SHARED = _PARTNERS + 100  # U[a, s] = n[a]·u[a, s]
_SHARED_ALONG = _SHARED + 100  # the same at 10s + a
_PRODUCTS = _SHARED_ALONG + 100  # -4·n[x]·n[z-x] at 10x + z
_BESIDE = _PRODUCTS + 100  # Y[a, s] = n[a]·(E[s] - 8·u[a, s] + 4·[2a = s])
_HAND = _BESIDE + 100  # E[s]
_TWO = _HAND + 10  # Q[s, t] at 10s + t, s ≤ t
_CHANGE = _TWO + 100  # n[y]·D[y, s, t] at 100s + 10t + y, s ≤ t: what a card of y points changes in Q
_WITHOUT = _CHANGE + 1_000  # n[y]·(Q[s, t] + D[y, s, t]), likewise
_ALIKE = _WITHOUT + 1_000  # -n[y]·(Q[s, t] + 2·D[y, s, t] + 8·u[y, s]·u[y, t]), likewise
_FIRST = _ALIKE + 1_000  # at 10p + t: ways for Player's three cards and Banker's two, where Banker draws too
_REACHED = (
    _FIRST + 100
)  # at 10x + b: U[b-t, t] over the t at which Banker draws to a third card of x, the first like it
_GATHERED = _REACHED + 100  # at b: for one s, n[b-t]·D[b-t, s, t] over the t at which Banker draws
_ONE_TAIL = _GATHERED + 10  # ways for the sixth card of a round of five
_TWO_TAIL = _ONE_TAIL + 1  # ways for the last two cards of a round of four
_CONSTANTS = _TWO_TAIL + 1  # numbers that are the same for all shoes
_NUMBERS = (0, 1, -2, -4, -16)
_ZERO, _PLUS_ONE, _MINUS_TWO, _MINUS_FOUR, _MINUS_SIXTEEN = range(_CONSTANTS, _CONSTANTS + len(_NUMBERS))
ROWS = _CONSTANTS + len(_NUMBERS)

_FOUR_CARDS, _BANKERS_THIRD, _PLAYERS_THIRD, _SIX_CARDS = range(4)  # Kinds of finish, as `totals` numbers them.


_written: Any = cgutils  # Numba says nothing of the types of its helpers.


def rowwise(formula: Callable[..., Any], reads: int, results: int = 1) -> Any:
    """An operation `op(workspace, steps, i)`: step i names the rows that are written, then those that are read. The
    formula has the old value of the first, then what is read; all is read before anything is written."""

    @intrinsic
    def operation(_: Any, workspace: Any, steps: Any, i: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            w = Scribe(context, builder, signature, arguments[0])
            data = context.make_array(signature.args[1])(context, builder, arguments[1]).data
            width = reads + results
            first = builder.mul(arguments[2], ir.Constant(arguments[2].type, width))
            index = [builder.add(first, ir.Constant(first.type, j)) for j in range(width)]
            places = [builder.sext(builder.load(builder.gep(data, [at])), ir.IntType(64)) for at in index]
            values = formula(w.load(places[0]), *map(w.load, places[results:]))
            for place, value in zip(places, values if results > 1 else [values], strict=False):
                w.store(value, place)
            return context.get_dummy_value()

        return types.void(workspace, steps, i), write

    return operation


class _Points:
    """Sums by Banker's last points, held in registers while machine code is being written. In memory each would be
    fetched and put back for every term."""

    def __init__(self, w: Scribe, builder: Any, player: Any) -> None:
        self._w, self._builder = w, builder
        self._place = w.times(player, 40 * LANES)
        self._sums = [_written.alloca_once(builder, w.kind) for _ in range(10)]
        for b in range(10):
            builder.store(w.load(self._place, 4 * b + _SIX_CARDS).value, self._sums[b])

    def add(self, banker: int, first: LaneRow, second: LaneRow) -> None:
        """A product is added."""
        place = self._sums[banker % 10]
        total = LaneRow(self._builder, self._builder.load(place)) + first * second
        self._builder.store(total.value, place)

    def put_down(self) -> None:
        for b in range(10):
            self._w.store(LaneRow(self._builder, self._builder.load(self._sums[b])), self._place, 4 * b + _SIX_CARDS)


def _if_in(builder: Any, mask: Any, t: int) -> Any:
    """A piece of code for those whose mask has this bit."""
    is_set = builder.and_(mask, ir.Constant(mask.type, 1 << t))
    return builder.if_then(builder.icmp_signed("!=", is_set, ir.Constant(mask.type, 0)))


def _gathered(_: Any, workspace: Any, s: Any, mask: Any, sign: Any) -> Any:
    """What one card changes beside Player's s, by Banker's last points: added for each t of the mask, or taken away."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        w, (_, s, mask, _) = Scribe(context, builder, signature, arguments[0]), arguments
        zero = ir.Constant(s.type, 0)
        for t in range(10):
            with _if_in(builder, mask, t):
                is_lower = builder.icmp_signed("<", s, ir.Constant(s.type, t))
                lower, upper = w.times(s, 100 * LANES), w.times(s, 10 * LANES)
                lower = builder.add(lower, ir.Constant(s.type, 10 * t * LANES))
                upper = builder.add(upper, ir.Constant(s.type, 100 * t * LANES))
                change = builder.select(is_lower, lower, upper)
                for y in range(10):
                    row, more = _GATHERED + (t + y) % 10, w.load(change, _CHANGE + y)
                    gathered = w.load(zero, row)
                    w.store(gathered + more if sign.literal_value > 0 else gathered - more, zero, row)
        return context.get_dummy_value()

    return types.void(workspace, s, mask, sign), write


def _both(_: Any, workspace: Any, p: Any, s: Any, x: Any, mask: Any, reached: Any) -> Any:
    """The inner loop, written out: Player has s, draws x and comes to p; Banker draws any y to each t of the mask. What
    the second card changes, n[x]·n[y]·D[y, s, t], and most of what both change together, 4·(U[x, t]·U[y, s] +
    U[x, s]·U[y, t])."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        w, (_, p, s, x, mask, reached) = Scribe(context, builder, signature, arguments[0]), arguments
        sums, zero = _Points(w, builder, p), ir.Constant(p.type, 0)
        row_of_s, row_of_x = w.times(s, 10 * LANES), w.times(x, 10 * LANES)
        count, shared = w.load(w.times(x, LANES), _COUNTS), [w.load(row_of_s, _SHARED_ALONG + y) for y in range(10)]
        own = w.load(builder.add(row_of_x, w.times(s, LANES)), _SHARED) * 4
        for b in range(10):
            sums.add(b, own, w.load(w.times(reached, 10 * LANES), _REACHED + b))
            sums.add(b, count, w.load(zero, _GATHERED + b))
        for t in range(10):
            with _if_in(builder, mask, t):
                other = w.load(row_of_x, _SHARED + t) * 4
                for y in range(10):
                    sums.add(t + y, other, shared[y])
        sums.put_down()
        return context.get_dummy_value()

    return types.void(workspace, p, s, x, mask, reached), write


def _second_cards(_: Any, workspace: Any, p: Any) -> Any:
    """Banker's third card as if Player's were still in the shoe: n[y] for each way to have p points and t."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        w, p = Scribe(context, builder, signature, arguments[0]), arguments[1]
        sums, row, zero = _Points(w, builder, p), w.times(p, 10 * LANES), ir.Constant(p.type, 0)
        counts = [w.load(zero, _COUNTS + y) for y in range(10)]
        for t in range(10):
            ways = w.load(row, _FIRST + t)
            for y in range(10):
                sums.add(t + y, ways, counts[y])
        sums.put_down()
        return context.get_dummy_value()

    return types.void(workspace, p), write


def _weighed(_: Any, workspace: Any, cells: Any, nets: Any, first: Any, number: Any, sums: Any) -> Any:
    """Cells of the result, each times the net of its totals, for a number of bets from the first on: fewer than four
    would wait for each of their own sums. They are added in
    the order of the cells and rounded each time, as a loop over the numbers of one shoe would do it."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        w = Scribe(context, builder, signature, arguments[0])
        kind = ir.VectorType(ir.DoubleType(), LANES)
        of = [context.make_array(signature.args[i])(context, builder, arguments[i]) for i in (1, 2, 5)]
        listed, priced, summed = of
        bets = [builder.add(arguments[3], ir.Constant(arguments[3].type, k)) for k in range(number.literal_value)]
        places = [_written.alloca_once_value(builder, ir.Constant(kind, [0.0] * LANES)) for _ in bets]
        with _written.for_range(builder, _written.unpack_tuple(builder, listed.shape)[0]) as loop:
            cell = builder.load(builder.gep(listed.data, [loop.index]))
            ways = w.load(w.times(cell, LANES)).value
            if w.kind != kind:
                ways = builder.sitofp(ways, kind)
            for bet, place in zip(bets, places, strict=True):
                net = builder.load(builder.gep(priced.data, [builder.add(w.times(bet, TOTALS), cell)]))
                product = builder.fmul(ways, in_all_lanes(builder, net, LANES))
                builder.store(builder.fadd(builder.load(place), product), place)
        for bet, place in zip(bets, places, strict=True):
            target = builder.gep(summed.data, [w.times(bet, LANES)])
            builder.store(builder.load(place), builder.bitcast(target, kind.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(workspace, cells, nets, first, number, sums), write


def _literal(code: Callable[..., Any]) -> Any:
    """An operation of which some arguments are numbers that stand in the program."""
    return intrinsic(prefer_literal=True)(code)


_gather: Any = _literal(_gathered)
_add_both: Any = intrinsic(_both)
_add_second_cards: Any = intrinsic(_second_cards)
_weigh: Any = _literal(_weighed)


def _partner(_: LaneRow, count: LaneRow, others: LaneRow) -> tuple[LaneRow, ...]:
    """u, U twice, and the product of a card and a total, where the partner has other points."""
    both = count * others
    return others, both, both, both * -4


def _partner_alike(_: LaneRow, count: LaneRow) -> tuple[LaneRow, ...]:
    """The same where the partner has the same points: the card itself is none."""
    others = count - 1
    return others, count * others, count * others, count * count * -4


def _sum(rows: tuple[LaneRow, ...]) -> LaneRow:
    total = rows[0]
    for row in rows[1:]:
        total = total + row
    return total


def _sum_of_products(rows: tuple[LaneRow, ...]) -> LaneRow:
    total = rows[0] * rows[1]
    for first, second in zip(rows[2::2], rows[3::2], strict=True):
        total = total + first * second
    return total


def _changed(_: LaneRow, q: LaneRow, n: LaneRow, es: LaneRow, et: LaneRow, *partners: LaneRow) -> tuple[LaneRow, ...]:
    """What a card of y points changes in Q[s, t], where s is not t; the partners are u[y, s], u[y, t], u[s-y, t] and
    u[t-y, s]."""
    vs, vt, ut, us = partners
    own_s, own_t = n * vs, n * vt
    change = own_s * (ut * 4 - et * 2) + own_t * (us * 4 + vs * 8 - es * 2)
    without = n * q + change
    return change, without, own_s * vt * -8 - without - change


def _changed_alike(_: LaneRow, q: LaneRow, n: LaneRow, e: LaneRow, v: LaneRow, u: LaneRow) -> tuple[LaneRow, ...]:
    """The same, where s is t."""
    own = n * v
    change = own * (u * 8 + v * 8 - e * 4 - 8)
    without = n * q + change
    return change, without, own * v * -8 - without - change


_TERMS = 8  # Terms that are added in one step.

_partner_step = rowwise(_partner, 2, 4)
_partner_alike_step = rowwise(_partner_alike, 1, 4)
_size_step = rowwise(lambda _, *counts: (_sum(counts) - 5, (_sum(counts) - 4) * (_sum(counts) - 5)), 10, 2)
_hand_step = rowwise(lambda _, *shared: _sum(shared), 10)
_beside_step = rowwise(lambda _, n, e, u: n * (e - u * 8), 3)
_beside_alike_step = rowwise(lambda _, n, e, u: n * (e - u * 8 + 4), 3)
_two_step = rowwise(lambda _, es, et, *shared: es * et - _sum_of_products(shared) * 4, 22)
_two_alike_step = rowwise(lambda _, e, *shared: e * e + e * 2 - _sum_of_products(shared) * 4, 21)
_change_step = rowwise(_changed, 8, 3)
_change_alike_step = rowwise(_changed_alike, 5, 3)
_sum_step = rowwise(lambda _, factor, *rows: _sum(rows) * factor, _TERMS + 1)
_products_step = rowwise(lambda _, *rows: _sum_of_products(rows), 2 * _TERMS)
_more_products_step = rowwise(lambda d, *rows: d + _sum_of_products(rows), 2 * _TERMS)

# The lists of steps, in the order in which a histogram is computed.
_LISTS = (
    *("partners", "partners_alike", "size", "hands", "beside", "beside_alike", "two", "two_alike", "changes"),
    *("changes_alike", "sums", "products", "more_products"),
)


class _Steps:
    """The rows that are combined under a table of play: results first, then what is read. Indices of cards and totals
    are modulo ten."""

    def __init__(self, play: Play) -> None:
        self.lists: dict[str, list[tuple[int, ...]]] = {name: [] for name in _LISTS}
        self.hands: list[tuple[int, ...]] = []
        """Player's last points, the two cards' total, the third card; the totals, as bits, at which Banker draws, and
        the third card under which their sums stand; which of the totals join those of the hand before, and which leave
        them. The first hand of a total has none before."""
        self._sums: dict[int, list[int]] = {}  # Rows that are added, by the row that they make.
        self._products: dict[int, list[int]] = {}  # Pairs of rows whose products are added.
        ten = range(10)
        drawing = [divmod(hand, 10) for hand in range(100) if play.player_draws[hand]]
        stood = [(s, t) for s in ten for t in ten if (s, t) not in drawing and play.brings_card(s, t)]
        players, asked = sorted({s for s, _ in drawing}), sorted({t for _, t in drawing})
        # A natural of either hand ends the deal; else Player looks at its own total only.
        assert drawing == [(s, t) for s in players for t in asked]
        self._closed_form()
        for s, t in sorted({(min(hand), max(hand)) for hand in (*drawing, *stood)}):
            self._changes(s, t)
        for s, t in (hand for hand in product(ten, ten) if hand not in drawing and hand not in stood):
            self._add(_cell(s, t, _FOUR_CARDS), _pair(s, t))
        for (s, t), x in product(stood, ten):  # x is Banker's
            self._add(_cell(s, t + x, _BANKERS_THIRD), _with(_WITHOUT, s, t, x))
        reached, sets = dict[tuple[int, ...], int](), dict[int, tuple[int, int]]()
        for x in ten:
            draws = [t for t in asked if play.banker_draws[x][t]]
            for s, t in product(players, asked):
                if t in draws:
                    self._both(s, t, x)
                else:
                    self._add(_cell(s + x, t, _PLAYERS_THIRD), _with(_WITHOUT, s, t, x))
            if (sums := reached.setdefault(tuple(draws), x)) == x:
                for t, y in product(draws, ten):
                    self._add(_at(_REACHED, x, t + y), _at(_SHARED, y, t))
            sets[x] = sum(1 << t for t in draws), sums
        for s in players:
            before = 0
            for x in sorted(sets, key=sets.__getitem__):  # Those of one set after each other.
                mask, like = sets[x]
                self.hands.append(((s + x) % 10, s, x, mask, like, mask & ~before, before & ~mask))
                before = mask
        self._list_terms()

    def _put(self, name: str, *rows: int) -> None:
        self.lists[name].append(rows)

    def _add(self, total: int, row: int) -> None:
        self._sums.setdefault(total, []).append(row)

    def _add_product(self, total: int, *rows: int) -> None:
        self._products.setdefault(total, []).extend(rows)

    def _closed_form(self) -> None:
        """Partners, hands and pairs of hands of the full shoe, from its counts."""
        self._put("size", _ONE_TAIL, _TWO_TAIL, *range(_COUNTS, _COUNTS + 10))
        for s in range(10):
            self._put("hands", _HAND + s, *(_at(_SHARED, a, s) for a in range(10)))
            for a in range(10):
                results = (_at(_PARTNERS, a, s), _at(_SHARED, a, s), _at(_SHARED_ALONG, s, a), _at(_PRODUCTS, a, s))
                beside = (_at(_BESIDE, a, s), _COUNTS + a, _HAND + s, _at(_PARTNERS, a, s))
                if 2 * a % 10 == s:
                    self._put("partners_alike", *results, _COUNTS + a)
                    self._put("beside_alike", *beside)
                else:
                    self._put("partners", *results, _COUNTS + a, _COUNTS + (s - a) % 10)
                    self._put("beside", *beside)
            for t in range(s, 10):
                shared = [row for a in range(10) for row in (_at(_SHARED, a, s), _at(_PARTNERS, a, t))]
                if s == t:
                    self._put("two_alike", _pair(s, t), _HAND + s, *shared)
                else:
                    self._put("two", _pair(s, t), _HAND + s, _HAND + t, *shared)

    def _changes(self, s: int, t: int) -> None:
        """What a card of each number of points changes in Q[s, t]; and two cards of the same."""
        for y in range(10):
            changed = [_with(where, s, t, y) for where in (_CHANGE, _WITHOUT, _ALIKE)]
            v, ut, us = _at(_PARTNERS, y, s), _at(_PARTNERS, s - y, t), _at(_PARTNERS, t - y, s)
            if s == t:
                self._put("changes_alike", *changed, _pair(s, t), _COUNTS + y, _HAND + s, v, ut)
            else:
                rows = (_pair(s, t), _COUNTS + y, _HAND + s, _HAND + t, v, _at(_PARTNERS, y, t), ut, us)
                self._put("changes", *changed, *rows)

    def _both(self, s: int, t: int, x: int) -> None:
        """Player has s and draws x, Banker draws y to t: what is the same for each y, and what is so for some only."""
        p, n, m = s + x, _COUNTS, _PRODUCTS
        self._add(_at(_FIRST, p, t), _with(_WITHOUT, s, t, x))

        def add(y: int, *rows: int) -> None:
            self._add_product(_cell(p, t + y, _SIX_CARDS), *rows)

        add(x + s - t, _at(m, x, t), n + (x + s - t) % 10)
        add(x + t - s, _at(m, x, s), n + (x + t - s) % 10)
        for one, other in ((s, t), (t, s)):
            y = one - x
            add(y, n + x, _at(_BESIDE, y, other), n + y % 10, _at(_BESIDE, x, other))
        # There is one fewer of the card that was drawn.
        add(x, _with(_ALIKE, s, t, x), _PLUS_ONE)
        for one, other in ((s, t), (t, s)):
            if one == 2 * x % 10:
                add(x, _at(_BESIDE, x, other), _MINUS_TWO)
        if s == t:
            add(s - x, _at(m, x, s), _MINUS_FOUR)
            add(x, _at(m, x, s), _MINUS_TWO)
            if s == 2 * x % 10:
                add(x, n + x, _MINUS_SIXTEEN)

    def _list_terms(self) -> None:
        """Sums in steps of a few terms each."""
        for total, rows in self._sums.items():
            kind, factor = total % 4, _PLUS_ONE
            if total < TOTALS:
                factor = _TWO_TAIL if kind == _FOUR_CARDS else _ONE_TAIL
            while len(rows) > _TERMS:
                self._put("sums", total, _PLUS_ONE, *rows[:_TERMS])
                rows = [total, *rows[_TERMS:]]
            self._put("sums", total, factor, *rows, *[_ZERO] * (_TERMS - len(rows)))
        # The next terms of a sum come after those of all others, so that no step has to wait for the one before it.
        for first in range(0, max(map(len, self._products.values()), default=1), 2 * _TERMS):
            for cell in (_cell(p, b, _SIX_CARDS) for p in range(10) for b in range(10)):
                terms = self._products.get(cell, [])[first : first + 2 * _TERMS]
                if terms or not first:
                    terms += [_ZERO] * (2 * _TERMS - len(terms))
                    self._put("more_products" if first else "products", cell, *terms)


def _at(rows: int, first: int, second: int) -> int:
    return rows + 10 * (first % 10) + second % 10


def _pair(s: int, t: int) -> int:
    return _at(_TWO, min(s, t), max(s, t))


def _with(rows: int, s: int, t: int, card: int) -> int:
    """The row of two totals and a card."""
    return rows + 100 * min(s, t) + 10 * max(s, t) + card


def _cell(player: int, banker: int, kind: int) -> int:
    return 40 * (player % 10) + 4 * (banker % 10) + kind


@cached_njit
def _fill(steps: Any, hands: Integers, w: Any) -> None:
    """The histogram of the counts in a workspace, into its first rows."""
    partners, partners_alike, size, sums_of_hands, beside, beside_alike, two, two_alike, changes = steps[:9]
    changes_alike, sums, products, more_products = steps[9:]
    for i in range(len(partners)):
        _partner_step(w, partners, i)
    for i in range(len(partners_alike)):
        _partner_alike_step(w, partners_alike, i)
    for i in range(len(size)):
        _size_step(w, size, i)
    for i in range(len(sums_of_hands)):
        _hand_step(w, sums_of_hands, i)
    for i in range(len(beside)):
        _beside_step(w, beside, i)
    for i in range(len(beside_alike)):
        _beside_alike_step(w, beside_alike, i)
    for i in range(len(two)):
        _two_step(w, two, i)
    for i in range(len(two_alike)):
        _two_alike_step(w, two_alike, i)
    for i in range(len(changes)):
        _change_step(w, changes, i)
    for i in range(len(changes_alike)):
        _change_alike_step(w, changes_alike, i)
    for i in range(len(sums)):
        _sum_step(w, sums, i)
    for i in range(len(products)):
        _products_step(w, products, i)
    for i in range(len(more_products)):
        _more_products_step(w, more_products, i)
    for i in range(len(hands)):
        if i == 0 or hands[i, 1] != hands[i - 1, 1]:
            for b in range(10 * LANES):
                w[_GATHERED * LANES + b] = 0
        if hands[i, 5]:
            _gather(w, hands[i, 1], hands[i, 5], 1)
        if hands[i, 6]:
            _gather(w, hands[i, 1], hands[i, 6], -1)
        _add_both(w, hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], hands[i, 4])
    for p in range(10):
        _add_second_cards(w, p)


# Plain loops from here on, where NumPy has a word for it: they compile in a fraction of the time.


@cached_njit
def many_histograms(plan: Any, cells: Integers, counts: Integers, w: Any, histograms: Any) -> None:
    """The histograms of many shoes, side by side in a workspace; `cells` can be filled."""
    for first in range(0, len(counts), LANES):
        shoes = _fill_side_by_side(plan, counts, w, first)
        for lane in range(shoes):
            for i in range(TOTALS):
                histograms[first + lane, i] = 0
            for j in range(len(cells)):
                histograms[first + lane, cells[j]] = w[cells[j] * LANES + lane]


@cached_in_threads
def many_sums(plan: Any, cells: Integers, counts: Integers, w: Any, nets: Any, passes: Integers, sums: Any) -> None:
    """Histograms of many shoes, each weighed by several rows of `nets` and summed."""
    lanes = np.empty((len(nets), LANES))
    for first in range(0, len(counts), LANES):
        shoes = _fill_side_by_side(plan, counts, w, first)
        k = 0
        for bets in passes:
            if bets == 4:
                _weigh(w, cells, nets, k, 4, lanes)
            elif bets == 5:
                _weigh(w, cells, nets, k, 5, lanes)
            else:
                _weigh(w, cells, nets, k, 6, lanes)
            k += bets
        for lane in range(shoes):
            for k in range(len(nets)):
                sums[first + lane, k] = lanes[k, lane]


@cached_njit
def _fill_side_by_side(plan: Any, counts: Integers, w: Any, first: int) -> int:
    """Histograms of as many shoes as there are lanes, or as are left; returns how many those are."""
    shoes = min(LANES, len(counts) - first)
    for lane in range(LANES):
        for a in range(10):
            w[(_COUNTS + a) * LANES + lane] = counts[first + min(lane, shoes - 1), a]
    _fill(plan[0], plan[1], w)
    return shoes


class ManyShoes:
    """The kernels, for one table of play."""

    def __init__(self, play: Play) -> None:
        steps = _Steps(play)
        lists = tuple(np.array(steps.lists[name], np.int32) * LANES for name in _LISTS)
        self._plan = lists, np.array(steps.hands, np.int64)
        self._cells = np.array(sorted({totals.index for _, _, totals in play.finishes()}))

    def histograms(self, counts: Integers, kind: type[np.float64 | np.int64]) -> NDArray[Any]:
        """Ordered draws by `totals`, a row for each shoe, from counts of its cards of 0 to 9 points."""
        histograms = np.empty((len(counts), TOTALS), kind)
        many_histograms(self._plan, self._cells, counts, _workspace(kind), histograms)
        return histograms

    def sums(
        self, counts: Integers, nets: NDArray[np.float64], kind: type[np.float64 | np.int64]
    ) -> NDArray[np.float64]:
        """The same, each weighed by rows of `nets`: a column for each."""
        passes = np.array(_passes(len(nets)), np.int64)
        padded = np.zeros((passes.sum(), TOTALS))
        padded[: len(nets)] = nets
        sums = np.empty((len(counts), len(padded)))
        many_sums(self._plan, self._cells, counts, _workspace(kind), padded, passes, sums)
        return sums[:, : len(nets)]


def _passes(bets: int) -> list[int]:
    """How many bets are weighed in each pass: together as many as there are, but three or seven, which are one more."""
    passes = list[int]()
    while (left := bets - sum(passes)) > 0:
        passes.append(left if left in (5, 6) else 6 if left > 9 and left != 13 else 4)
    return passes


def _workspace(kind: type[np.float64 | np.int64]) -> NDArray[Any]:
    w = room_for(ROWS * LANES, kind)
    w[_CONSTANTS * LANES :] = np.repeat(_NUMBERS, LANES)
    return cast("NDArray[Any]", w)
