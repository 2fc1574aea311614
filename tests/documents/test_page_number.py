from __future__ import annotations

from fractions import Fraction

from punto.documents.page import expectation, fraction, percent


def test_numbers_as_readers_see_them() -> None:
    assert percent(Fraction(1, 3)) == "33.3333 %"
    assert percent(-0.0) == percent(-1e-9) == "0.0000 %"
    assert expectation(Fraction(-1, 95)) == "-0.010526"
    assert fraction(Fraction(-2, 1)) == "-2/1"
