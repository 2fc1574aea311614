"""Bets that are listed: amounts, limits and odds, antes, insurance and squeezes."""

import pytest

from punto.table.antes import ExpireAntes, GiveUpAnte, PlaceWager
from punto.table.betting import AdviseMinimum, PlaceBet, ReduceBet, RejectExcess, WithdrawBet
from punto.table.dealing import AnswerSqueeze, AskSqueeze
from punto.table.house import WalkAway
from punto.table.insurance import DeclineInsurance, OfferInsurance, TakeInsurance, WishInsurance
from punto.table.terms import Faces, Noticing, Offering
from tests.table.listed import amounts, kinds, listed
from tests.table.scenes import DEALER, P, Scene


@pytest.mark.gli("CCA 106")
def test_amounts_between_minimum_and_maximum_with_their_odds() -> None:
    scene = Scene("commission", maximum=5000)
    scene.seat("Ann", 1)
    scene.call()
    entries = listed(scene, "Ann", PlaceBet)
    assert amounts(entries) == dict.fromkeys(scene.table.book.pay_tables, (1000, 5000))
    odds = {legal.command.area: legal.odds for legal in entries}  # type: ignore[union-attr]
    assert (odds["banker"], odds["tie"]) == (("0.95:1",), ("8:1",))
    assert listed(scene, "Ben", PlaceBet) == []
    scene.bet("Ann", "player", 4000)
    assert amounts(listed(scene, "Ann", PlaceBet))["player"] == (100, 1000)
    scene.bet("Ann", "player", 1000)
    assert "player" not in amounts(listed(scene, "Ann", PlaceBet))
    assert {legal.command.box for legal in listed(scene, "Ben", PlaceBet)} == {1}  # type: ignore[union-attr]


def test_the_differential_bounds_the_amount() -> None:
    scene = Scene("insurance", differential=4000)
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "banker", 3000)
    found = amounts(listed(scene, "Ann", PlaceBet))
    assert (found["banker"], found["player"], found["tie"]) == ((100, 1000), (1000, 7000), (1000, None))


def test_where_the_dealer_notices_one_chip_is_enough() -> None:
    scene = Scene("commission", noticing=Noticing.DEALER, maximum=5000)
    scene.seat("Ann", 1)
    scene.call()
    assert amounts(listed(scene, "Ann", PlaceBet))["tie"] == (100, None)
    scene.bet("Ann", "tie", 100)
    scene.bet("Ann", "player", 9000)
    assert amounts(listed(scene, "Ann", ReduceBet))["player"] == (9000, 9000)
    assert kinds(listed(scene, DEALER, AdviseMinimum, RejectExcess)) == {"advise-minimum", "reject-excess"}


def test_what_lies_may_be_lowered_to_the_minimum_or_taken_off_by_its_owner() -> None:
    scene = Scene("commission")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1500)
    lower, off = listed(scene, "Ann", ReduceBet)
    assert (lower.command.amount, lower.most, lower.free) == (100, 500, ("amount",))  # type: ignore[union-attr]
    assert (off.command.amount, off.free) == (1500, ())  # type: ignore[union-attr]
    assert kinds(listed(scene, "Ann", WithdrawBet)) == {"withdraw-bet"}
    assert listed(scene, "Ben", ReduceBet, WithdrawBet) == []
    (withdraw,) = listed(scene, DEALER, WithdrawBet)
    assert withdraw.command.player == "Ann"  # type: ignore[union-attr]


def test_antes_with_their_wagers() -> None:
    scene = Scene("knockout")
    scene.start(Ann="ante-player=1500 ante-banker=1000", Ben="ante-player=1000")
    scene.deal("6S")
    wagers = listed(scene, "Ann", PlaceWager)
    assert amounts(wagers) == {"wager-player": (3000, None), "wager-banker": (2000, None)}
    assert wagers[0].odds == ("1:2", "1:1", "2:1")
    assert len(listed(scene, "Ann", GiveUpAnte)) == 2
    assert listed(scene, "Cat", PlaceWager, GiveUpAnte) == []
    assert len(listed(scene, DEALER, PlaceWager)) == 3
    assert listed(scene, DEALER, GiveUpAnte) == []
    scene.do(WalkAway, "Ben")
    assert len(listed(scene, DEALER, GiveUpAnte)) == 1
    assert kinds(listed(scene, DEALER, ExpireAntes)) == {"expire-antes"}


def test_insurance_with_odds_and_the_greatest_stake() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=5000", Ben="banker=5000")
    scene.deal("KS KH 6D 5C")
    (take,) = listed(scene, "Ann", TakeInsurance)
    assert (take.command.amount, take.most, take.odds) == (100, 1600, ("3:1",))  # type: ignore[union-attr]
    assert kinds(listed(scene, "Ann", DeclineInsurance)) == {"decline-insurance"}
    assert listed(scene, "Ben", TakeInsurance, DeclineInsurance) == []
    assert len(listed(scene, DEALER, TakeInsurance, DeclineInsurance)) == 2
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=1600)
    assert listed(scene, "Ann", TakeInsurance) == []


def test_insurance_that_the_dealer_has_to_offer() -> None:
    scene = Scene("insurance", offering=Offering.DEALER)
    scene.start(Ann="player=5000", Ben="banker=5000")
    assert listed(scene, "Ann", WishInsurance) == []
    scene.deal("KS KH 6D 5C")
    assert kinds(listed(scene, "Ann", WishInsurance, TakeInsurance)) == {"wish-insurance"}
    assert listed(scene, "Ben", WishInsurance) == []
    assert kinds(listed(scene, DEALER, OfferInsurance)) == {"offer-insurance"}


def test_squeezes_and_answers() -> None:
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.start(Ann="player=5000", Ben="banker=4000")
    assert len(listed(scene, "Ann", AskSqueeze)) == 6
    assert listed(scene, "Ben", AskSqueeze) == []
    scene.do(AskSqueeze, "Ann", hand=P, number=1)
    assert len(listed(scene, DEALER, AnswerSqueeze)) == 2
