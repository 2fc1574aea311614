"""Numbers as readers see them: a share in per cent, an expectation with its sign, an exact fraction.

The value of a bet looks the same everywhere: the house edge in per cent first, the expectation beside it
where it helps.
"""

from __future__ import annotations

from fractions import Fraction


def percent(share: Fraction | float, places: int = 4) -> str:
    """A share in per cent: `1.0579 %`."""
    return f"{round(float(share) * 100, places) + 0.0:.{places}f} %"  # adding zero takes its sign away


def expectation(value: Fraction | float) -> str:
    """What one unit gains or loses on average: `-0.010579`."""
    return f"{float(value):+.6f}"


def fraction(value: Fraction) -> str:
    """An exact value, `n/d` with its sign, whole numbers too."""
    return f"{value.numerator}/{value.denominator}"
