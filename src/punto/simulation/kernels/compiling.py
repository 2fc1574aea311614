"""Compiling kernels: each is cached on disk, runs outside Python's lock, and is typed as it was written.

Numba keeps a compiled kernel until the file of the kernel itself changes. Ours are put together from several
files, so the cache is told all of them: whatever changes here, every kernel is compiled afresh.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core import event
from numba.core.caching import FunctionCache
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """The function as machine code, compiled on first use and kept on disk."""
    dispatcher: Any = njit(nogil=True, error_model="numpy")(function)
    # Where no folder can be written, it is compiled each time.
    with suppress(RuntimeError):
        dispatcher._cache = _SourcesCache(function)
    return cast(Function, dispatcher)


def inlined(function: Function) -> Function:
    """A small function that is made part of each kernel that calls it."""
    return cast(Function, njit(inline="always", error_model="numpy")(function))


def vector_code(function: Callable[..., object]) -> Any:
    """A function that writes the code of its calls itself, in LLVM's own terms."""
    return intrinsic(function)


_Cache: Any = FunctionCache


class _Told(event.Listener):  # type: ignore[misc,unused-ignore]
    """Hears of compiling, once."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell: Callable[[], None] | None = tell

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        if self._tell is not None:
            self._tell()
            self._tell = None

    def on_end(self, event: Any) -> None:
        """Nobody waits for that."""


@contextmanager
def telling(tell: Callable[[], None]) -> Iterator[None]:
    """Tell as soon as a kernel has to be compiled, and not when it only has to be loaded."""
    with event.install_listener("numba:compile", _Told(tell)):
        yield


class _SourcesCache(_Cache):  # type: ignore[misc]
    """Compiled code by its signature, its processor and the sources of all kernels."""

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), _sources())


@cache
def _sources() -> str:
    """A digest of every file that a kernel may be made of."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
