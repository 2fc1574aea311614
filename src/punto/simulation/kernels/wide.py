"""Wide sums: numbers of 128 bits in a kernel, so that no sum of stakes, nets or their products ever wraps.

Numba has no such numbers, but LLVM does: a product of two numbers of 64 bits is one instruction, and adding
it takes two. A wide number is two neighbours in an array of 64 bits, the lower half first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numpy.typing import NDArray

from punto.simulation.kernels.compiling import vector_code

HALVES = 2
WIDE = ir.IntType(128)
_INDEX = ir.IntType(64)


@vector_code
def add_product(_context, sums, place, left, right):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Add left × right to the wide number at a place, counted over the whole array."""
    return types.void(sums, types.int64, types.int64, types.int64), _product_code


@vector_code
def add_number(_context, sums, place, number):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Add a number of 64 bits to the wide number at a place."""
    return types.void(sums, types.int64, types.int64), _number_code


def _product_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    left, right = (builder.sext(argument, WIDE) for argument in arguments[2:])
    return _add(context, builder, signature, arguments, builder.mul(left, right))


def _number_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _add(context, builder, signature, arguments, builder.sext(arguments[2], WIDE))


def _add(context: Any, builder: Any, signature: Any, arguments: Any, number: Any) -> Any:
    start = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    offset = builder.mul(arguments[1], ir.Constant(_INDEX, HALVES))
    place = builder.bitcast(builder.gep(start, [offset]), WIDE.as_pointer())
    builder.store(builder.add(builder.load(place, align=8), number), place, align=8)
    return context.get_dummy_value()


def zeros(*shape: int) -> NDArray[np.int64]:
    """Wide numbers for a kernel to add to."""
    return np.zeros((*shape, HALVES), np.int64)


def whole_numbers(sums: NDArray[np.int64]) -> tuple[int, ...]:
    """All wide numbers of an array, in order."""
    halves = sums.reshape(-1, HALVES).tolist()
    return tuple((high << 64) + (low & (1 << 64) - 1) for low, high in halves)
