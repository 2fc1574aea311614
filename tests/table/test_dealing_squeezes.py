"""Squeezes: who may ask, when, and for what."""

from typing import Any

import pytest

from punto.rules.outcome import Hand
from punto.table.dealing import AnswerSqueeze, AskSqueeze, RevealCard, highest_bettor, is_banker_certain
from punto.table.insurance import TakeInsurance
from punto.table.state import SqueezeKind
from punto.table.terms import Faces
from tests.table.scenes import DEALER, SUPERVISOR, B, P, Scene, names

FIRST, SHOWN = SqueezeKind.BANKER_THIRD_FIRST, SqueezeKind.BANKER_THIRD_SHOWN


def down(cards: str = "", **bets: str) -> Scene:
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.start(**(bets or {"Ann": "player=3000", "Ben": "banker=2000"}))
    scene.deal(cards)
    scene.open_all()
    return scene


def test_other_books_know_no_squeeze() -> None:
    scene = Scene("commission", faces=Faces.DOWN)
    scene.start(Ann="player=1000")
    assert scene.refuse(AskSqueeze, "Ann", hand=P, number=1) == "no-squeeze"
    assert scene.refuse(AnswerSqueeze, consent=True) == "nothing-asked"


@pytest.mark.parametrize(
    ("bets", "highest"),
    [
        ({"Ann": "player=3000", "Ben": "banker=2000"}, "Ann"),
        ({"Ann": "player=2000", "Ben": "banker=3000"}, "Ben"),
        ({"Ann": "player=2000 banker=2000", "Ben": "banker=3000"}, "Ben"),
        ({"Ann": "tie=9000", "Ben": "banker=1000"}, "Ben"),
        ({"Ann": "tie=9000"}, None),
        ({}, None),
    ],
)
def test_the_highest_main_bet_counts(bets: dict[str, str], highest: str | None) -> None:
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.start(**bets)
    assert highest_bettor(scene.table) == highest


def test_of_equals_the_first_even_if_raised_later() -> None:
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.seat("Ann", 1)
    scene.seat("Ben", 2)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.bet("Ben", "player", 2000)
    assert highest_bettor(scene.table) == "Ben"
    scene.bet("Ann", "player", 1000)
    assert highest_bettor(scene.table) == "Ann"


def test_asked_between_the_close_and_the_card() -> None:
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    assert scene.refuse(AskSqueeze, "Ann", hand=P, number=1) == "not-dealing 3.9"
    scene.close()
    for hand, number in ((None, 1), (P, None), (None, None)):
        assert scene.refuse(AskSqueeze, "Ann", hand=hand, number=number) == "card-needed 3.9"
    for number in (0, 4):
        assert scene.refuse(AskSqueeze, "Ann", hand=P, number=number) == "no-such-card 3.9"
    scene.deal("KS")
    assert scene.refuse(AskSqueeze, "Ann", hand=P, number=1) == "card-already-dealt 3.9"
    scene.do(AskSqueeze, "Ann", hand=P, number=2)


def test_an_answer_comes_once_and_may_still_come_when_the_card_lies_there() -> None:
    scene = down()
    assert scene.refuse(AnswerSqueeze, consent=True) == "nothing-asked 3.9"
    scene.do(AskSqueeze, "Ann", hand=P, number=1)
    scene.deal("KS KH 2D 3C")
    (answered,) = scene.do(AnswerSqueeze, SUPERVISOR, consent=True)
    assert (answered.waives, answered.clause) == (False, "3.9")
    assert scene.refuse(AnswerSqueeze, consent=True) == "nothing-asked 3.9"
    scene.do(RevealCard, "Ann", hand=P, number=1)


def test_too_late_for_a_card_that_lies_open_or_a_round_that_is_over() -> None:
    scene = down()
    scene.do(AskSqueeze, "Ann", hand=P, number=2)
    scene.deal("KS KH 9D 3C")
    scene.do(RevealCard, hand=P, number=2)
    assert scene.refuse(AnswerSqueeze, consent=True) == "card-already-dealt 3.9"
    scene.open_all()
    assert scene.refuse(AnswerSqueeze, consent=False) == "nothing-asked 3.9"
    scene.settle()
    assert scene.refuse(AnswerSqueeze, consent=False) == "nothing-asked 3.9"


@pytest.mark.parametrize("banker", range(10))
@pytest.mark.parametrize("player", range(10))
def test_bankers_third_card_is_certain_on_zero_to_two_if_player_draws(player: int, banker: int) -> None:
    cards = ("KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S")
    scene = down(f"KH KD {cards[player]} {cards[banker]}")
    assert is_banker_certain(scene.table) is (player <= 5 and banker <= 2)


def test_it_stays_certain_while_players_third_lies_face_down() -> None:
    scene = down("KS KH 2D AC")
    scene.deal("8S")
    assert is_banker_certain(scene.table)
    scene.do(AskSqueeze, "Ann", kind=SHOWN)
    scene.do(AnswerSqueeze, consent=True)
    assert not is_banker_certain(scene.table)  # it has been granted
    assert scene.refuse(AskSqueeze, "Ann", kind=FIRST) == "not-certain 3.14"
    scene.deal("4H")
    scene.do(RevealCard, DEALER, hand=B, number=3)
    scene.do(RevealCard, "Ann", hand=P, number=3)


def test_what_was_waived_stays_waived_if_players_third_is_opened_by_mistake() -> None:
    """Player's third makes seven, which 4:1 would insure; but the second window was given up for all."""
    scene = down("KS KH 2D AC")
    scene.do(AskSqueeze, "Ann", kind=FIRST)
    scene.do(AnswerSqueeze, consent=True)
    scene.deal("5S")
    events = scene.report("5:up")
    assert names(events) == ["case-opened", "clause-found", "card-revealed", "case-closed"]
    assert scene.state.window is None
    take = {"box": 1, "hand": P, "amount": 100}
    assert scene.refuse(TakeInsurance, "Ann", **take) == "insurance-waived 3.14"
    assert names(scene.deal("4H")) == ["card-dealt"]


def test_not_once_players_third_is_open() -> None:
    scene = down("KS KH 2D AC")
    scene.deal("8S")
    scene.open_all()
    assert not is_banker_certain(scene.table)


@pytest.mark.parametrize(("kind", "card"), [(FIRST, (B, 3)), (SHOWN, (P, 3))])
def test_who_may_open_which_card(kind: SqueezeKind, card: tuple[Hand, int]) -> None:
    scene = down("KS KH 2D AC")
    scene.do(AskSqueeze, "Ann", kind=kind)
    scene.do(AnswerSqueeze, consent=True)
    scene.deal("8S 4H")
    own: dict[str, Any] = {"hand": card[0], "number": card[1]}
    other: dict[str, Any] = {"hand": card[0].other, "number": 3}
    assert scene.refuse(RevealCard, "Ann", **other) == "not-your-card 3.9"
    if kind is SHOWN:
        assert scene.refuse(RevealCard, "Ann", **own) == "no-such-card 3.10"
        scene.do(RevealCard, DEALER, **other)
    scene.do(RevealCard, "Ann", **own)


def test_asking_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.table.dealing.MOST_SQUEEZES_ASKED", 2)
    scene = down()
    for _ in range(2):
        scene.do(AskSqueeze, "Ann", hand=P, number=1)
        scene.do(AnswerSqueeze, consent=False)
    assert scene.refuse(AskSqueeze, "Ann", hand=P, number=1) == "too-many"
