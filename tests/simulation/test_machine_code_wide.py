"""Wide sums against Python's whole numbers, far beyond 64 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from punto.simulation.machine_code import add_number, add_product, compiled, wide_numbers, wide_zeros

NUMBERS = st.integers(-(1 << 62), 1 << 62)


@compiled
def add_all(numbers: Any, sums: Any) -> None:
    for left, right in numbers:
        add_number(sums, 0, left)
        add_product(sums, 1, left, right)
        add_product(sums, 2, left, left)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=7))
def test_sums_are_exact(pairs: list[tuple[int, int]]) -> None:
    sums = wide_zeros(3)
    add_all(np.array(pairs, np.int64).reshape(-1, 2), sums)
    expected = (sum(a for a, _ in pairs), sum(a * b for a, b in pairs), sum(a * a for a, _ in pairs))
    assert wide_numbers(sums) == expected
