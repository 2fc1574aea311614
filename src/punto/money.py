"""Money as whole minor units (cents), its text form, and the one place where it is rounded."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import Enum
from fractions import Fraction

_AMOUNT = re.compile(r"(\d+)(?:\.(\d{1,2}))?", re.ASCII)
_TOO_FINE = re.compile(r"\d+\.\d{3,}", re.ASCII)


class Rounding(Enum):
    """What a table does with a fraction of a minor unit, by its terms."""

    HALF_UP = "half-up"
    DOWN = "down"
    UP = "up"

    def apply(self, numerator: int, denominator: int) -> int:
        """A pay-out (never negative) rounded to a whole number of minor units."""
        assert numerator >= 0 and denominator > 0
        if self is Rounding.HALF_UP:
            return (2 * numerator + denominator) // (2 * denominator)
        return numerator // denominator if self is Rounding.DOWN else -(-numerator // denominator)


def parse_amount(text: str) -> int:
    """An amount with at most two decimals as minor units; `ValueError` says what is wrong."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        if _TOO_FINE.fullmatch(text):
            raise ValueError(f"{text} is finer than a cent")
        raise ValueError(f"{text!r} is not a positive amount with at most two decimals")
    units = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))
    if units == 0:
        raise ValueError("the amount is zero")
    return units


def format_amount(units: int) -> str:
    """Minor units with two decimals: `-12.50`."""
    sign = "-" if units < 0 else ""
    return f"{sign}{abs(units) // 100}.{abs(units) % 100:02}"


def format_exact(units: Fraction) -> str:
    """An amount that may be finer than a minor unit: two decimals, more where they are needed."""
    if units.denominator == 1:
        return format_amount(units.numerator)
    return f"{(Decimal(units.numerator) / Decimal(units.denominator) / 100).normalize():f}"
