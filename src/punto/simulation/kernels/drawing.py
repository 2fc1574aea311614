"""Drawing for many lanes at once: the generator of `philox` as vector code.

The lower part of a product is compared with the number of cards itself, not with 2^21 mod that number,
which a vector cannot divide out. That names every lane in which a draw must be rejected and some
more (one round in a thousand in all); those are drawn once more, exactly, by `philox.draw_six`.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from punto.simulation.kernels.compiling import vector_code
from punto.simulation.kernels.philox import CYCLES, MULTIPLIERS, WEYL, WORD_BITS, WORDS
from punto.simulation.kernels.vector import Vector
from punto.simulation.kernels.workspace import DRAW, LANES, ROUND, UNSEEN

DRAW_LANES = 16
"""Lanes of one call: the generator's words have 32 bits, and sixteen of them make 512."""


@vector_code
def draw_lanes(_context, work, shoes, lane, seed):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Six draws for sixteen lanes into the workspace; gives the lanes that may have to be drawn again."""
    return types.uint32(work, shoes, types.int64, types.uint64), _code


def _code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """`shoes` holds the lower halves of the lanes' shoe numbers, then the upper ones."""
    work = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    shoes = context.make_array(signature.args[1])(context, builder, arguments[1]).data
    lane, seed = arguments[2], arguments[3]
    short, word = Vector(builder, DRAW_LANES, 16), Vector(builder, DRAW_LANES, 32)
    rounds = builder.zext(short.load(work, lane, ROUND * LANES), word.type)
    counter = (rounds, word.const(0), word.load(shoes, lane), word.load(shoes, lane, LANES))
    words = _words(word, _blocks(builder, counter, seed))
    cards = builder.zext(short.load(work, lane, UNSEEN * LANES), word.type)
    lowest = None
    for i in range(WORDS):
        product = builder.mul(words[i], builder.sub(cards, word.const(i)))
        draw = builder.trunc(builder.lshr(product, word.const(WORD_BITS)), short.type)
        short.store(draw, work, lane, (DRAW + i) * LANES)
        lower = builder.shl(product, word.const(32 - WORD_BITS))
        lowest = lower if lowest is None else word.least(lowest, lower)
    suspects = word.is_below(lowest, builder.shl(cards, word.const(32 - WORD_BITS)))
    return builder.zext(word.packed(suspects), ir.IntType(32))


def _blocks(builder: Any, counter: tuple[Any, ...], seed: Any) -> list[Any]:
    """Four words of 32 bits for each lane."""
    wide = Vector(builder, DRAW_LANES, 64)
    low, half = wide.const(0xFFFFFFFF), wide.const(32)
    x0, x1, x2, x3 = (builder.zext(part, wide.type) for part in counter)
    whole = ir.IntType(64)
    mask = ir.Constant(whole, 0xFFFFFFFF)
    keys = [builder.and_(seed, mask), builder.lshr(seed, ir.Constant(whole, 32))]
    for _ in range(CYCLES):
        # Only the lower halves are multiplied, so what the upper halves hold in between does not matter.
        p0 = builder.mul(builder.and_(x0, low), wide.const(MULTIPLIERS[0]))
        p1 = builder.mul(builder.and_(x2, low), wide.const(MULTIPLIERS[1]))
        k0, k1 = (wide.splat(key) for key in keys)
        x0 = builder.xor(builder.xor(builder.lshr(p1, half), x1), k0)
        x2 = builder.xor(builder.xor(builder.lshr(p0, half), x3), k1)
        x1, x3 = p1, p0
        keys = [
            builder.and_(builder.add(key, ir.Constant(whole, step)), mask)
            for key, step in zip(keys, WEYL, strict=True)
        ]
    narrow = ir.VectorType(ir.IntType(32), DRAW_LANES)
    return [builder.trunc(part, narrow) for part in (x0, x1, x2, x3)]


def _words(word: Vector, blocks: list[Any]) -> list[Any]:
    """Six words of 21 bits: the upper 21 of each, and two made of what is left."""
    builder = word.builder
    words = [builder.lshr(part, word.const(32 - WORD_BITS)) for part in blocks]
    for left, right in (blocks[:2], blocks[2:]):
        upper = builder.shl(builder.and_(left, word.const(0x7FF)), word.const(10))
        words.append(builder.or_(upper, builder.and_(right, word.const(0x3FF))))
    return words
