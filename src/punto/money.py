"""Money as whole minor units (cents): its only parser, its formatters, and the one place where it is rounded.

Amounts have two text forms. Notation and `--json` write `1000.00`, which `parse_amount` reads back. People read
`1,000`, with decimals only where there are any.
"""

from __future__ import annotations

import re
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from numbers import Rational, Real
from operator import index
from typing import Annotated, SupportsIndex

Money = Annotated[int, "minor units"]
"""A whole number that is money: where a struct says so, the command line prints it as an amount."""
MINOR = 100  # Minor units in one unit of currency.
LONGEST_AMOUNT = 15  # Digits before the decimal point: more than anybody stakes, few enough for every integer column.

LONGEST_GROUPED = 40

_GROUPED = re.compile(r"-?[0-9]{1,3}(?:(?:,[0-9]{3}){1,6}|(?:_[0-9]{3}){1,6})(?:\.[0-9]+)?")
_AMOUNT = re.compile(r"(-?)(\d+)(?:\.(\d+))?", re.ASCII)


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


def whole_units(amount: object) -> int | None:
    """Minor units out of a number that is exactly whole, of whatever type; None for anything else.

    >>> whole_units(1250), whole_units(1250.0), whole_units(Fraction(1250)), whole_units(12.5), whole_units(True)
    (1250, 1250, 1250, None, None)
    """
    if isinstance(amount, bool):
        return None
    if isinstance(amount, SupportsIndex):
        try:
            return index(amount)
        except TypeError:  # NumPy's arrays have the method, and refuse unless they are one number.
            return None
    if isinstance(amount, Rational):
        return int(amount.numerator) if amount.denominator == 1 else None
    if not isinstance(amount, Real):  # NumPy's numbers of any width are.
        return None
    number = float(amount)
    return int(number) if number.is_integer() else None


def units_given(amount: object) -> int | None:
    """Minor units out of a number that is whole, or out of text and decimals as money is written; zero too, and None
    for anything else.

    >>> units_given(1250), units_given("12.50"), units_given("1,000"), units_given(Decimal(0)), units_given("12.345")
    (1250, 1250, 100000, 0, None)
    """
    if not isinstance(amount, str | Decimal):
        return whole_units(amount)
    try:
        return parse_amount(ungrouped(amount.strip()) if isinstance(amount, str) else f"{amount:f}", allow_zero=True)
    except ValueError:
        return None


def ungrouped(text: str) -> str:
    """A number without the commas or underscores that group its digits; anything else as it is."""
    return re.sub("[,_]", "", text) if len(text) <= LONGEST_GROUPED and _GROUPED.fullmatch(text) else text


def parse_amount(text: str, *, allow_zero: bool = False, allow_negative: bool = False) -> int:
    """An amount with at most two decimals as minor units; `ValueError` says what is wrong.

    >>> parse_amount("12.5")
    1250
    """
    match = _AMOUNT.fullmatch(text)
    if match is None:
        begun = text if len(text) <= 2 * LONGEST_AMOUNT else f"{text[: 2 * LONGEST_AMOUNT]}…"
        kind = "an amount" if allow_negative else "a positive amount"
        raise ValueError(f"{begun!r} is not {kind} with at most two decimals, such as 100 or 12.50")
    sign, whole, decimals = match[1], match[2], match[3] or ""
    if len(whole) > LONGEST_AMOUNT:
        raise ValueError(f"an amount has at most {LONGEST_AMOUNT} digits before the decimal point")
    if len(decimals) > 2:
        raise ValueError(f"{text[: 2 * LONGEST_AMOUNT]} is finer than a cent")
    units = int(whole) * MINOR + int(decimals.ljust(2, "0"))
    if units == 0 and not allow_zero:
        raise ValueError("the amount is zero")
    if sign and units and not allow_negative:
        raise ValueError(f"{text!r} is not a positive amount")
    return -units if sign else units


def format_amount(units: int) -> str:
    """Minor units for notation and JSON, always with two decimals.

    >>> format_amount(-100_000)
    '-1000.00'
    """
    sign = "-" if units < 0 else ""
    return f"{sign}{abs(units) // MINOR}.{abs(units) % MINOR:02}"


def format_exact(units: Fraction) -> str:
    """Minor units and parts of them for notation and JSON: with more than two decimals where they are needed."""
    if units.denominator == 1:
        return format_amount(units.numerator)
    return f"{_decimal(units).normalize():f}"


def format_money(units: int | Fraction | float, *, is_signed: bool = False) -> str:
    """An amount for people: thousands grouped, decimals only where there are any, a plus sign where asked.

    A `Fraction` is exact and keeps every decimal that it needs; a `float` is an estimate, told to the cent.

    >>> format_money(100_000), format_money(-1250), format_money(500, is_signed=True)
    ('1,000', '-12.50', '+5')
    """
    given: object = units
    if isinstance(given, str):  # Which `Fraction` would read, as cents; everywhere else text is whole units.
        raise ValueError(f"{given!r} is text; give minor units as a number")
    try:
        exact = Fraction(round(units) if isinstance(units, float) else units)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{given!r} is not an amount; give minor units as a number") from None
    if exact.denominator == 1:
        whole, cents = divmod(abs(exact.numerator), MINOR)
        text = f"{whole:,}.{cents:02}" if cents else f"{whole:,}"
    else:
        text = f"{abs(_decimal(exact)).normalize():,f}"
    sign = "-" if exact < 0 else "+" if is_signed and exact > 0 else ""
    return sign + text


def _decimal(units: Fraction) -> Decimal:
    """Minor units as units of currency."""
    return Decimal(units.numerator) / Decimal(units.denominator) / MINOR
