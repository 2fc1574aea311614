"""Bets: placed, raised, lowered, withdrawn."""

from typing import Any

import pytest

from punto.cards.card import Card
from punto.rules.book_text import Area
from punto.rules.outcome import Hand
from punto.table.betting import AdviseMinimum, CloseBets, PlaceBet, ReduceBet, ReopenBets, WithdrawBet
from punto.table.dealing import AskSqueeze, DealCard
from punto.table.state import Phase
from punto.table.terms import Faces, Noticing
from tests.table.scenes import DEALER, SUPERVISOR, Scene


def betting(**terms: Any) -> Scene:
    scene = Scene("commission", **terms)
    scene.seat("Ann", 1)
    scene.call()
    return scene


def test_a_bet_is_raised_by_placing_more() -> None:
    scene = betting()
    scene.bet("Ann", "player", 1000)
    scene.bet("Ann", "player", 100)
    assert scene.lying() == ["Ann player 1100"]


@pytest.mark.parametrize("amount", [0, -100, 50, 1001])
def test_stakes_are_whole_chips(amount: int) -> None:
    scene = betting()
    assert scene.refuse(PlaceBet, "Ann", box=1, area="player", amount=amount) == "not-in-chips"
    scene.bet("Ann", "player", 1000)
    assert scene.refuse(ReduceBet, "Ann", box=1, area="player", amount=amount) == "not-in-chips"


def test_minimum_and_maximum_bind_what_lies_in_the_end() -> None:
    scene = betting(maximum=3000)
    assert scene.refuse(PlaceBet, "Ann", box=1, area="player", amount=900) == "below-minimum"
    scene.bet("Ann", "player", 1000)
    scene.bet("Ann", "player", 2000)
    assert scene.refuse(PlaceBet, "Ann", box=1, area="player", amount=100) == "above-maximum"


def test_a_bet_is_lowered_to_the_minimum_or_taken_off() -> None:
    scene = betting()
    scene.bet("Ann", "player", 1500)
    lower = {"box": 1, "area": "player"}
    assert scene.refuse(ReduceBet, "Ann", amount=1600, **lower) == "more-than-lies"
    assert scene.refuse(ReduceBet, "Ann", amount=600, **lower) == "below-minimum"
    scene.do(ReduceBet, "Ann", amount=500, **lower)
    (back,) = scene.do(ReduceBet, "Ann", amount=1000, **lower)
    assert (back.why, back.amount) == ("reduced", 1000)
    assert scene.lying() == []
    assert scene.refuse(WithdrawBet, "Ann", **lower) == "no-such-bet"


def test_where_the_dealer_notices_anything_may_lie() -> None:
    scene = betting(noticing=Noticing.DEALER, maximum=3000)
    scene.bet("Ann", "player", 100)
    scene.bet("Ann", "banker", 9000)
    scene.do(ReduceBet, "Ann", box=1, area="banker", amount=8900)
    assert scene.lying() == ["Ann player 100", "Ann banker 100"]


def test_one_takes_off_only_ones_own() -> None:
    scene = betting()
    scene.bet("Ann", "player", 1000)
    assert scene.refuse(WithdrawBet, "Ben", box=1, area="player") == "no-such-bet"
    assert scene.refuse(WithdrawBet, "Ben", box=1, area="player", player="Ann") == "not-yours"
    (back,) = scene.do(WithdrawBet, DEALER, box=1, area="player", player="Ann")
    assert (back.by, back.player, back.why) == (DEALER, "Ann", "withdrawn")


def test_before_the_call_there_is_nothing_to_take_off() -> None:
    scene = Scene("commission")
    assert scene.refuse(WithdrawBet, "Ann", box=1, area="player") == "bets-not-open 3.1"


def test_after_the_close_only_what_lies_is_left_in_force() -> None:
    scene = betting()
    scene.bet("Ann", "player", 1000)
    scene.close()
    assert scene.refuse(WithdrawBet, "Ann", box=1, area="tie") == "no-such-bet"
    scene.deal("KS KH 9D 7C")
    scene.do(WithdrawBet, "Ann", box=1, area="player")
    scene.settle()
    assert scene.refuse(WithdrawBet, "Ann", box=1, area="player") == "bets-not-open 3.1"


def test_a_standing_bet_stays_when_the_seated_player_takes_everything_off() -> None:
    scene = betting()
    scene.bet("Ann", "player", 1000)
    scene.bet("Ben", "tie", 1000, box=1)
    scene.do(WithdrawBet, "Ann", box=1, area="player")
    assert scene.lying() == ["Ben tie 1000"]
    more = {"box": 1, "area": "tie", "amount": 1000}
    assert scene.refuse(PlaceBet, "Ben", **more) == "behind-nobody 2.1.2"


def test_nobody_stands_behind_a_player_whose_bets_lie_elsewhere() -> None:
    scene = Scene("commission")
    for box, player in enumerate(("Ann", "Ben", "Cat"), start=1):
        scene.seat(player, box)
    scene.call()
    scene.bet("Ben", "player", 1000)
    scene.bet("Cat", "player", 1000)
    scene.bet("Ben", "tie", 1000, box=3)
    scene.do(WithdrawBet, "Ben", box=2, area="player")
    for box in (1, 2):  # Ben sits at 2, and his only bet lies behind Cat
        bet = {"box": box, "area": "tie", "amount": 1000}
        assert scene.refuse(PlaceBet, "Dot", **bet) == "behind-nobody 2.1.2"
    scene.bet("Dot", "tie", 1000, box=3)


def test_advice_is_for_what_lies_under_the_minimum() -> None:
    scene = betting(noticing=Noticing.DEALER)
    scene.bet("Ann", "player", 1000)
    scene.bet("Ann", "tie", 900)
    told = {"box": 1, "player": "Ann"}
    assert scene.refuse(AdviseMinimum, area="player", **told) == "not-under"
    assert scene.refuse(AdviseMinimum, area="banker", **told) == "not-under"
    scene.do(AdviseMinimum, area="tie", **told)
    assert scene.refuse(CloseBets) == "advised-bets"
    scene.bet("Ann", "tie", 100)
    scene.close()


def test_at_ez_advice_keeps_the_first_card_back() -> None:
    scene = Scene("ez", noticing=Noticing.DEALER)
    scene.start(Ann="tie=900")
    scene.do(AdviseMinimum, box=1, area="tie", player="Ann")
    assert scene.refuse(DealCard, card=Card("KS")) == "advised-bets"


CALLED = ("commission", "easy-six", "insurance", "knockout")
"""Books whose bets a call closes; in ez the first card does."""


@pytest.mark.parametrize("book", CALLED)
def test_bets_closed_too_early_are_opened_again_by_the_pit_and_what_lies_stays(book: str) -> None:
    scene = Scene(book)
    area = next(bet.area for bet in scene.table.book.bets if bet.kind is Area.MAIN)
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", area, 3000)
    assert scene.refuse(ReopenBets, SUPERVISOR) == "bets-still-open"
    scene.close()
    assert {scene.refuse(ReopenBets, who).split()[0] for who in (DEALER, "Ann")} == {"not-allowed"}
    round_before = scene.state.round
    assert [event.name() for event in scene.do(ReopenBets, SUPERVISOR)] == ["bets-reopened"]
    assert (scene.state.phase, scene.state.round) == (Phase.BETTING, round_before)
    assert [bet.stake for bet in scene.state.bets] == [3000]
    scene.bet("Ann", area, 1000)
    scene.close()
    assert [bet.stake for bet in scene.state.bets] == [4000]


def test_no_bets_are_opened_once_a_card_is_out() -> None:
    scene = Scene("commission")
    assert scene.refuse(ReopenBets, SUPERVISOR) == "not-dealing"
    scene.call()
    scene.close()
    scene.deal("KS")
    clause = scene.table.book.betting.late_clause
    assert scene.refuse(ReopenBets, SUPERVISOR) == f"cards-are-out {clause}"


def test_where_the_first_card_closes_the_bets_there_is_nothing_to_open() -> None:
    scene = Scene("ez")
    scene.call()
    assert scene.refuse(ReopenBets, SUPERVISOR) == "bets-still-open"
    scene.deal("KS")
    assert scene.refuse(ReopenBets, SUPERVISOR).startswith("cards-are-out")


def test_a_squeeze_asked_for_before_is_asked_again() -> None:
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.seat("Ann", 1)
    scene.seat("Bob", 2)
    scene.call()
    scene.bet("Ann", "player", 3000)
    scene.close()
    scene.do(AskSqueeze, "Ann", hand=Hand.PLAYER, number=1)
    scene.do(ReopenBets, SUPERVISOR)
    assert scene.state.squeezes == ()
    scene.bet("Bob", "player", 5000, box=2)
    scene.close()
    assert scene.refuse(AskSqueeze, "Ann", hand=Hand.PLAYER, number=1).startswith("not-highest")
