"""Insurance as the round goes on: windows, offers, wishes."""

from typing import Any

import pytest

from punto.money import Rounding
from punto.rules.authority import Role
from punto.table import Refusal, legal_commands
from punto.table.insurance import DeclineInsurance, OfferInsurance, TakeInsurance, WishInsurance
from punto.table.irregularity_events import ReturnBets
from punto.table.settlement import SettleRound
from punto.table.terms import Offering
from tests.table.scenes import DEALER, B, P, Scene, made, names

BY_DEALER: dict[str, Any] = {"offering": Offering.DEALER}


def dealt(cards: str, **terms: Any) -> Scene:
    scene = Scene("insurance", **terms)
    scene.start(Ann="player=8000", Ben="banker=8000")
    scene.deal(cards)
    return scene


def take(hand: Any, amount: int, box: int = 1) -> dict[str, Any]:
    return {"box": box, "hand": hand, "amount": amount}


def test_other_books_have_none() -> None:
    scene = Scene("commission")
    scene.start(Ann="player=8000")
    scene.deal("KS KH 6D 5C")
    assert scene.refuse(TakeInsurance, "Ann", **take(P, 100)) == "no-insurance-here"
    assert scene.refuse(OfferInsurance) == "no-insurance-here"
    assert scene.refuse(DeclineInsurance, "Ann") == "no-insurance-here"
    assert scene.refuse(WishInsurance, "Ann", box=1, hand=P) == "no-insurance-here"


@pytest.mark.parametrize(
    ("cards", "offers"),
    [
        ("KS KH 2D 5C", ["Ben banker 2:1 up to 4000"]),
        ("KS KH 5D 5C", []),
        ("KS KH 5D 6C", ["Ben banker 3:1 up to 2600"]),
        ("KS KH 6D 6C", []),
        ("KS KH 7D 5C", ["Ann player 4:1 up to 2000"]),
        ("KS KH 5D 4C", ["Ann player 2:1 up to 4000"]),
        ("KS KH 2D 4C AS", []),
        ("KS KH 2D 4C 9S", []),  # Player 1, but Banker 4 stands beside a nine
        ("KS KH 5D 3C 6S", ["Ben banker 7:1 up to 1100"]),
        ("KS KH AD 4C 2S", ["Ben banker 3:2 up to 5300"]),
        ("KS KH 5D 2C 4S", ["Ann player 8:1 up to 1000"]),
    ],
)
def test_offers_by_the_points(cards: str, offers: list[str]) -> None:
    assert dealt(cards).offers() == offers


def test_a_window_shows_its_odds_even_if_nobody_holds_the_bet() -> None:
    scene = Scene("insurance")
    scene.start(Ann="banker=8000")
    event = scene.deal("KS KH 6D 5C")[-1]
    assert (event.odds, event.offers) == ({"player": "3:1"}, ())
    closed = scene.deal("AS")[0]
    assert (closed.window, closed.forgone) == (4, ())


def test_both_hands_of_one_player_are_offered_apart() -> None:
    """Each main bet is insured by itself, behind another's box too."""
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.seat("Ben", 2)
    scene.call()
    scene.bet("Ann", "player", 3000)
    scene.bet("Ben", "player", 6000)
    scene.bet("Ann", "player", 9000, box=2)
    scene.close()
    scene.deal("KS KH 6D 5C")
    assert scene.offers() == ["Ann player 3:1 up to 1000", "Ben player 3:1 up to 2000", "Ann player 3:1 up to 3000"]
    scene.do(TakeInsurance, "Ann", **take(P, 3000, box=2))
    assert scene.refuse(TakeInsurance, "Ann", **take(P, 1100)) == "over-cap 3.12.2"
    scene.do(TakeInsurance, "Ann", **take(P, 1000))
    assert scene.deal("AS")[0].forgone == ("Ben",)


def test_taking_part_of_an_offer_keeps_the_later_one() -> None:
    scene = dealt("KS KH 5D 4C")
    scene.do(TakeInsurance, "Ann", **take(P, 100))
    scene.deal("2S")
    assert scene.offers() == ["Ann player 4:1 up to 1900"]  # (8000 - 200) / 4, in chips


def test_insured_to_the_cap_there_is_nothing_more_to_offer() -> None:
    scene = dealt("KS KH 5D 4C")
    scene.do(TakeInsurance, "Ann", **take(P, 4000))
    scene.deal("2S")
    assert scene.offers() == []
    assert scene.state.window == 5
    assert scene.refuse(TakeInsurance, "Ann", **take(P, 100)) == "over-cap 3.12.2"
    refusal = scene.give(made(TakeInsurance, "Ann", **take(P, 100)))
    assert isinstance(refusal, Refusal)
    assert refusal.sentence == "the greatest insurance stake is 0 (clause 3.12.2)"
    assert scene.refuse(TakeInsurance, "Ben", **take(P, 100, box=2)) == "no-offer-to 3.11"


def test_the_dealer_offers_what_is_due_and_nothing_else() -> None:
    scene = dealt("KS KH", **BY_DEALER)
    assert scene.refuse(OfferInsurance) == "no-offer-due 4.1.2"
    scene.deal("6D 5C")
    assert scene.refuse(TakeInsurance, "Ann", **take(P, 100)) == "no-window 3.12.1"
    assert scene.refuse(DeclineInsurance, "Ann") == "no-window 3.12.1"
    scene.do(OfferInsurance)
    assert scene.refuse(OfferInsurance) == "no-offer-due 4.1.2"
    assert names(scene.deal("AS"))[0] == "insurance-closed"


def test_a_neglected_window_does_not_close_the_next() -> None:
    scene = dealt("KS KH 5D 4C", **BY_DEALER)
    assert names(scene.deal("2S")) == ["insurance-neglected", "card-dealt"]
    scene.do(OfferInsurance)
    assert scene.offers() == ["Ann player 4:1 up to 2000"]  # she has forgone nothing


def test_wishes_of_two_windows_return_the_bet_once() -> None:
    scene = dealt("KS KH 5D 4C", **BY_DEALER)
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    scene.deal("2S")
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    scene.deal("5H")
    scene.report(seen="insurance-neglected")
    (returned, *_) = scene.do(ReturnBets, "Mae")
    assert [(stake.player, stake.amount) for stake in returned.bets] == [("Ann", 8000)]


def test_a_wish_that_was_met_does_not_hide_one_that_was_not() -> None:
    scene = dealt("KS KH 5D 4C", **BY_DEALER)
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    scene.do(OfferInsurance)
    scene.do(TakeInsurance, "Ann", **take(P, 100))
    scene.deal("2S")
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    scene.deal("5H")
    scene.report(seen="insurance-neglected")
    (returned, *_) = scene.do(ReturnBets, "Mae")
    assert [(stake.player, stake.amount) for stake in returned.bets] == [("Ann", 8000)]


def test_insurance_taken_stays_when_its_bet_went_back() -> None:
    """The first window was neglected, the second was offered and taken."""
    scene = dealt("KS KH 5D 4C", **BY_DEALER)
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    scene.deal("2S")
    scene.do(OfferInsurance)
    scene.do(TakeInsurance, "Ann", **take(P, 2000))
    scene.deal("5H")
    scene.report(seen="insurance-neglected")
    scene.do(ReturnBets, "Mae")
    assert scene.settle() == ["Ann insurance-player-5 win +8000 by 4.1.2", "Ben banker win +8000 by 4.1.1"]


def test_a_wish_of_one_who_has_forgone_is_none() -> None:
    scene = dealt("KS KH 5D 4C", **BY_DEALER)
    scene.do(OfferInsurance)
    scene.deal("2S")
    assert scene.refuse(WishInsurance, "Ann", box=1, hand=P) == "forgone 5.3"
    scene.do(OfferInsurance)
    assert scene.offers() == []


def test_staff_act_for_a_player_they_name() -> None:
    scene = dealt("KS KH 6D 5C")
    assert scene.refuse(TakeInsurance, DEALER, **take(P, 100)) == "no-player"
    scene.do(DeclineInsurance, DEALER, player="Ann")
    assert scene.refuse(TakeInsurance, DEALER, player="Ann", **take(P, 100)) == "forgone 5.3"
    assert scene.refuse(TakeInsurance, DEALER, player="Ben", **take(B, 100, box=2)) == "not-on-offer 4.1.2"


@pytest.mark.clause("insurance", "3.12.2")
@pytest.mark.parametrize("rounding", Rounding)
def test_many_insurances_of_one_bet_are_capped_together_after_rounding(rounding: Rounding) -> None:
    """Taken one chip at a time at 3:2, each is paid 2 for 1.5: together never more than the bet."""
    scene = Scene("insurance", chip=1, minimum=1, rounding=rounding)
    scene.start(Ben="banker=7")
    scene.deal("KS KH AD 4C 2S")
    for _ in range(3):
        scene.do(TakeInsurance, "Ben", **take(B, 1))
    assert scene.refuse(TakeInsurance, "Ben", **take(B, 1)) == "over-cap 3.12.2"
    scene.deal("6H")  # Banker has zero points
    paid = [line.net for line in scene.do(SettleRound)[0].bets if line.area == "insurance-banker-5"]
    assert paid == [1 if rounding is Rounding.DOWN else 2] * 3


def test_the_number_of_insurances_in_a_round_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a great bet could be insured chip by chip for ever."""
    monkeypatch.setattr("punto.table.insurance.MOST_INSURANCES", 2)
    scene = dealt("KS KH 7D 5C")
    for _ in range(2):
        scene.do(TakeInsurance, "Ann", **take(P, 100))
    assert scene.refuse(TakeInsurance, "Ann", **take(P, 100)) == "too-many"
    listed = legal_commands(scene.table, "Ann", Role.PLAYER)
    assert not [legal for legal in listed if isinstance(legal.command, TakeInsurance)]
