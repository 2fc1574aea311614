"""Baccarat with Insurance at the table: who may squeeze a card, and what that waives."""

from typing import Any

import pytest

from punto.table.dealing import AnswerSqueeze, AskSqueeze, RevealCard
from punto.table.insurance import TakeInsurance
from punto.table.state import SqueezeKind
from punto.table.terms import Faces
from tests.table.scenes import DEALER, SUPERVISOR, B, P, Scene, names

DOWN: dict[str, Any] = {"faces": Faces.DOWN}


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
    assert scene.refuse(AskSqueeze, "Ben", **ask) == "not-highest 3.9"
    assert scene.refuse(AskSqueeze, "Cat", **ask) == "not-highest 3.9"
    scene.do(AskSqueeze, "Ann", **ask)
    assert scene.refuse(AskSqueeze, "Ann", hand=B, number=2) == "asked-already 3.9"
    scene.do(AnswerSqueeze, consent=True)
    scene.deal("KS KH KD 5C")
    assert scene.refuse(AskSqueeze, "Ann", hand=B, number=2) == "card-already-dealt 3.9"
    assert scene.refuse(RevealCard, "Ann", hand=B, number=2) == "not-your-card 3.9"
    assert scene.refuse(RevealCard, "Cat", hand=B, number=1) == "not-your-card 3.9"
    (revealed,) = scene.do(RevealCard, "Ann", hand=B, number=1)
    assert (revealed.by, str(revealed.card)) == ("Ann", "KH")
    assert scene.hands() == "?? ?? / KH ??"


@pytest.mark.clause("insurance", "3.9")
def test_of_equal_bets_the_one_placed_first_may_ask() -> None:
    scene = Scene("insurance", **DOWN)
    scene.start(Ann="player=2000", Ben="banker=2000")
    assert scene.refuse(AskSqueeze, "Ben", hand=P, number=1) == "not-highest 3.9"
    scene.do(AskSqueeze, "Ann", hand=P, number=1)
    (answered,) = scene.do(AnswerSqueeze, SUPERVISOR, consent=False)
    assert answered.waives is False
    scene.deal("KS KH KD 5C")
    assert scene.refuse(RevealCard, "Ann", hand=P, number=1) == "not-your-card 3.9"


@pytest.mark.clause("insurance", "3.9")
def test_cards_dealt_face_up_are_not_squeezed() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=2000")
    assert scene.refuse(AskSqueeze, "Ann", hand=P, number=1) == "face-up-table 3.9"


@pytest.mark.clause("insurance", "3.14")
@pytest.mark.parametrize(
    ("kind", "by"), [(SqueezeKind.BANKER_THIRD_FIRST, "Ann"), (SqueezeKind.BANKER_THIRD_SHOWN, DEALER)]
)
def test_bankers_third_card_before_players_waives_the_second_window_for_all(kind: SqueezeKind, by: str) -> None:
    """Player 2, Banker 1: both draw whatever comes. Player's third makes seven, insured at 4:1 otherwise."""
    scene = squeezing()
    scene.deal("KS KH 2D AC")
    assert scene.refuse(AskSqueeze, "Ann", kind=kind) == "not-certain 3.14"  # nobody has seen them yet
    scene.open_all()
    assert scene.refuse(AskSqueeze, "Cat", kind=kind) == "not-highest 3.14"
    scene.do(AskSqueeze, "Ann", kind=kind)
    (answered,) = scene.do(AnswerSqueeze, consent=True)
    assert (answered.waives, answered.clause) == (True, "3.14")
    scene.deal("5S 6H")
    assert scene.refuse(RevealCard, hand=P, number=3) == "no-such-card 3.10"
    scene.do(RevealCard, by, hand=B, number=3)
    opener = "Ann" if kind is SqueezeKind.BANKER_THIRD_SHOWN else DEALER
    assert names(scene.do(RevealCard, opener, hand=P, number=3)) == ["card-revealed", "deal-finished"]
    assert scene.state.window is None
    assert scene.settle()[0] == "Ann banker push 0 by 3.17"  # seven each


@pytest.mark.clause("insurance", "3.14")
def test_without_consent_the_second_window_opens() -> None:
    scene = squeezing()
    scene.deal("KS KH 2D AC")
    scene.open_all()
    scene.do(AskSqueeze, "Ann", kind=SqueezeKind.BANKER_THIRD_FIRST)
    scene.do(AnswerSqueeze, consent=False)
    scene.deal("5S")
    scene.open_all()
    assert scene.offers() == ["Cat player 4:1 up to 500"]


@pytest.mark.clause("insurance", "3.14")
def test_consent_comes_too_late_once_players_third_card_is_open() -> None:
    scene = squeezing()
    scene.deal("KS KH 2D AC")
    scene.open_all()
    scene.do(AskSqueeze, "Ann", kind=SqueezeKind.BANKER_THIRD_FIRST)
    scene.deal("5S")
    scene.open_all()
    assert scene.refuse(AnswerSqueeze, consent=True) == "not-certain 3.14"
    scene.do(TakeInsurance, "Cat", box=2, hand=P, amount=500)
    scene.do(AnswerSqueeze, consent=False)
    scene.deal("8H")
    scene.open_all()
    assert scene.settle()[-2:] == ["Cat insurance-player-5 win +2000 by 4.1.2", "Cat tie lose -50000 by 4.1.1"]


@pytest.mark.clause("insurance", "3.14")
def test_nobody_may_ask_while_bankers_third_card_is_uncertain() -> None:
    scene = squeezing()
    scene.deal("KS KH 2D 3C")  # Banker 3 stands beside an eight
    scene.open_all()
    for kind in (SqueezeKind.BANKER_THIRD_FIRST, SqueezeKind.BANKER_THIRD_SHOWN):
        assert scene.refuse(AskSqueeze, "Ann", kind=kind) == "not-certain 3.14"
