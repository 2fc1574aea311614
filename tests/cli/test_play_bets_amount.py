from __future__ import annotations

import pytest

from punto.cli.play_bets import read_money, typed_amount


@pytest.mark.parametrize(
    ("text", "units"), [("100", 10_000), ("1,250", 125_000), ("2k", 200_000), ("0.50", 50), ("1.5k", 150_000)]
)
def test_amounts_as_people_type_them(text: str, units: int) -> None:
    assert read_money(text) == units


@pytest.mark.parametrize("text", ["", "k", "-5", "1.234", "ten", "1e9", "1" * 13, "٣"])
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(ValueError, match=r"amount|cent"):
        read_money(text)


def test_an_amount_that_is_shown_can_be_typed() -> None:
    assert [read_money(typed_amount(units)) for units in (100, 6_650, 123_456_700)] == [100, 6_650, 123_456_700]
