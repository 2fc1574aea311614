"""Baccarat with Insurance at the table: limits, the differential, and bets outside them."""

from typing import Any

import pytest

from punto.table.betting import AdviseMinimum, CloseBets, PlaceBet, ReduceBet, RejectExcess, WithdrawBet
from punto.table.irregularity_events import Effect, Rule
from punto.table.terms import BetLimits, Noticing
from tests.clauses.box_one import in_box_one
from tests.table.scenes import MANAGER, SHIFT, names, returned

BY_DEALER: dict[str, Any] = {"noticing": Noticing.DEALER}


@pytest.mark.clause("insurance", "3.4")
@pytest.mark.clause("insurance", "3.5")
def test_limits_are_part_of_what_everybody_sees_and_bind_everybody() -> None:
    scene = in_box_one(minimum=2000, differential=8000, bet_limits={"tie": BetLimits(1000, 3000)})
    terms = scene.table.terms
    assert (terms.minimum, terms.differential, terms.limits_of("tie").maximum) == (2000, 8000, 3000)
    small = {"box": 1, "area": "player", "amount": 1900}
    assert scene.refuse(PlaceBet, "Ann", **small) == "below-minimum 5.2"
    assert scene.refuse(PlaceBet, "Ann", box=1, area="tie", amount=2100) == "above-maximum 3.4"
    scene.bet("Ann", "tie", 2000)
    assert scene.refuse(PlaceBet, "Ann", box=1, area="tie", amount=100) == "above-maximum 3.4"
    assert scene.refuse(PlaceBet, "Ann", box=1, area="player", amount=2050) == "not-in-chips"
    assert scene.refuse(PlaceBet, "Ann", box=1, area="player", amount=-2000) == "not-in-chips"


@pytest.mark.clause("insurance", "1.5")
def test_the_differential_is_that_of_banker_and_player_in_one_box() -> None:
    scene = in_box_one(differential=5000)
    scene.seat("Ben", 2)
    scene.bet("Ann", "player", 5000)
    full = {"box": 1, "area": "player", "amount": 1000}
    assert scene.refuse(PlaceBet, "Ann", **full) == "over-differential 5.1"
    scene.bet("Ann", "super-six-plus", 9000)  # side bets do not count
    scene.bet("Ben", "player", 5000)  # nor does another box
    scene.bet("Ann", "banker", 2000)  # the difference is now 3000
    (placed,) = scene.do(PlaceBet, "Ann", **{**full, "amount": 9000})
    assert (placed.amount, placed.rejected) == (2000, 7000)


@pytest.mark.clause("insurance", "1.5")
def test_taking_off_the_lighter_side_may_not_open_the_differential() -> None:
    scene = in_box_one(differential=5000)
    scene.bet("Ann", "banker", 2000)
    scene.bet("Ann", "player", 7000)
    assert scene.refuse(WithdrawBet, "Ann", box=1, area="banker") == "opens-differential 5.1"
    assert scene.refuse(ReduceBet, "Ann", box=1, area="banker", amount=100) == "opens-differential 5.1"
    scene.do(ReduceBet, "Ann", box=1, area="player", amount=1000)
    scene.do(ReduceBet, "Ann", box=1, area="banker", amount=1000)
    assert scene.lying() == ["Ann tie 1000", "Ann banker 1000", "Ann player 6000"]


@pytest.mark.clause("insurance", "5.1")
def test_a_seated_bet_comes_before_standing_ones() -> None:
    """5000 is the limit. Ben and Cat stand behind Ann with 3000 and 2000; Ann then bets 2500 herself."""
    scene = in_box_one(differential=5000)
    scene.bet("Ben", "banker", 3000, box=1)
    scene.bet("Cat", "banker", 2000, box=1)
    events = scene.bet("Ann", "banker", 2500)
    # 2500 too much: Cat came last and gives 2000, of Ben's 3000 another 500 goes back.
    assert [event.clause for event in events] == [None, "5.1", "5.1"]
    assert returned(events) == ["Cat banker 2000", "Ben banker 500"]
    assert scene.lying() == ["Ann tie 1000", "Ben banker 2500", "Ann banker 2500"]
    full = {"box": 1, "area": "banker", "amount": 1000}
    assert scene.refuse(PlaceBet, "Cat", **full) == "over-differential 5.1"


@pytest.mark.clause("insurance", "5.1")
def test_a_dealer_who_notices_rejects_the_excess() -> None:
    scene = in_box_one(differential=5000, **BY_DEALER)
    scene.bet("Ben", "player", 4000, box=1)
    scene.bet("Ann", "player", 3000)
    assert returned(scene.do(RejectExcess, box=1)) == ["Ben player 2000"]
    assert scene.lying() == ["Ann tie 1000", "Ben player 2000", "Ann player 3000"]
    assert scene.refuse(RejectExcess, box=1) == "not-over 5.1"
    scene.close()
    assert scene.refuse(RejectExcess, box=1) == "bets-closed 5.6"


@pytest.mark.clause("insurance", "3.4")
def test_what_a_dealer_rejects_over_a_maximum_is_by_the_limits_and_not_by_the_differential() -> None:
    scene = in_box_one(differential=5000, bet_limits={"super-six-plus": BetLimits(1000, 3000)}, **BY_DEALER)
    scene.bet("Ann", "super-six-plus", 8000)
    scene.bet("Ann", "player", 6000)
    back = [(event.area, event.amount, event.clause) for event in scene.do(RejectExcess, box=1)]
    assert back == [("super-six-plus", 5000, "3.4"), ("player", 1000, "5.1")]


@pytest.mark.clause("insurance", "5.1.1")
def test_an_excess_nobody_noticed_is_settled_pro_rata() -> None:
    """Player 9000 and 3000 against Banker 2000, limit 4000: half of each counts, (2000 + 4000) / 12000."""
    scene = in_box_one(differential=4000, **BY_DEALER)
    scene.bet("Ann", "player", 9000)
    scene.bet("Ben", "player", 3000, box=1)
    scene.bet("Cat", "banker", 2000, box=1)
    events = scene.do(CloseBets)
    assert names(events) == ["bet-returned", "bet-returned", "bets-closed"]
    assert returned(events) == ["Ann player 4500", "Ben player 1500"]
    assert [event.clause for event in events[:2]] == ["5.1.1", "5.1.1"]
    scene.deal("KS KH 9D 7C")
    assert scene.settle() == [
        "Ann player win +4500 by 4.1.1",
        "Ann tie lose -1000 by 4.1.1",
        "Ben player win +1500 by 4.1.1",
        "Cat banker lose -2000 by 4.1.1",
    ]


@pytest.mark.clause("insurance", "5.1.1")
def test_no_share_falls_below_the_minimum_and_nobody_pays_for_that() -> None:
    """Banker 9000 and 1500, limit 3500: a third of each. Ben's 500 is lifted to 1000, Ann's 3000 stays."""
    scene = in_box_one(differential=3500, **BY_DEALER)
    scene.bet("Ann", "banker", 9000)
    scene.bet("Ben", "banker", 1500, box=1)
    scene.close()
    assert scene.lying() == ["Ann tie 1000", "Ann banker 3000", "Ben banker 1000"]


@pytest.mark.clause("insurance", "5.1.1")
def test_a_scaled_stake_is_rounded_by_the_terms_and_caps_insurance() -> None:
    """Player 7000 and 4000 with a limit of 5000: shares of 3181.81… and 1818.18…"""
    scene = in_box_one(differential=5000, chip=1, **BY_DEALER)
    scene.bet("Ann", "player", 7000)
    scene.bet("Ben", "player", 4000, box=1)
    scene.close()
    assert scene.lying() == ["Ann tie 1000", "Ann player 3182", "Ben player 1818"]
    scene.deal("KS KH 6D 5C")
    assert scene.offers() == ["Ann player 3:1 up to 1060", "Ben player 3:1 up to 606"]


@pytest.mark.clause("insurance", "5.1.2")
def test_a_bet_under_the_minimum_is_not_scaled_but_counts_in_the_totals() -> None:
    """Player 9500 and 500, limit 5000: half. Ben's 500 lay under the minimum of 1000 and stays whole."""
    scene = in_box_one(differential=5000, **BY_DEALER)
    scene.bet("Ann", "player", 9500)
    scene.bet("Ben", "player", 500, box=1)
    scene.close()
    assert scene.lying() == ["Ann tie 1000", "Ann player 4750", "Ben player 500"]


@pytest.mark.clause("insurance", "5.2")
def test_a_player_told_of_the_minimum_raises_or_withdraws_before_bets_close() -> None:
    scene = in_box_one(**BY_DEALER)
    scene.bet("Ann", "player", 500)
    scene.bet("Ann", "banker", 500)
    for area in ("player", "banker"):
        (advised,) = scene.do(AdviseMinimum, box=1, area=area, player="Ann")
        assert advised.clause == "5.2"
    assert scene.refuse(AdviseMinimum, box=1, area="player", player="Ann") == "not-under 5.2"
    assert scene.refuse(AdviseMinimum, box=1, area="tie", player="Ann") == "not-under 5.2"
    assert scene.refuse(CloseBets) == "advised-bets 5.18"
    scene.bet("Ann", "player", 500)
    assert scene.refuse(CloseBets) == "advised-bets 5.18"
    scene.do(WithdrawBet, "Ann", box=1, area="banker")
    scene.close()


@pytest.mark.clause("insurance", "5.2")
@pytest.mark.clause("insurance", "5.18")
def test_a_player_told_who_does_neither_is_ruled_on() -> None:
    scene = in_box_one(**BY_DEALER)
    scene.bet("Ann", "player", 500)
    scene.do(AdviseMinimum, box=1, area="player", player="Ann")
    stand = {"effect": Effect.STAND, "reason": "only chip"}
    assert scene.refuse(Rule, MANAGER, **stand) == "not-allowed 5.18"
    (ruled,) = scene.do(Rule, SHIFT, **stand)
    assert (ruled.reason, ruled.clause) == ("only chip", "5.18")
    scene.close()


@pytest.mark.clause("insurance", "5.2.1")
def test_a_bet_under_the_minimum_that_nobody_noticed_plays_as_it_lies() -> None:
    scene = in_box_one(**BY_DEALER)
    scene.bet("Ann", "player", 100)
    scene.close()
    scene.deal("KS KH 9D 7C")
    assert scene.settle()[0] == "Ann player win +100 by 4.1.1"
