"""One round in thirty-two shoes at once, as vector code: from the six draws to the facts and the shoe's end.

Drawing a card and removing it are one step. A draw r below the number of cards stands for a code: as many as
there are counts of "cards above" that r lies under; and exactly those counts lose one. A draw that no card
answers, because the table of play brings none, is set above every count: its code is 0 and nothing is
removed.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from punto.simulation.kernels import workspace as row
from punto.simulation.kernels.compiling import vector_code
from punto.simulation.kernels.play_masks import BANKER, NATURALS, PLAYER, STOOD_MASK
from punto.simulation.kernels.vector import Vector
from punto.simulation.kernels.workspace import COURTS, LANES, PAIR_CODES, RANKS

DEAL_LANES = 32
"""Lanes of one call: counts have 16 bits, and thirty-two of them make 512."""

NO_CARD = 0x7FFF
"""A draw above every count, and still positive."""


@vector_code
def deal_lanes(_context, work, lane, masks, after, most):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """A round in each of thirty-two lanes; gives the lanes whose shoe is then at its end."""
    return types.uint32(work, types.int64, masks, types.uint16, types.uint16), _code


def _code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    work = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    masks = context.make_array(signature.args[2])(context, builder, arguments[2]).data
    after, most = arguments[3], arguments[4]
    return DealtRound(Vector(builder, DEAL_LANES, 16), work, arguments[1], masks).code(after, most)


class DealtRound:
    """The code of one round."""

    def __init__(self, vector: Vector, work: Any, lane: Any, masks: Any) -> None:
        self.v, self.b = vector, vector.builder
        self._work, self._lane, self._masks = work, lane, masks
        self.counts = [self.load(row.ABOVE + i) for i in range(RANKS - 1)]
        self._sum = self.counts[0]
        for above in self.counts[1:]:
            self._sum = self.b.add(self._sum, above)

    def load(self, number: int) -> Any:
        return self.v.load(self._work, self._lane, number * LANES)

    def store(self, value: Any, number: int) -> None:
        self.v.store(value, self._work, self._lane, number * LANES)

    def mask(self, index: int) -> Any:
        """A row of the table of play: one bit for each points count."""
        return self.v.splat(self.b.load(self.b.gep(self._masks, [ir.Constant(ir.IntType(64), index)])))

    def take(self, draw: Any) -> Any:
        """The code of the card drawn; it is no longer in the shoe."""
        before, self._sum = self._sum, None
        for i, above in enumerate(self.counts):
            # The sign of the difference, spread over all bits, is -1 where the count lies above the draw.
            # A comparison would take longer, since its answer would have to be made a number first.
            less = self.b.ashr(self.b.sub(draw, above), self.v.const(15))
            self.counts[i] = self.b.add(above, less)
            self._sum = self.counts[i] if self._sum is None else self.b.add(self._sum, self.counts[i])
        return self.b.sub(before, self._sum)

    def points(self, code: Any) -> Any:
        courts = self.v.const(COURTS)
        return self.b.select(self.v.is_below(courts, code), self.b.sub(code, courts), self.v.const(0))

    def total(self, left: Any, right: Any) -> Any:
        """Points of both, without tens; below ten, taking ten away wraps round to something large."""
        points = self.b.add(left, right)
        return self.v.least(points, self.b.sub(points, self.v.const(10)))

    def code(self, after: Any, most: Any) -> Any:
        v, b = self.v, self.b
        zero, no_card = v.const(0), v.const(NO_CARD)
        first = [self.take(self.load(row.DRAW + i)) for i in range(4)]
        points = [self.points(code) for code in first]
        player, banker = self.total(points[0], points[2]), self.total(points[1], points[3])
        is_over = b.or_(v.bit(self.mask(NATURALS), player), v.bit(self.mask(NATURALS), banker))
        goes_on = b.not_(is_over)
        player_draws = b.and_(goes_on, v.bit(self.mask(PLAYER), player))
        only_banker = b.and_(b.and_(goes_on, b.not_(player_draws)), v.bit(self.mask(STOOD_MASK), banker))
        is_fifth = b.or_(player_draws, only_banker)
        fifth = self.take(b.select(is_fifth, self.load(row.DRAW + 4), no_card))
        third = self.points(fifth)
        rows = zero
        for points_of_third in range(10):
            is_it = v.is_equal(third, v.const(points_of_third))
            rows = b.select(is_it, self.mask(BANKER + points_of_third), rows)
        is_sixth = b.and_(player_draws, v.bit(rows, banker))
        sixth = self.take(b.select(is_sixth, self.load(row.DRAW + 5), no_card))
        for i, above in enumerate(self.counts):
            self.store(above, row.ABOVE + i)
        banker_draws = b.or_(is_sixth, only_banker)
        player = self.total(player, b.select(player_draws, third, zero))
        banker = self.total(banker, b.select(player_draws, self.points(sixth), third))
        self.facts(first, (fifth, sixth), (player, banker), (player_draws, banker_draws))
        return v.packed(self._end(is_fifth, is_sixth, after, most))

    def facts(self, first: Any, thirds: Any, points: Any, draws: Any) -> None:
        """Write down what happened: `totals`, pairs, and every card."""
        v, b = self.v, self.b
        player_draws, banker_draws = (v.number(mask) for mask in draws)
        cards = b.add(b.shl(player_draws, v.const(1)), banker_draws)
        totals = b.add(b.mul(points[0], v.const(40)), b.shl(points[1], v.const(2)))
        self.store(b.add(totals, cards), row.TOTALS_ROW)
        pairs = [
            b.select(v.is_equal(one, two), b.add(one, v.const(1)), v.const(0))
            for one, two in ((first[0], first[2]), (first[1], first[3]))
        ]
        self.store(b.add(b.mul(pairs[0], v.const(PAIR_CODES)), pairs[1]), row.PAIRS_ROW)
        four = first[0]
        for i, code in enumerate(first[1:], start=1):
            four = b.or_(four, b.shl(code, v.const(4 * i)))
        self.store(four, row.FOUR)
        drawn = b.or_(b.shl(player_draws, v.const(8)), b.shl(banker_draws, v.const(9)))
        self.store(b.or_(b.or_(thirds[0], b.shl(thirds[1], v.const(4))), drawn), row.THIRDS)

    def _end(self, is_fifth: Any, is_sixth: Any, after: Any, most: Any) -> Any:
        """Count the cards and rounds, and say where the last round is played."""
        v, b = self.v, self.b
        before, limit, number = self.load(row.UNSEEN), self.load(row.LIMIT), self.load(row.ROUND)
        cards = b.add(v.const(4), b.add(v.number(is_fifth), v.number(is_sixth)))
        unseen = b.sub(before, cards)
        past = b.add(self.load(row.PAST), v.number(b.not_(v.is_below(limit, before))))
        self.store(unseen, row.UNSEEN)
        self.store(past, row.PAST)
        self.store(b.add(number, v.const(1)), row.ROUND)
        is_cut_out = b.not_(v.is_below(limit, unseen))
        is_last = b.and_(is_cut_out, b.not_(v.is_below(past, v.splat(after))))
        is_short = v.is_below(unseen, self.load(row.FLOOR))
        is_enough = b.not_(v.is_below(number, v.splat(most)))
        return b.or_(b.or_(is_last, is_short), is_enough)
