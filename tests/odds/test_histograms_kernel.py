"""Compiling: kept on disk where there is a place, and done without where there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import pytest

from punto.odds.histograms import cached_njit


def twice(number: int) -> int:
    return 2 * number


def test_code_is_compiled_where_it_cannot_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    njit: Callable[..., Any] = numba.njit

    def without_a_place(*functions: Any, cache: bool = False) -> Any:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(*functions)

    monkeypatch.setattr(numba, "njit", without_a_place)
    assert cached_njit(twice)(21) == 42
