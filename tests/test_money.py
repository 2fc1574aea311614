from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.money import Rounding, format_amount, format_exact, format_money, parse_amount


@pytest.mark.parametrize(
    ("text", "units"),
    [("1", 100), ("0.01", 1), ("0.1", 10), ("12.5", 1250), ("12.50", 1250), ("007", 700), ("1000000.99", 100000099)],
)
def test_amounts_are_whole_cents(text: str, units: int) -> None:
    assert parse_amount(text) == units


@given(st.integers(1, 10**15))
def test_amounts_read_back(units: int) -> None:
    assert parse_amount(format_amount(units)) == units


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0", "the amount is zero"),
        ("0.00", "the amount is zero"),
        ("0.001", "0.001 is finer than a cent"),
        ("5.000", "5.000 is finer than a cent"),
        ("-5", "is not a positive amount"),
        ("1_000", "is not a positive amount with at most two decimals"),
        ("1" * 16, "at most 15 digits before the decimal point"),
        ("x" * 5000, r"^'x{30}…' is not"),
        ("+5", "is not a positive amount"),
        ("", "is not a positive amount"),
        ("five", "is not a positive amount"),
        ("5.", "is not a positive amount"),
        (".5", "is not a positive amount"),
        ("1e3", "is not a positive amount"),
        ("1,000", "is not a positive amount"),
        ("1 000", "is not a positive amount"),
        ("5\n", "is not a positive amount"),
        ("nan", "is not a positive amount"),
        ("inf", "is not a positive amount"),
        ("５", "is not a positive amount"),
        ("1.5.5", "is not a positive amount"),
    ],
)
def test_what_is_no_amount_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse_amount(text)


@pytest.mark.parametrize(
    ("units", "text"), [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (1250, "12.50"), (-1250, "-12.50"), (-100, "-1.00")]
)
def test_amounts_have_two_decimals(units: int, text: str) -> None:
    assert format_amount(units) == text


@pytest.mark.parametrize(
    ("units", "text"),
    [
        (Fraction(1250), "12.50"),
        (Fraction(3, 2), "0.015"),
        (Fraction(19, 20), "0.0095"),
        (Fraction(-3, 2), "-0.015"),
        (Fraction(20001, 20), "10.0005"),
    ],
)
def test_exact_amounts_have_as_many_decimals_as_they_need(units: Fraction, text: str) -> None:
    assert format_exact(units) == text


def test_callers_say_whether_zero_or_less_is_allowed() -> None:
    assert parse_amount("0.00", allow_zero=True) == 0
    assert parse_amount("-12.50", allow_negative=True) == -1250
    with pytest.raises(ValueError, match="the amount is zero"):
        parse_amount("-0", allow_negative=True)
    with pytest.raises(ValueError, match="'five' is not an amount with at most two decimals"):
        parse_amount("five", allow_negative=True)


@pytest.mark.parametrize(
    ("units", "text"),
    [
        (0, "0"),
        (5, "0.05"),
        (100_000, "1,000"),
        (-123_456_750, "-1,234,567.50"),
        (Fraction(1250), "12.50"),
        (Fraction(20_000_001, 20), "10,000.0005"),
        (1249.7, "12.50"),
        (-0.2, "0"),
    ],
)
def test_people_read_grouped_amounts_with_decimals_only_where_there_are_any(
    units: int | Fraction | float, text: str
) -> None:
    assert format_money(units) == text


def test_a_gain_has_its_sign_and_zero_has_none() -> None:
    shown = [format_money(units, is_signed=True) for units in (100_000, 0, -50)]
    assert shown == ["+1,000", "0", "-0.50"]


@given(st.integers(-(10**15), 10**15))
def test_what_people_read_is_the_same_amount(units: int) -> None:
    plain = format_money(units).replace(",", "")
    assert parse_amount(plain, allow_zero=True, allow_negative=True) == units


@pytest.mark.parametrize(
    ("numerator", "half_up", "down", "up"),
    [(0, 0, 0, 0), (1, 0, 0, 1), (9, 0, 0, 1), (10, 1, 0, 1), (19, 1, 0, 1), (20, 1, 1, 1), (30, 2, 1, 2)],
)
def test_twentieths_are_rounded_by_the_tables_term(numerator: int, half_up: int, down: int, up: int) -> None:
    assert Rounding.HALF_UP.apply(numerator, 20) == half_up
    assert Rounding.DOWN.apply(numerator, 20) == down
    assert Rounding.UP.apply(numerator, 20) == up


@given(st.integers(0, 10**9), st.integers(1, 1000))
def test_rounding_goes_to_the_nearest(numerator: int, denominator: int) -> None:
    exact = Fraction(numerator, denominator)
    rounded = Rounding.HALF_UP.apply(numerator, denominator)
    assert -Fraction(1, 2) < rounded - exact <= Fraction(1, 2)
    assert Rounding.DOWN.apply(numerator, denominator) <= exact <= Rounding.UP.apply(numerator, denominator)
    assert Rounding.UP.apply(numerator, denominator) - Rounding.DOWN.apply(numerator, denominator) <= 1


@pytest.mark.parametrize("amount", [None, float("nan"), float("inf"), [100]])
def test_what_is_no_amount_is_not_told_as_money(amount: Any) -> None:
    with pytest.raises(ValueError, match=r"^.* is not an amount; give minor units as a number$"):
        format_money(amount)
