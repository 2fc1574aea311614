"""Spreads: quantiles against sorted numbers, whatever their size, order and batches."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.simulation.sessions import LARGEST, PER_DOUBLING, Spread

NUMBERS = st.one_of(st.integers(-5000, 5000), st.integers(-(10**9), 10**9), st.integers(-LARGEST, LARGEST))
SHARES = (0, 1, 5, 25, 50, 75, 95, 99, 100)


def spread(numbers: list[int]) -> Spread:
    return Spread.empty().plus(np.array(numbers, np.int64))


@given(st.lists(NUMBERS, min_size=1, max_size=60))
def test_quantiles_hold_the_number_of_that_rank(numbers: list[int]) -> None:
    found, ordered = spread(numbers), sorted(numbers)
    for per_cent in SHARES:
        exact = ordered[max(0, -(-per_cent * len(ordered) // 100) - 1)]
        quantile = found.quantile(Fraction(per_cent, 100))
        assert quantile is not None
        assert quantile.least <= exact <= quantile.most
        assert quantile.width * PER_DOUBLING <= abs(exact)
    assert found.number == len(numbers)
    assert found.range == (ordered[0], ordered[-1])


@pytest.mark.slow
@given(st.lists(NUMBERS, max_size=40), st.integers(0, 40), st.randoms(use_true_random=False))
def test_order_and_batches_change_nothing(numbers: list[int], cut: int, random: object) -> None:
    whole = spread(numbers)
    shuffled = sorted(numbers, key=lambda _: random.random())  # type: ignore[attr-defined]
    parts = Spread.empty()
    for part in (shuffled[:cut], shuffled[cut:]):
        parts = parts.plus(np.array(part, np.int64))
    assert np.array_equal(parts.array(), whole.array())
    assert np.array_equal(Spread.from_array(whole.array()).array(), whole.array())


def test_small_numbers_are_exact_and_nothing_has_no_quantile() -> None:
    numbers = list(range(-4095, 4096))
    found = spread(numbers)
    assert list(found.bins()) == [(number, number, 1) for number in numbers]
    assert Spread.empty().quantile(Fraction(1, 2)) is None
    assert Spread.empty().range is None


def test_multiples_of_a_unit_are_exact_far_beyond() -> None:
    """Bins are wider there, but each holds one such number only."""
    found = spread([5000 * number for number in range(-1000, 1001)])
    assert all(least == most for least, most, _ in found.bins())
