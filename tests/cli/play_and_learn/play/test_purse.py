from __future__ import annotations

import pytest

from punto.cli.play_and_learn.play.purse import balance, gain, money, read_money, typed
from punto.rules.role import Role
from punto.table import event as e
from punto.table.layout import Stake

BY = ("somebody", Role.DEALER, 0)


@pytest.mark.parametrize(
    ("text", "units"), [("100", 10_000), ("1,250", 125_000), ("2k", 200_000), ("0.50", 50), ("1.5k", 150_000)]
)
def test_amounts_as_people_type_them(text: str, units: int) -> None:
    assert read_money(text) == units


@pytest.mark.parametrize("text", ["", "k", "-5", "1.234", "ten", "1e9", "1" * 13, "٣"])
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(ValueError, match=r"amount|cent"):
        read_money(text)


def test_amounts_as_people_read_them() -> None:
    assert [money(units) for units in (0, 100, 125_000, 125_050, -4_750)] == [
        "0",
        "1",
        "1,250",
        "1,250.50",
        "-47.50",
    ]
    assert [gain(units) for units in (0, 100, -100)] == ["0", "+1", "-1"]
    assert [read_money(typed(units)) for units in (100, 6_650, 123_456_700)] == [100, 6_650, 123_456_700]


def test_every_way_in_which_money_moves() -> None:
    stake = Stake(1, "x", "banker", 300)
    events: list[e.Event] = [
        e.BetPlaced(*BY, box=1, player="x", area="banker", amount=1000, is_seated=True, rejected=500),
        e.BetReturned(*BY, box=1, player="x", area="banker", amount=200, why="reduced"),
        e.RoundVoided(*BY, round=1, clause=None, returned=(stake, stake)),
        e.BetsReturned(*BY, bets=(stake,), clause=None),
    ]
    assert balance(5000, events) == 5000 - 1000 + 200 + 600 + 300
