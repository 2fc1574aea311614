"""Limits: room in a box, what gives way, and the dealer's noticing."""

from typing import Any

import pytest

from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.table import legal_commands
from punto.table.betting import AdviseMinimum, PlaceBet, RejectExcess, WithdrawBet, difference_in_box, room_in_box
from punto.table.terms import BetLimits, Noticing
from tests.table.scenes import B, P, Scene, returned


def box_one(noticing: Noticing = Noticing.STRICT, differential: int = 5000, **terms: Any) -> Scene:
    """Ann sits at box 1 and has bet on the tie; Ben sits at box 2."""
    scene = Scene("insurance", noticing=noticing, differential=differential, **terms)
    scene.seat("Ann", 1)
    scene.seat("Ben", 2)
    scene.call()
    scene.bet("Ann", "tie", 1000)
    return scene


def test_room_is_the_limit_and_the_other_side_less_ones_own() -> None:
    scene = box_one()
    assert room_in_box(scene.table, 1, "player", is_seated=True) == 5000
    scene.bet("Ann", "banker", 2000)
    assert room_in_box(scene.table, 1, "player", is_seated=True) == 7000
    assert room_in_box(scene.table, 1, "banker", is_seated=True) == 3000
    scene.bet("Cat", "banker", 1000, box=1)
    assert room_in_box(scene.table, 1, "banker", is_seated=True) == 3000  # a standing bet would give way
    assert room_in_box(scene.table, 1, "banker", is_seated=False) == 2000
    assert room_in_box(scene.table, 2, "banker", is_seated=True) == 5000
    assert room_in_box(scene.table, 1, "tie", is_seated=True) is None
    assert difference_in_box(scene.table, 1) == (B, 3000)
    scene.bet("Ann", "player", 4000)
    assert difference_in_box(scene.table, 1) == (P, 1000)
    assert difference_in_box(scene.table, 2) == (Hand.BANKER, 0)


def test_room_that_is_less_than_the_minimum_is_none() -> None:
    scene = box_one()
    scene.bet("Ann", "player", 4500)
    # 500 are left, and a bet takes at least 1000; but a bet that lies may be raised by them.
    refused = scene.refuse(PlaceBet, "Cat", box=1, area="player", amount=1000)
    assert refused == "over-differential 5.1"
    (placed,) = scene.bet("Ann", "player", 1000)
    assert (placed.amount, placed.rejected) == (500, 500)


def test_what_is_taken_of_an_excess_is_whole_chips() -> None:
    scene = box_one(chip=500, differential=4500)
    scene.bet("Ann", "player", 1500)
    (placed,) = scene.bet("Ann", "player", 6000)
    assert placed.amount == 3000


def test_standing_bets_give_way_from_the_last_and_not_below_the_minimum() -> None:
    scene = box_one()
    scene.bet("Cat", "player", 2500, box=1)
    scene.bet("Dee", "player", 2500, box=1)
    events = scene.bet("Ann", "player", 1000)
    assert returned(events) == ["Dee player 1000"]
    # 1500 more: Dee's 1500 would be left with nothing; Ann's next 600 leave Dee under the minimum.
    events = scene.bet("Ann", "player", 600)
    assert returned(events) == ["Dee player 1500"]
    assert scene.lying()[1:] == ["Cat player 2500", "Ann player 1600"]


def test_a_standing_bet_on_the_other_side_does_not_give_way() -> None:
    scene = box_one()
    scene.bet("Cat", "banker", 3000, box=1)
    assert returned(scene.bet("Ann", "player", 8000)) == []


def test_strict_limits_leave_the_dealer_nothing_to_notice() -> None:
    scene = box_one()
    assert scene.refuse(RejectExcess, box=1) == "strict-limits"
    assert scene.refuse(AdviseMinimum, box=1, area="tie", player="Ann") == "strict-limits"


def test_a_dealer_rejects_what_is_over_a_maximum_first_and_only_in_that_box() -> None:
    scene = box_one(Noticing.DEALER, bet_limits={"tie": BetLimits(1000, 2000)})
    scene.bet("Ann", "tie", 4000)
    scene.bet("Ben", "tie", 4000)
    scene.bet("Ann", "banker", 9000)
    scene.bet("Cat", "banker", 1000, box=1)
    assert returned(scene.do(RejectExcess, box=1)) == ["Ann tie 3000", "Cat banker 1000", "Ann banker 4000"]
    assert scene.refuse(RejectExcess, box=1) == "not-over 5.1"
    assert returned(scene.do(RejectExcess, box=2)) == ["Ben tie 2000"]
    assert scene.refuse(RejectExcess, box=3) == "not-over 5.1"


def test_a_dealer_rejects_standing_bets_before_seated_ones() -> None:
    scene = box_one(Noticing.DEALER)
    scene.bet("Cat", "player", 3000, box=1)
    scene.bet("Ann", "player", 4000)
    scene.bet("Dee", "banker", 500, box=1)
    # 7000 against 500 with a limit of 5000: 1500 too much, all of it Cat's.
    assert returned(scene.do(RejectExcess, box=1)) == ["Cat player 1500"]


def test_what_would_be_left_under_the_minimum_goes_back_whole() -> None:
    scene = box_one(Noticing.DEALER)
    scene.bet("Ann", "player", 4500)
    scene.bet("Cat", "player", 1500, box=1)
    assert returned(scene.do(RejectExcess, box=1)) == ["Cat player 1500"]


@pytest.mark.parametrize("area", ["player", "banker"])
def test_exactly_at_the_limit_nothing_is_over(area: str) -> None:
    scene = box_one(Noticing.DEALER)
    scene.bet("Ann", area, 5000)
    assert scene.refuse(RejectExcess, box=1) == "not-over 5.1"
    scene.close()
    assert scene.lying()[-1] == f"Ann {area} 5000"


def test_equal_sides_are_never_scaled() -> None:
    scene = box_one(Noticing.DEALER)
    scene.bet("Ann", "player", 90_000)
    scene.bet("Cat", "banker", 90_000, box=1)
    scene.close()
    assert scene.lying()[1:] == ["Ann player 90000", "Cat banker 90000"]


def test_each_box_is_scaled_by_itself() -> None:
    scene = box_one(Noticing.DEALER)
    scene.bet("Ann", "player", 10_000)
    scene.bet("Ben", "banker", 20_000)
    scene.close()
    assert scene.lying()[1:] == ["Ann player 5000", "Ben banker 5000"]


def bets_of(scene: Scene, player: str) -> set[str]:
    """Where a player may place or raise a bet, by the list."""
    listed = (legal.command for legal in legal_commands(scene.table, player, Role.PLAYER))
    return {command.area for command in listed if isinstance(command, PlaceBet)}


def test_the_number_of_bets_in_a_round_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.table.betting.MOST_BETS", 3)
    scene = Scene("commission")
    scene.seat("Ann", 1)
    scene.call()
    for area in ("banker", "tie", "player-pair"):
        assert scene.bet("Ann", area, 1000)
    assert scene.refuse(PlaceBet, "Ben", box=1, area="banker", amount=1000) == "too-many"
    assert bets_of(scene, "Ben") == set()
    assert bets_of(scene, "Ann") == {"banker", "tie", "player-pair"}
    scene.bet("Ann", "tie", 1000)  # raising one adds none
    scene.do(WithdrawBet, "Ann", box=1, area="tie")
    scene.bet("Ben", "banker", 1000, box=1)
