"""Compiling: kept on disk where there is a place, and done without where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from punto.odds import machine_row
from punto.odds.machine_row import cached_njit


def twice(number: int) -> int:
    return 2 * number


def test_code_is_compiled_where_it_cannot_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_a_place(_: Any) -> Any:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(machine_row, "_RowsCache", without_a_place)
    assert cached_njit(twice)(21) == 42
