"""Settlement at the table: its order, its rounding, and what every line says."""

import pytest

from punto.money import Rounding
from punto.table import command as c
from tests.table.scenes import P, Scene


def test_a_player_with_insurance_in_the_order_of_the_layout() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 2)
    scene.seat("Ben", 1)
    scene.call()
    scene.bet("Ann", "banker-pair", 1000)
    scene.bet("Ann", "tie", 1000)
    scene.bet("Ann", "banker", 1000)
    scene.bet("Ann", "player", 3000)
    scene.bet("Cat", "player", 3000, box=2)
    scene.bet("Ben", "player", 1000)
    scene.bet("Ben", "tie", 1000, box=2)
    scene.close()
    scene.deal("KS KH 6D 5C")
    scene.do(c.TakeInsurance, "Cat", box=2, hand=P, amount=100)
    scene.do(c.TakeInsurance, "Ann", box=2, hand=P, amount=200)
    scene.deal("4S")
    assert [line.split()[:2] for line in scene.settle()] == [
        ["Ben", "player"],
        ["Ann", "player"],
        ["Ann", "insurance-player-4"],
        ["Ann", "banker"],
        ["Ann", "tie"],
        ["Ann", "banker-pair"],
        ["Cat", "player"],
        ["Cat", "insurance-player-4"],
        ["Ben", "tie"],
    ]


@pytest.mark.parametrize(
    ("rounding", "stake", "net", "exact"),
    [
        (Rounding.HALF_UP, 10, 10, "19/2"),
        (Rounding.DOWN, 10, 9, "19/2"),
        (Rounding.UP, 10, 10, "19/2"),
        (Rounding.HALF_UP, 3, 3, "57/20"),
        (Rounding.DOWN, 3, 2, "57/20"),
        (Rounding.HALF_UP, 7, 7, "133/20"),
        (Rounding.HALF_UP, 9, 9, "171/20"),
        (Rounding.UP, 21, 20, "399/20"),
        (Rounding.HALF_UP, 20, 19, None),
    ],
)
def test_a_fraction_is_rounded_once_and_told(
    rounding: Rounding, stake: int, net: int, exact: str | None
) -> None:
    scene = Scene("commission", chip=1, minimum=1, rounding=rounding)
    scene.start(Ann=f"banker={stake}")
    scene.deal("KS KH 7D 8C")
    (settled,) = scene.do(c.SettleRound)
    (line,) = settled.bets
    assert (line.net, line.exact, line.odds, line.clause) == (net, exact, "19:20", "4.1.2")


def test_a_round_without_bets_is_settled_too() -> None:
    scene = Scene("commission")
    scene.call()
    scene.close()
    scene.deal("KS KH 7D 8C")
    assert scene.settle() == []
    assert scene.state.settled == ()
