"""Compiling kernels: each is cached on disk, runs outside Python's lock, and is typed as it was written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """The function as machine code, compiled on first use and kept on disk."""
    return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: Function) -> Function:
    """A small function that is made part of each kernel that calls it."""
    return cast(Function, njit(inline="always", error_model="numpy")(function))


def vector_code(function: Callable[..., object]) -> Any:
    """A function that writes the code of its calls itself, in LLVM's own terms."""
    return intrinsic(function)
