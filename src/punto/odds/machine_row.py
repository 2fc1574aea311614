"""What the kernels of exact odds are made of: functions compiled and kept on disk, and rows of numbers that are worked
on at once, in LLVM's own terms.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core.caching import FunctionCache

CACHE_LINE = 64  # Bytes that a processor fetches at once: a vector across two of them takes longer.
LANES = 8  # Shoes side by side: one vector register, and a workspace that stays in the nearest cache.

Function = TypeVar("Function", bound=Callable[..., Any])


def cached_njit(function: Function) -> Function:
    """Machine code for a function, kept on disk where there is a place to keep it."""
    return _kept(function, numba.njit(function))


def cached_in_threads(function: Function) -> Function:
    """The same for threads that work side by side: whatever the function writes to must be a thread's own."""
    return _kept(function, numba.njit(nogil=True)(function))


def _kept(function: Function, dispatcher: Any) -> Function:
    with suppress(RuntimeError):  # neither this folder nor the user's cache folder can be written
        dispatcher._cache = _RowsCache(function)
    return cast(Function, dispatcher)


_Cache: Any = FunctionCache


class _RowsCache(_Cache):  # type: ignore[misc,unused-ignore]
    """Numba looks at the date of the kernel's own file only; what the rows of this file write is part of it too."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (*super()._index_key(sig, codegen), _rows_digest())


@cache
def _rows_digest() -> str:
    return sha256(inspect.getsource(sys.modules[__name__]).encode()).hexdigest()


class LaneRow:
    """A row while machine code is being written: operators write instructions."""

    def __init__(self, builder: Any, value: Any) -> None:
        self._builder, self._value = builder, value

    @property
    def value(self) -> Any:
        return self._value

    def zero(self) -> LaneRow:
        """A row of zeros; what was there before may be no number at all."""
        return LaneRow(self._builder, _constant(self._value.type, 0))

    def __add__(self, other: LaneRow | int) -> LaneRow:
        return self._write("add", other)

    def __sub__(self, other: LaneRow | int) -> LaneRow:
        return self._write("sub", other)

    def __mul__(self, other: LaneRow | int) -> LaneRow:
        return self._write("mul", other)

    def larger(self, other: LaneRow) -> LaneRow:
        """The larger of both, lane by lane."""
        return self._chosen(">", other)

    def smaller(self, other: LaneRow) -> LaneRow:
        return self._chosen("<", other)

    def _chosen(self, comparison: str, other: LaneRow) -> LaneRow:
        is_own = self._builder.fcmp_ordered(comparison, self._value, other.value)
        return LaneRow(self._builder, self._builder.select(is_own, self._value, other.value))

    def is_above_anywhere(self, other: LaneRow) -> Any:
        """Whether it is the larger one in any lane."""
        above = self._builder.fcmp_ordered(">", self._value, other.value)
        whole = ir.IntType(self._value.type.count)
        return self._builder.icmp_unsigned("!=", self._builder.bitcast(above, whole), whole(0))

    def _write(self, operation: str, other: LaneRow | int) -> LaneRow:
        right = other.value if isinstance(other, LaneRow) else _constant(self._value.type, other)
        if _is_whole(self._value.type):
            return LaneRow(self._builder, getattr(self._builder, operation)(self._value, right))
        # All values are whole numbers: a product and a sum may be rounded once or twice, it changes nothing.
        write = getattr(self._builder, f"f{operation}")
        return LaneRow(self._builder, write(self._value, right, flags=("contract",)))


class Scribe:
    """Rows of a workspace of many shoes while machine code is being written; a place is a row times the number of
    lanes."""

    def __init__(self, context: Any, builder: Any, signature: Any, workspace: Any) -> None:
        self._builder = builder
        self._data = context.make_array(signature.args[0])(context, builder, workspace).data
        self.kind = ir.VectorType(self._data.type.pointee, LANES)

    def load(self, place: Any, rows: int = 0) -> LaneRow:
        """The row that stands this number of rows after a place."""
        return LaneRow(self._builder, self._builder.load(self._at(place, rows), align=8))

    def store(self, value: LaneRow, place: Any, rows: int = 0) -> None:
        self._builder.store(value.value, self._at(place, rows), align=8)

    def times(self, number: Any, factor: int) -> Any:
        return self._builder.mul(number, ir.Constant(number.type, factor))

    def _at(self, place: Any, rows: int) -> Any:
        at = self._builder.add(place, ir.Constant(place.type, rows * LANES))
        return self._builder.bitcast(self._builder.gep(self._data, [at]), self.kind.as_pointer())


def room_for(numbers: int, kind: Any) -> Any:
    """Zeros that begin at a cache line: a vector across two lines takes a third longer."""
    room = np.zeros(numbers * 8 + CACHE_LINE, np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    return room[start : start + numbers * 8].view(kind)


def in_all_lanes(builder: Any, number: Any, lanes: int) -> Any:
    """A vector of this one number."""
    whole = ir.IntType(32)
    one = builder.insert_element(
        ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined), number, ir.Constant(whole, 0)
    )
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(whole, lanes), [0] * lanes))


def _is_whole(kind: Any) -> bool:
    return isinstance(kind.element if isinstance(kind, ir.VectorType) else kind, ir.IntType)


def _constant(kind: Any, number: int) -> Any:
    value: float = number if _is_whole(kind) else float(number)
    return ir.Constant(kind, [value] * kind.count if isinstance(kind, ir.VectorType) else value)
