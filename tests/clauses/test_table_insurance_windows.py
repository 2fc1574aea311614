"""Baccarat with Insurance at the table: both windows, private tables, and offers that were forgotten."""

from typing import Any

import pytest

from punto.table.house import ChangeTerms, TakeSeat
from punto.table.insurance import DeclineInsurance, OfferInsurance, TakeInsurance, WishInsurance
from punto.table.irregularity_events import ReturnBets
from punto.table.terms import Offering
from tests.table.scenes import DEALER, MANAGER, SUPERVISOR, B, P, Scene, names, returned, terms_of

FORGETFUL: dict[str, Any] = {"offering": Offering.DEALER}


@pytest.mark.clause("insurance", "3.11")
@pytest.mark.clause("insurance", "3.12")
def test_who_holds_the_bet_is_offered_its_insurance_and_nobody_else() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=5000", Ben="banker=5000", Cat="tie=1000")
    events = scene.deal("KS KH 6D 5C")
    assert events[-1].odds == {"player": "3:1"}
    assert scene.offers() == ["Ann player 3:1 up to 1600"]  # 5000 / 3, cut down to chips of 100
    take = {"hand": P, "amount": 100}
    assert scene.refuse(TakeInsurance, "Ben", box=2, **take) == "no-offer-to 3.11"
    assert scene.refuse(TakeInsurance, "Cat", box=3, **take) == "no-offer-to 3.11"
    assert scene.refuse(TakeInsurance, "Ann", box=1, hand=B, amount=100) == "no-offer-to 3.11"
    assert scene.refuse(TakeInsurance, "Ann", box=1, hand=P, amount=150) == "not-in-chips"
    scene.do(TakeInsurance, DEALER, box=1, player="Ann", **take)
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
    assert scene.refuse(TakeInsurance, "Ann", amount=5100, **take) == "over-cap 3.12.2"
    scene.do(TakeInsurance, "Ann", amount=2000, **take)
    assert scene.refuse(TakeInsurance, "Ann", amount=3100, **take) == "over-cap 3.12.2"
    scene.do(TakeInsurance, "Ann", amount=1000, **take)
    scene.deal("2S")
    assert scene.offers() == ["Ann player 4:1 up to 1000"]  # (10000 - 3000 × 2) / 4
    assert scene.refuse(TakeInsurance, "Ann", amount=1100, **take) == "over-cap 3.12.2"
    scene.do(TakeInsurance, "Ann", amount=1000, **take)
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
    scene.do(TakeInsurance, "Cat", box=3, hand=B, amount=500)
    scene.deal("7S")
    assert scene.offers() == ["Ben player 4:1 up to 1000", "Cat player 4:1 up to 1000"]
    assert scene.refuse(TakeInsurance, "Ann", box=1, hand=P, amount=100) == "forgone 5.3"


@pytest.mark.clause("insurance", "5.3")
def test_declining_is_forgoing() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=4000", Ben="banker=4000")
    scene.deal("KS KH 5D 4C")
    scene.do(DeclineInsurance, "Ann")
    assert scene.refuse(TakeInsurance, "Ann", box=1, hand=P, amount=100) == "forgone 5.3"
    assert scene.refuse(DeclineInsurance, "Ann") == "forgone 5.3"
    assert scene.refuse(DeclineInsurance, "Ben") == "forgone 5.3"  # had nothing to decline
    scene.deal("2S")
    assert scene.offers() == []


@pytest.mark.clause("insurance", "3.12.1")
def test_no_window_where_no_card_is_to_come() -> None:
    """Player 1 draws a five to six beside Banker 6, which stands: the table's row is not offered."""
    scene = Scene("insurance")
    scene.start(Ann="player=4000 banker=4000")
    assert scene.refuse(TakeInsurance, "Ann", box=1, hand=P, amount=100) == "no-window 3.12.1"
    scene.deal("KS KH AD 6C")
    assert scene.state.window == 4
    events = scene.deal("5S")
    assert names(events) == ["insurance-closed", "card-dealt", "deal-finished"]


@pytest.mark.clause("insurance", "4.2.1")
def test_insurance_on_a_nine_is_paid_when_banker_draws_to_nine() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=8000")
    scene.deal("KS KH 5D 4C")
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=400)
    scene.deal("4S")
    assert scene.offers() == ["Ann player 8:1 up to 900"]  # (8000 - 800) / 8
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=900)
    scene.deal("5H")
    assert scene.settle() == [
        "Ann player push 0 by 3.17",
        "Ann insurance-player-4 push 0 by 4.2.1",
        "Ann insurance-player-5 win +7200 by 4.2.1",
    ]


@pytest.mark.clause("insurance", "4.2.2")
def test_a_private_table_without_insurance_says_so_to_who_sits_down() -> None:
    scene = Scene("insurance", private=True, insurance=False, requested_by="Ann")
    (seated,) = scene.do(TakeSeat, "Ann", box=1)
    assert seated.notice == "4.2.2"
    scene.start(Ann="player=3000")
    assert names(scene.deal("KS KH 6D 5C"))[-1] == "card-dealt"
    assert scene.state.window is None
    take = {"box": 1, "hand": P, "amount": 100}
    assert scene.refuse(TakeInsurance, "Ann", **take) == "insurance-excluded 4.2.2"
    assert scene.refuse(OfferInsurance) == "insurance-excluded 4.2.2"
    assert scene.refuse(WishInsurance, "Ann", box=1, hand=P) == "insurance-excluded 4.2.2"
    scene.deal("4S")
    assert scene.refuse_report(seen="insurance-neglected") == "not-neglected 5.13"


@pytest.mark.clause("insurance", "4.2.2")
def test_only_a_private_table_may_go_without() -> None:
    scene = Scene("insurance", private=True)
    (seated,) = scene.do(TakeSeat, "Ann", box=1)
    assert seated.notice is None
    public = terms_of("insurance", insurance=False)
    assert scene.refuse(ChangeTerms, SUPERVISOR, terms=public) == "wrong-terms 4.2.2"


@pytest.mark.clause("insurance", "4.2.2")
def test_who_asked_for_no_insurance_is_on_record() -> None:
    scene = Scene("insurance", private=True)
    for asked in (None, "", "  "):
        terms = terms_of("insurance", private=True, insurance=False, requested_by=asked)
        assert scene.refuse(ChangeTerms, SUPERVISOR, terms=terms) == "term-missing 4.2.2"
    for_nothing = terms_of("insurance", private=True, requested_by="Ann")
    assert scene.refuse(ChangeTerms, SUPERVISOR, terms=for_nothing) == "wrong-terms"
    on_request = terms_of("insurance", private=True, insurance=False, requested_by="Ann")
    scene.do(ChangeTerms, SUPERVISOR, terms=on_request)
    assert scene.table.terms.requested_by == "Ann"


@pytest.mark.clause("insurance", "5.13")
def test_who_wished_and_would_have_won_gets_the_original_bet_back() -> None:
    scene = Scene("insurance", **FORGETFUL)
    scene.start(Ann="player=3000 tie=1000", Ben="player=3000", Cat="banker=3000")
    scene.deal("KS KH 6D 5C")
    assert scene.state.window is None
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    assert scene.refuse(WishInsurance, "Ann", box=1, hand=P) == "already-wished 5.13"
    assert scene.refuse(WishInsurance, "Cat", box=3, hand=P) == "no-offer-to 3.11"
    assert scene.refuse(WishInsurance, "Cat", box=3, hand=B) == "no-window 3.12.1"
    assert names(scene.deal("4S"))[0] == "insurance-neglected"
    assert scene.refuse(WishInsurance, "Ben", box=2, hand=P) == "no-window 5.3"
    scene.report(seen="insurance-neglected")
    assert scene.found() == "insurance-neglected awaits return-bets 5.13"
    assert scene.refuse(ReturnBets, SUPERVISOR) == "not-allowed 5.13"
    events = scene.do(ReturnBets, MANAGER)
    assert returned(events) == ["Ann player 3000"]
    assert events[0].clause == "5.13"
    assert scene.settle() == [
        "Ann tie lose -1000 by 4.1.1",
        "Ben player lose -3000 by 4.1.1",
        "Cat banker win +3000 by 4.1.1",
    ]


@pytest.mark.clause("insurance", "5.13")
@pytest.mark.parametrize("standing_first", [False, True])
def test_insurance_of_another_window_stands_and_is_settled_in_its_box(standing_first: bool) -> None:
    """The original bet goes back; what was taken in the other window keeps its place among the bets."""
    scene = Scene("insurance", **FORGETFUL)
    for box, player in enumerate(("Ann", "Ben"), start=1):
        scene.seat(player, box)
    scene.call()
    scene.bet("Ann", "tie", 1000)
    for player in ("Cat", "Joe") if standing_first else ("Joe", "Cat"):
        scene.bet(player, "player", 3000, box=1)
    scene.bet("Ben", "player", 2000)
    scene.close()
    scene.deal("KS KH 5D 4C")
    scene.do(WishInsurance, "Cat", box=1, hand=P)
    scene.deal("2S")
    scene.do(OfferInsurance)
    scene.do(TakeInsurance, "Cat", box=1, hand=P, amount=500)
    scene.do(TakeInsurance, "Joe", box=1, hand=P, amount=500)
    scene.deal("4S")  # Player seven, Banker eight
    scene.report(seen="insurance-neglected")
    assert returned(scene.do(ReturnBets, MANAGER)) == ["Cat player 3000"]
    cat = ["Cat insurance-player-5 win +2000 by 4.1.2"]
    joe = ["Joe player lose -3000 by 4.1.1", "Joe insurance-player-5 win +2000 by 4.1.2"]
    ann, ben = "Ann tie lose -1000 by 4.1.1", "Ben player lose -2000 by 4.1.1"
    assert scene.settle() == [ann, *(cat + joe if standing_first else joe + cat), ben]


@pytest.mark.clause("insurance", "5.13")
def test_it_may_be_noticed_after_the_settlement_too() -> None:
    scene = Scene("insurance", **FORGETFUL)
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 5C")
    scene.do(WishInsurance, DEALER, box=1, hand=P, player="Ann")
    scene.deal("4S")
    assert scene.settle() == ["Ann player lose -3000 by 4.1.1"]
    events = scene.report(seen="insurance-neglected")
    assert names(events) == ["settlement-reversed", "case-opened", "clause-found"]
    assert returned(scene.do(ReturnBets, MANAGER)) == ["Ann player 3000"]
    assert scene.settle() == []


@pytest.mark.clause("insurance", "5.13")
def test_a_wish_that_would_have_lost_or_was_met_returns_nothing() -> None:
    scene = Scene("insurance", **FORGETFUL)
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 5C")
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    scene.deal("KD")  # Player wins
    assert scene.refuse_report(seen="insurance-neglected") == "not-neglected 5.13"
    scene.settle()
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 5C")
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    scene.do(OfferInsurance)
    assert scene.refuse(WishInsurance, "Ann", box=1, hand=P) == "was-offered 5.13"
    scene.deal("4S")
    assert scene.refuse_report(seen="insurance-neglected") == "not-neglected 5.13"
