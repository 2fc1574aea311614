"""Numbers of conditions: one, a range, odd or even, or a list."""

import pytest

from punto.rules.entry import Numbers, expand_numbers


@pytest.mark.parametrize(
    ("numbers", "meant"),
    [
        (6, (6,)),
        ("4-6", (4, 5, 6)),
        ("3-3", (3,)),
        ("odd", (1, 3, 5, 7, 9)),
        ("even", (0, 2, 4, 6, 8)),
        ((0, "7-9", 8), (0, 7, 8, 9)),
    ],
)
def test_what_is_meant(numbers: Numbers, meant: tuple[int, ...]) -> None:
    assert expand_numbers(numbers, range(10)) == meant


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        (10, "10 is not between 0 and 9"),
        ("4-12", "12 is not between 0 and 9"),
        ("9-4", "'9-4' is backwards"),
        ("four", "'four' is not a number"),
        ("4–9", "is not a number"),
        ((1, "x"), "'x' is not a number"),
    ],
)
def test_what_is_wrong(numbers: Numbers, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        expand_numbers(numbers, range(10))
