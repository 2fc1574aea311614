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
from llvmlite import ir
from numba.core.caching import FunctionCache

CACHE_LINE = 64  # Bytes that a processor fetches at once: a vector across two of them takes longer.

Function = TypeVar("Function", bound=Callable[..., Any])


def cached_njit(function: Function) -> Function:
    """Machine code for a function, kept on disk where there is a place to keep it."""
    dispatcher: Any = numba.njit(function)
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

    def _write(self, operation: str, other: LaneRow | int) -> LaneRow:
        right = other.value if isinstance(other, LaneRow) else _constant(self._value.type, other)
        if _is_whole(self._value.type):
            return LaneRow(self._builder, getattr(self._builder, operation)(self._value, right))
        # All values are whole numbers: a product and a sum may be rounded once or twice, it changes nothing.
        write = getattr(self._builder, f"f{operation}")
        return LaneRow(self._builder, write(self._value, right, flags=("contract",)))


def _is_whole(kind: Any) -> bool:
    return isinstance(kind.element if isinstance(kind, ir.VectorType) else kind, ir.IntType)


def _constant(kind: Any, number: int) -> Any:
    value: float = number if _is_whole(kind) else float(number)
    return ir.Constant(kind, [value] * kind.count if isinstance(kind, ir.VectorType) else value)
