"""Clopper and Pearson's interval against the binomial distribution it is defined by, in fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from punto.studies.significance import Proportion


def at_most(hits: int, trials: int, chance: Fraction) -> Fraction:
    return sum((comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(hits + 1)), Fraction(0))


@pytest.mark.parametrize(("hits", "trials"), [(0, 1), (1, 1), (0, 40), (1, 40), (7, 40), (39, 40), (3, 200)])
def test_the_ends_leave_a_fortieth_on_either_side(hits: int, trials: int) -> None:
    low, high = Proportion(hits, trials).interval
    if hits:
        assert float(1 - at_most(hits - 1, trials, Fraction(low))) == pytest.approx(0.025, rel=1e-9)
    else:
        assert low == 0
    if hits < trials:
        assert float(at_most(hits, trials, Fraction(high))) == pytest.approx(0.025, rel=1e-9)
    else:
        assert high == 1


@pytest.mark.parametrize("chance", [Fraction(1, 300), Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("trials", [1, 10, 60])
def test_coverage_is_never_below_95_per_cent(trials: int, chance: Fraction) -> None:
    """Summed over all that can be seen, exactly."""
    covered = Fraction(0)
    for hits in range(trials + 1):
        low, high = Proportion(hits, trials).interval
        if low <= chance <= high:
            covered += comb(trials, hits) * chance**hits * (1 - chance) ** (trials - hits)
    assert covered >= Fraction(95, 100)


def test_nothing_seen_is_not_nothing() -> None:
    never = Proportion(0, 1000)
    assert (never.share, never.error) == (0.0, None)
    assert never.interval == pytest.approx((0.0, 1 - 0.025 ** (1 / 1000)))
    assert Proportion(1000, 1000).error is None
    assert Proportion(5, 20).error == pytest.approx((0.25 * 0.75 / 20) ** 0.5)
    assert Proportion(10**7, 10**9).interval == pytest.approx((0.00999383, 0.01000617), abs=1e-7)
