"""Baccarat with Insurance at the table: people, limits, squeezes and insurance as the round goes on."""

from typing import Any

import pytest

from punto.table import command as c
from punto.table.layout import SqueezeKind
from punto.table.state import Phase
from punto.table.terms import BetLimits, Faces, Noticing, Offering
from tests.table.scenes import DEALER, MANAGER, SHIFT, SUPERVISOR, B, P, Scene, names, returned, terms_of

DOWN: dict[str, Any] = {"faces": Faces.DOWN}
BY_DEALER: dict[str, Any] = {"noticing": Noticing.DEALER}
FORGETFUL: dict[str, Any] = {"offering": Offering.DEALER}


def in_box_one(*standing: str, **terms: Any) -> Scene:
    """Ann sits at box 1 with a bet on the tie, so that others may stand behind her; bets are open."""
    scene = Scene("insurance", **terms)
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "tie", 1000)
    assert not standing or scene.state.box_of(standing[0]) is None
    return scene


# ── People ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "1.13")
@pytest.mark.clause("insurance", "5.17")
def test_pit_employees_bet_for_a_player_and_the_shift_manager_does_not() -> None:
    scene = in_box_one()
    bet = {"box": 1, "area": "player", "amount": 1000, "player": "Ann"}
    for employee in (DEALER, SUPERVISOR, MANAGER):
        (placed,) = scene.do(c.PlaceBet, employee, **bet)
        assert (placed.by, placed.player, placed.is_seated) == (employee, "Ann", True)
    assert scene.lying() == ["Ann tie 1000", "Ann player 3000"]
    assert scene.refuse(c.PlaceBet, SHIFT, **bet) == "not-allowed 5.17"
    assert scene.refuse(c.PlaceBet, DEALER, box=1, area="player", amount=1000) == "no-player"
    assert scene.refuse(c.PlaceBet, DEALER, **{**bet, "player": ""}) == "no-player"
    assert scene.refuse(c.PlaceBet, "Ben", **bet) == "not-yours"


@pytest.mark.clause("insurance", "5.14")
@pytest.mark.clause("insurance", "5.17")
def test_a_bet_laid_wrong_on_behalf_is_the_players_own() -> None:
    """Ann meant Player; what lies on Banker when bets close is what counts."""
    scene = in_box_one()
    scene.do(c.PlaceBet, DEALER, box=1, area="banker", amount=2000, player="Ann")
    scene.close()
    assert scene.refuse(c.WithdrawBet, "Ann", box=1, area="banker") == "late-withdrawal 5.6"
    scene.deal("KS KH 9D 7C")
    assert scene.settle() == ["Ann banker lose -2000 by 4.1.1", "Ann tie lose -1000 by 4.1.1"]


@pytest.mark.clause("insurance", "5.14")
def test_bets_are_settled_as_they_lay_at_the_close() -> None:
    scene = in_box_one()
    scene.bet("Ann", "player", 5000)
    scene.do(c.ReduceBet, "Ann", box=1, area="player", amount=2000)
    scene.bet("Ann", "player", 500)
    scene.do(c.WithdrawBet, "Ann", box=1, area="tie")
    scene.close()
    scene.deal("KS KH 9D 7C")
    assert scene.settle() == ["Ann player win +3500 by 4.1.1"]


@pytest.mark.clause("insurance", "1.19")
@pytest.mark.clause("insurance", "1.20")
def test_a_standing_player_bets_where_a_seated_one_has_bet() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    bet = {"box": 1, "area": "player", "amount": 1000}
    assert scene.refuse(c.PlaceBet, "Ben", **bet) == "behind-nobody 1.20"
    scene.bet("Ann", "banker", 1000)
    (placed,) = scene.do(c.PlaceBet, "Ben", **bet)
    assert placed.is_seated is False
    (placed,) = scene.do(c.PlaceBet, "Ann", **bet)
    assert placed.is_seated is True
    assert scene.refuse(c.PlaceBet, "Ben", box=2, area="player", amount=1000) == "behind-nobody 1.20"


@pytest.mark.clause("insurance", "3.6")
def test_nobody_can_keep_a_box_to_oneself() -> None:
    """Ann bets a tenth of what the box takes; Ben and Cat take up the balance, unasked, and no more."""
    scene = in_box_one(differential=10_000)
    scene.bet("Ann", "player", 1000)
    scene.bet("Ben", "player", 5000, box=1)
    (placed,) = scene.bet("Cat", "player", 5000, box=1)
    assert (placed.amount, placed.rejected, placed.clause) == (4000, 1000, "5.1")


@pytest.mark.clause("insurance", "1.18")
@pytest.mark.clause("insurance", "3.3")
@pytest.mark.clause("insurance", "3.8")
def test_a_round_runs_from_the_call_to_the_settlement() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    bet = {"box": 1, "area": "player", "amount": 1000}
    assert scene.refuse(c.PlaceBet, "Ann", **bet) == "bets-not-open 3.3"
    scene.call()
    scene.bet("Ann", "player", 1000)
    (closed,) = scene.do(c.CloseBets)
    assert closed.clause == "3.8"
    assert scene.refuse(c.SettleRound) == "deal-unfinished 1.18"
    scene.deal("KS KH 9D 7C")
    for command in (c.CallBets, c.PauseTable, c.LoadShoe):
        assert scene.refuse(command) == "between-rounds"
    assert scene.refuse(c.CloseTable, SUPERVISOR) == "between-rounds"
    scene.settle()
    assert scene.state.phase is Phase.IDLE
    assert scene.refuse(c.SettleRound) == "no-round 1.18"
    scene.call()
    assert scene.state.round == 2


@pytest.mark.clause("insurance", "5.6")
def test_after_no_more_bets_nothing_is_placed_raised_or_taken_off() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=1000")
    for cards in ("", "KS KH 9D 7C"):
        scene.deal(cards)
        assert scene.refuse(c.PlaceBet, "Ann", box=1, area="tie", amount=1000) == "bets-closed 5.6"
        assert scene.refuse(c.PlaceBet, "Ann", box=1, area="player", amount=1000) == "bets-closed 5.6"
        assert scene.refuse(c.ReduceBet, "Ann", box=1, area="player", amount=500) == "late-withdrawal 5.6"
        assert scene.refuse(c.WithdrawBet, "Ann", box=1, area="player") == "late-withdrawal 5.6"


@pytest.mark.clause("insurance", "5.3")
@pytest.mark.clause("insurance", "5.3.1")
def test_who_walks_away_is_settled_and_has_forgone_insurance() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000", Ben="player=3000")
    scene.do(c.WalkAway, "Ben")
    scene.deal("KS KH 6D 5C")  # Player 6, Banker 5
    assert scene.offers() == ["Ann player 3:1 up to 1000"]
    scene.do(c.ComeBack, "Ben")  # too late: it was forgone by walking away
    assert scene.refuse(c.TakeInsurance, "Ben", box=2, hand=P, amount=1000) == "forgone 5.3"
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=1000)
    closed = scene.deal("4S")[0]  # Banker draws to nine
    assert (closed.name(), closed.forgone, closed.clause) == ("insurance-closed", (), "5.3")
    assert scene.settle() == [
        "Ann player lose -3000 by 4.1.1",
        "Ann insurance-player-4 win +3000 by 4.1.2",
        "Ben player lose -3000 by 4.1.1",
    ]


# ── Limits ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "3.4")
@pytest.mark.clause("insurance", "3.5")
def test_limits_are_part_of_what_everybody_sees_and_bind_everybody() -> None:
    scene = in_box_one(minimum=2000, differential=8000, bet_limits={"tie": BetLimits(1000, 3000)})
    terms = scene.table.terms
    assert (terms.minimum, terms.differential, terms.limits_of("tie").maximum) == (2000, 8000, 3000)
    small = {"box": 1, "area": "player", "amount": 1900}
    assert scene.refuse(c.PlaceBet, "Ann", **small) == "below-minimum 5.2"
    assert scene.refuse(c.PlaceBet, "Ann", box=1, area="tie", amount=2100) == "above-maximum 3.4"
    scene.bet("Ann", "tie", 2000)
    assert scene.refuse(c.PlaceBet, "Ann", box=1, area="tie", amount=100) == "above-maximum 3.4"
    assert scene.refuse(c.PlaceBet, "Ann", box=1, area="player", amount=2050) == "not-in-chips"
    assert scene.refuse(c.PlaceBet, "Ann", box=1, area="player", amount=-2000) == "not-in-chips"


@pytest.mark.clause("insurance", "1.5")
def test_the_differential_is_that_of_banker_and_player_in_one_box() -> None:
    scene = in_box_one(differential=5000)
    scene.seat("Ben", 2)
    scene.bet("Ann", "player", 5000)
    full = {"box": 1, "area": "player", "amount": 1000}
    assert scene.refuse(c.PlaceBet, "Ann", **full) == "over-differential 5.1"
    scene.bet("Ann", "super-six-plus", 9000)  # side bets do not count
    scene.bet("Ben", "player", 5000)  # nor does another box
    scene.bet("Ann", "banker", 2000)  # the difference is now 3000
    (placed,) = scene.do(c.PlaceBet, "Ann", **{**full, "amount": 9000})
    assert (placed.amount, placed.rejected) == (2000, 7000)


@pytest.mark.clause("insurance", "1.5")
def test_taking_off_the_lighter_side_may_not_open_the_differential() -> None:
    scene = in_box_one(differential=5000)
    scene.bet("Ann", "banker", 2000)
    scene.bet("Ann", "player", 7000)
    assert scene.refuse(c.WithdrawBet, "Ann", box=1, area="banker") == "opens-differential 5.1"
    assert scene.refuse(c.ReduceBet, "Ann", box=1, area="banker", amount=100) == "opens-differential 5.1"
    scene.do(c.ReduceBet, "Ann", box=1, area="player", amount=1000)
    scene.do(c.ReduceBet, "Ann", box=1, area="banker", amount=1000)
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
    assert scene.refuse(c.PlaceBet, "Cat", **full) == "over-differential 5.1"


@pytest.mark.clause("insurance", "5.1")
def test_a_dealer_who_notices_rejects_the_excess() -> None:
    scene = in_box_one(differential=5000, **BY_DEALER)
    scene.bet("Ben", "player", 4000, box=1)
    scene.bet("Ann", "player", 3000)
    assert returned(scene.do(c.RejectExcess, box=1)) == ["Ben player 2000"]
    assert scene.lying() == ["Ann tie 1000", "Ben player 2000", "Ann player 3000"]
    assert scene.refuse(c.RejectExcess, box=1) == "not-over 5.1"
    scene.close()
    assert scene.refuse(c.RejectExcess, box=1) == "bets-closed 5.6"


@pytest.mark.clause("insurance", "5.1.1")
def test_an_excess_nobody_noticed_is_settled_pro_rata() -> None:
    """Player 9000 and 3000 against Banker 2000, limit 4000: half of each counts, (2000 + 4000) / 12000."""
    scene = in_box_one(differential=4000, **BY_DEALER)
    scene.bet("Ann", "player", 9000)
    scene.bet("Ben", "player", 3000, box=1)
    scene.bet("Cat", "banker", 2000, box=1)
    events = scene.do(c.CloseBets)
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
        (advised,) = scene.do(c.AdviseMinimum, box=1, area=area, player="Ann")
        assert advised.clause == "5.2"
    assert scene.refuse(c.AdviseMinimum, box=1, area="player", player="Ann") == "not-under 5.2"
    assert scene.refuse(c.AdviseMinimum, box=1, area="tie", player="Ann") == "not-under 5.2"
    assert scene.refuse(c.CloseBets) == "advised-bets 5.18"
    scene.bet("Ann", "player", 500)
    assert scene.refuse(c.CloseBets) == "advised-bets 5.18"
    scene.do(c.WithdrawBet, "Ann", box=1, area="banker")
    scene.close()


@pytest.mark.clause("insurance", "5.2")
@pytest.mark.clause("insurance", "5.18")
def test_a_player_told_who_does_neither_is_ruled_on() -> None:
    scene = in_box_one(**BY_DEALER)
    scene.bet("Ann", "player", 500)
    scene.do(c.AdviseMinimum, box=1, area="player", player="Ann")
    stand = {"effect": c.Effect.STAND, "reason": "only chip"}
    assert scene.refuse(c.Rule, MANAGER, **stand) == "not-allowed 5.18"
    (ruled,) = scene.do(c.Rule, SHIFT, **stand)
    assert (ruled.reason, ruled.clause) == ("only chip", "5.18")
    scene.close()


@pytest.mark.clause("insurance", "5.2.1")
def test_a_bet_under_the_minimum_that_nobody_noticed_plays_as_it_lies() -> None:
    scene = in_box_one(**BY_DEALER)
    scene.bet("Ann", "player", 100)
    scene.close()
    scene.deal("KS KH 9D 7C")
    assert scene.settle()[0] == "Ann player win +100 by 4.1.1"


# ── Insurance ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "3.11")
@pytest.mark.clause("insurance", "3.12")
def test_who_holds_the_bet_is_offered_its_insurance_and_nobody_else() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=5000", Ben="banker=5000", Cat="tie=1000")
    events = scene.deal("KS KH 6D 5C")
    assert events[-1].odds == {"player": "3:1"}
    assert scene.offers() == ["Ann player 3:1 up to 1600"]  # 5000 / 3, cut down to chips of 100
    take = {"hand": P, "amount": 100}
    assert scene.refuse(c.TakeInsurance, "Ben", box=2, **take) == "no-offer-to 3.11"
    assert scene.refuse(c.TakeInsurance, "Cat", box=3, **take) == "no-offer-to 3.11"
    assert scene.refuse(c.TakeInsurance, "Ann", box=1, hand=B, amount=100) == "no-offer-to 3.11"
    assert scene.refuse(c.TakeInsurance, "Ann", box=1, hand=P, amount=150) == "not-in-chips"
    scene.do(c.TakeInsurance, DEALER, box=1, player="Ann", **take)
    assert scene.lying()[-1] == "Ann insurance-player-4 100"


@pytest.mark.clause("insurance", "3.12")
@pytest.mark.clause("insurance", "3.12.2")
def test_pay_outs_of_both_windows_together_stay_within_the_bet() -> None:
    """Player 5, Banker 4: 2:1. Player draws a two to seven: 4:1."""
    scene = Scene("insurance")
    scene.start(Ann="player=10000")
    scene.deal("KS KH 5D 4C")
    take = {"box": 1, "hand": P}
    assert scene.offers() == ["Ann player 2:1 up to 5000"]
    assert scene.refuse(c.TakeInsurance, "Ann", amount=5100, **take) == "over-cap 3.12.2"
    scene.do(c.TakeInsurance, "Ann", amount=2000, **take)
    assert scene.refuse(c.TakeInsurance, "Ann", amount=3100, **take) == "over-cap 3.12.2"
    scene.do(c.TakeInsurance, "Ann", amount=1000, **take)
    scene.deal("2S")
    assert scene.offers() == ["Ann player 4:1 up to 1000"]  # (10000 - 3000 × 2) / 4
    assert scene.refuse(c.TakeInsurance, "Ann", amount=1100, **take) == "over-cap 3.12.2"
    scene.do(c.TakeInsurance, "Ann", amount=1000, **take)
    scene.deal("5H")  # Banker 9
    assert scene.settle() == [
        "Ann player lose -10000 by 4.1.1",
        "Ann insurance-player-4 win +4000 by 4.1.2",
        "Ann insurance-player-4 win +2000 by 4.1.2",
        "Ann insurance-player-5 win +4000 by 4.1.2",
    ]


@pytest.mark.clause("insurance", "5.3")
def test_who_let_an_offer_pass_has_no_later_one_and_who_had_none_may() -> None:
    """Player 0, Banker 5: 2:1 on Banker. Player draws a seven: 4:1 on Player."""
    scene = Scene("insurance")
    scene.start(Ann="player=4000 banker=2000", Ben="player=4000", Cat="banker=2000 player=4000")
    scene.deal("KS KH KD 5C")
    assert scene.offers() == ["Ann banker 2:1 up to 1000", "Cat banker 2:1 up to 1000"]
    scene.do(c.TakeInsurance, "Cat", box=3, hand=B, amount=500)
    scene.deal("7S")
    assert scene.offers() == ["Ben player 4:1 up to 1000", "Cat player 4:1 up to 1000"]
    assert scene.refuse(c.TakeInsurance, "Ann", box=1, hand=P, amount=100) == "forgone 5.3"


@pytest.mark.clause("insurance", "5.3")
def test_declining_is_forgoing() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=4000", Ben="banker=4000")
    scene.deal("KS KH 5D 4C")
    scene.do(c.DeclineInsurance, "Ann")
    assert scene.refuse(c.TakeInsurance, "Ann", box=1, hand=P, amount=100) == "forgone 5.3"
    assert scene.refuse(c.DeclineInsurance, "Ann") == "forgone 5.3"
    assert scene.refuse(c.DeclineInsurance, "Ben") == "forgone 5.3"  # had nothing to decline
    scene.deal("2S")
    assert scene.offers() == []


@pytest.mark.clause("insurance", "3.12.1")
def test_no_window_where_no_card_is_to_come() -> None:
    """Player 1 draws a five to six beside Banker 6, which stands: the table's row is not offered."""
    scene = Scene("insurance")
    scene.start(Ann="player=4000 banker=4000")
    assert scene.refuse(c.TakeInsurance, "Ann", box=1, hand=P, amount=100) == "no-window 3.12.1"
    scene.deal("KS KH AD 6C")
    assert scene.state.window == 4
    events = scene.deal("5S")
    assert names(events) == ["insurance-closed", "card-dealt", "deal-finished"]


@pytest.mark.clause("insurance", "4.2.1")
def test_insurance_on_a_nine_is_paid_when_banker_draws_to_nine() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=8000")
    scene.deal("KS KH 5D 4C")
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=400)
    scene.deal("4S")
    assert scene.offers() == ["Ann player 8:1 up to 900"]  # (8000 - 800) / 8
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=900)
    scene.deal("5H")
    assert scene.settle() == [
        "Ann player push 0 by 3.17",
        "Ann insurance-player-4 push 0 by 4.2.1",
        "Ann insurance-player-5 win +7200 by 4.2.1",
    ]


@pytest.mark.clause("insurance", "4.2.2")
def test_a_private_table_without_insurance_says_so_to_who_sits_down() -> None:
    scene = Scene("insurance", private=True, insurance=False, requested_by="Ann")
    (seated,) = scene.do(c.TakeSeat, "Ann", box=1)
    assert seated.notice == "4.2.2"
    scene.start(Ann="player=3000")
    assert names(scene.deal("KS KH 6D 5C"))[-1] == "card-dealt"
    assert scene.state.window is None
    take = {"box": 1, "hand": P, "amount": 100}
    assert scene.refuse(c.TakeInsurance, "Ann", **take) == "insurance-excluded 4.2.2"
    assert scene.refuse(c.OfferInsurance) == "insurance-excluded 4.2.2"
    assert scene.refuse(c.WishInsurance, "Ann", box=1, hand=P) == "insurance-excluded 4.2.2"
    scene.deal("4S")
    assert scene.refuse_report(seen="insurance-neglected") == "not-neglected 5.13"


@pytest.mark.clause("insurance", "4.2.2")
def test_only_a_private_table_may_go_without() -> None:
    scene = Scene("insurance", private=True)
    (seated,) = scene.do(c.TakeSeat, "Ann", box=1)
    assert seated.notice is None
    public = terms_of("insurance", insurance=False)
    assert scene.refuse(c.ChangeTerms, SUPERVISOR, terms=public) == "wrong-terms 4.2.2"


@pytest.mark.clause("insurance", "4.2.2")
def test_who_asked_for_no_insurance_is_on_record() -> None:
    scene = Scene("insurance", private=True)
    for asked in (None, "", "  "):
        terms = terms_of("insurance", private=True, insurance=False, requested_by=asked)
        assert scene.refuse(c.ChangeTerms, SUPERVISOR, terms=terms) == "term-missing 4.2.2"
    for_nothing = terms_of("insurance", private=True, requested_by="Ann")
    assert scene.refuse(c.ChangeTerms, SUPERVISOR, terms=for_nothing) == "wrong-terms"
    on_request = terms_of("insurance", private=True, insurance=False, requested_by="Ann")
    scene.do(c.ChangeTerms, SUPERVISOR, terms=on_request)
    assert scene.table.terms.requested_by == "Ann"


@pytest.mark.clause("insurance", "5.13")
def test_who_wished_and_would_have_won_gets_the_original_bet_back() -> None:
    scene = Scene("insurance", **FORGETFUL)
    scene.start(Ann="player=3000 tie=1000", Ben="player=3000", Cat="banker=3000")
    scene.deal("KS KH 6D 5C")
    assert scene.state.window is None
    scene.do(c.WishInsurance, "Ann", box=1, hand=P)
    assert scene.refuse(c.WishInsurance, "Ann", box=1, hand=P) == "already-wished 5.13"
    assert scene.refuse(c.WishInsurance, "Cat", box=3, hand=P) == "no-offer-to 3.11"
    assert scene.refuse(c.WishInsurance, "Cat", box=3, hand=B) == "no-window 3.12.1"
    assert names(scene.deal("4S"))[0] == "insurance-neglected"
    assert scene.refuse(c.WishInsurance, "Ben", box=2, hand=P) == "no-window 5.3"
    scene.report(seen="insurance-neglected")
    assert scene.found() == "insurance-neglected awaits return-bets 5.13"
    assert scene.refuse(c.ReturnBets, SUPERVISOR) == "not-allowed 5.13"
    events = scene.do(c.ReturnBets, MANAGER)
    assert returned(events) == ["Ann player 3000"]
    assert events[0].clause == "5.13"
    assert scene.settle() == [
        "Ann tie lose -1000 by 4.1.1",
        "Ben player lose -3000 by 4.1.1",
        "Cat banker win +3000 by 4.1.1",
    ]


@pytest.mark.clause("insurance", "5.13")
def test_it_may_be_noticed_after_the_settlement_too() -> None:
    scene = Scene("insurance", **FORGETFUL)
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 5C")
    scene.do(c.WishInsurance, DEALER, box=1, hand=P, player="Ann")
    scene.deal("4S")
    assert scene.settle() == ["Ann player lose -3000 by 4.1.1"]
    events = scene.report(seen="insurance-neglected")
    assert names(events) == ["settlement-reversed", "case-opened", "clause-found"]
    assert returned(scene.do(c.ReturnBets, MANAGER)) == ["Ann player 3000"]
    assert scene.settle() == []


@pytest.mark.clause("insurance", "5.13")
def test_a_wish_that_would_have_lost_or_was_met_returns_nothing() -> None:
    scene = Scene("insurance", **FORGETFUL)
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 5C")
    scene.do(c.WishInsurance, "Ann", box=1, hand=P)
    scene.deal("KD")  # Player wins
    assert scene.refuse_report(seen="insurance-neglected") == "not-neglected 5.13"
    scene.settle()
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 5C")
    scene.do(c.WishInsurance, "Ann", box=1, hand=P)
    scene.do(c.OfferInsurance)
    assert scene.refuse(c.WishInsurance, "Ann", box=1, hand=P) == "was-offered 5.13"
    scene.deal("4S")
    assert scene.refuse_report(seen="insurance-neglected") == "not-neglected 5.13"


# ── Squeezing ────────────────────────────────────────────────────────────────────────────────────


def squeezing() -> Scene:
    """Face down; Ann has the highest bet, and Ben behind her a higher one, but he stands."""
    scene = Scene("insurance", **DOWN)
    scene.seat("Ann", 1)
    scene.seat("Cat", 2)
    scene.call()
    scene.bet("Cat", "player", 2000)
    scene.bet("Ann", "banker", 3000)
    scene.bet("Ben", "banker", 9000, box=1)
    scene.bet("Cat", "tie", 50_000)
    scene.close()
    return scene


@pytest.mark.clause("insurance", "3.9")
def test_the_highest_seated_bettor_may_ask_for_a_card_before_it_is_dealt() -> None:
    scene = squeezing()
    ask = {"hand": B, "number": 1}
    assert scene.refuse(c.AskSqueeze, "Ben", **ask) == "not-highest 3.9"
    assert scene.refuse(c.AskSqueeze, "Cat", **ask) == "not-highest 3.9"
    scene.do(c.AskSqueeze, "Ann", **ask)
    assert scene.refuse(c.AskSqueeze, "Ann", hand=B, number=2) == "asked-already 3.9"
    scene.do(c.AnswerSqueeze, consent=True)
    scene.deal("KS KH KD 5C")
    assert scene.refuse(c.AskSqueeze, "Ann", hand=B, number=2) == "card-already-dealt 3.9"
    assert scene.refuse(c.RevealCard, "Ann", hand=B, number=2) == "not-your-card 3.9"
    assert scene.refuse(c.RevealCard, "Cat", hand=B, number=1) == "not-your-card 3.9"
    (revealed,) = scene.do(c.RevealCard, "Ann", hand=B, number=1)
    assert (revealed.by, str(revealed.card)) == ("Ann", "KH")
    assert scene.hands() == "?? ?? / KH ??"


@pytest.mark.clause("insurance", "3.9")
def test_of_equal_bets_the_one_placed_first_may_ask() -> None:
    scene = Scene("insurance", **DOWN)
    scene.start(Ann="player=2000", Ben="banker=2000")
    assert scene.refuse(c.AskSqueeze, "Ben", hand=P, number=1) == "not-highest 3.9"
    scene.do(c.AskSqueeze, "Ann", hand=P, number=1)
    (answered,) = scene.do(c.AnswerSqueeze, SUPERVISOR, consent=False)
    assert answered.waives is False
    scene.deal("KS KH KD 5C")
    assert scene.refuse(c.RevealCard, "Ann", hand=P, number=1) == "not-your-card 3.9"


@pytest.mark.clause("insurance", "3.9")
def test_cards_dealt_face_up_are_not_squeezed() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=2000")
    assert scene.refuse(c.AskSqueeze, "Ann", hand=P, number=1) == "face-up-table 3.9"


@pytest.mark.clause("insurance", "3.14")
@pytest.mark.parametrize(
    ("kind", "by"), [(SqueezeKind.BANKER_THIRD_FIRST, "Ann"), (SqueezeKind.BANKER_THIRD_SHOWN, DEALER)]
)
def test_bankers_third_card_before_players_waives_the_second_window_for_all(
    kind: SqueezeKind, by: str
) -> None:
    """Player 2, Banker 1: both draw whatever comes. Player's third makes seven, insured at 4:1 otherwise."""
    scene = squeezing()
    scene.deal("KS KH 2D AC")
    assert scene.refuse(c.AskSqueeze, "Ann", kind=kind) == "not-certain 3.14"  # nobody has seen them yet
    scene.open_all()
    assert scene.refuse(c.AskSqueeze, "Cat", kind=kind) == "not-highest 3.9"
    scene.do(c.AskSqueeze, "Ann", kind=kind)
    (answered,) = scene.do(c.AnswerSqueeze, consent=True)
    assert (answered.waives, answered.clause) == (True, "3.14")
    scene.deal("5S 6H")
    assert scene.refuse(c.RevealCard, hand=P, number=3) == "no-such-card 3.10"
    scene.do(c.RevealCard, by, hand=B, number=3)
    opener = "Ann" if kind is SqueezeKind.BANKER_THIRD_SHOWN else DEALER
    assert names(scene.do(c.RevealCard, opener, hand=P, number=3)) == ["card-revealed", "deal-finished"]
    assert scene.state.window is None
    assert scene.settle()[0] == "Ann banker push 0 by 3.17"  # seven each


@pytest.mark.clause("insurance", "3.14")
def test_without_consent_the_second_window_opens() -> None:
    scene = squeezing()
    scene.deal("KS KH 2D AC")
    scene.open_all()
    scene.do(c.AskSqueeze, "Ann", kind=SqueezeKind.BANKER_THIRD_FIRST)
    scene.do(c.AnswerSqueeze, consent=False)
    scene.deal("5S")
    scene.open_all()
    assert scene.offers() == ["Cat player 4:1 up to 500"]


@pytest.mark.clause("insurance", "3.14")
def test_consent_comes_too_late_once_players_third_card_is_open() -> None:
    scene = squeezing()
    scene.deal("KS KH 2D AC")
    scene.open_all()
    scene.do(c.AskSqueeze, "Ann", kind=SqueezeKind.BANKER_THIRD_FIRST)
    scene.deal("5S")
    scene.open_all()
    assert scene.refuse(c.AnswerSqueeze, consent=True) == "not-certain 3.14"
    scene.do(c.TakeInsurance, "Cat", box=2, hand=P, amount=500)
    scene.do(c.AnswerSqueeze, consent=False)
    scene.deal("8H")
    scene.open_all()
    assert scene.settle()[-2:] == [
        "Cat insurance-player-5 win +2000 by 4.1.2",
        "Cat tie lose -50000 by 4.1.1",
    ]


@pytest.mark.clause("insurance", "3.14")
def test_nobody_may_ask_while_bankers_third_card_is_uncertain() -> None:
    scene = squeezing()
    scene.deal("KS KH 2D 3C")  # Banker 3 stands beside an eight
    scene.open_all()
    for kind in (SqueezeKind.BANKER_THIRD_FIRST, SqueezeKind.BANKER_THIRD_SHOWN):
        assert scene.refuse(c.AskSqueeze, "Ann", kind=kind) == "not-certain 3.14"
