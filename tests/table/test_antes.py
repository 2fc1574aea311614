"""Antes and wagers: asked for once, decided each by itself."""

from punto.cards.card import Card
from punto.table.antes import ExpireAntes, GiveUpAnte, PlaceWager
from punto.table.dealing import DealCard
from punto.table.irregularity_events import Effect, Rule
from punto.table.state import AnteState, Phase
from punto.table.terms import BetLimits, Faces
from tests.table.scenes import DEALER, SHIFT, Scene, names


def asked(**bets: str) -> Scene:
    scene = Scene("knockout")
    scene.start(**bets)
    scene.deal("6S")
    return scene


def test_books_without_antes_have_nothing_to_decide() -> None:
    scene = Scene("commission")
    scene.start(Ann="player=1000")
    scene.deal("6S")
    assert scene.refuse(PlaceWager, "Ann", box=1, area="wager-player", amount=2000) == "unknown-area 2.1.3"
    assert scene.refuse(GiveUpAnte, "Ann", box=1, area="ante-player") == "no-ante-open"
    assert scene.refuse(ExpireAntes) == "no-case"


def test_the_shown_card_lies_open_at_a_face_down_table_too() -> None:
    scene = Scene("knockout", faces=Faces.DOWN)
    scene.start(Ann="ante-player=1000")
    assert names(scene.deal("6S")) == ["card-dealt", "antes-asked"]
    assert scene.hands() == "6S / "
    scene.do(GiveUpAnte, "Ann", box=1, area="ante-player")
    scene.deal("KH")
    assert scene.hands() == "6S / ??"


def test_each_ante_keeps_what_was_decided() -> None:
    scene = asked(Ann="ante-player=1000 ante-banker=1000")
    assert scene.state.phase is Phase.ANTES
    scene.do(PlaceWager, "Ann", box=1, area="wager-banker", amount=2000)
    scene.do(GiveUpAnte, "Ann", box=1, area="ante-player")
    assert [bet.ante for bet in scene.state.bets[:2]] == [AnteState.GIVEN_UP, AnteState.WAGERED]
    assert scene.refuse(GiveUpAnte, "Ann", box=1, area="ante-player") == "no-ante-open 3.4"
    assert scene.refuse(GiveUpAnte, "Ann", box=1, area="ante-banker") == "no-ante-open 3.4"
    scene.deal("KH KD 5C")
    scene.deal("4C")  # Banker draws to nine and beats six
    assert scene.settle() == [
        "Ann ante-player lose -1000 by 3.4.1",
        "Ann ante-banker win +1000 by 4.1.3",
        "Ann wager-banker win +4000 by 4.1.3",
    ]


def test_nobody_is_asked_twice() -> None:
    scene = asked(Ann="ante-player=1000")
    scene.do(PlaceWager, "Ann", box=1, area="wager-player", amount=2000)
    assert names(scene.deal("KH KD 7C")) == ["card-dealt", "card-dealt", "card-dealt", "deal-finished"]


def test_a_wager_is_bound_by_its_ante_alone() -> None:
    """Twice the ante may be more than the greatest bet, and a chip finer than the ante's is none."""
    scene = Scene("knockout", maximum=1500, bet_limits={"wager-player": BetLimits(100, 200)})
    scene.start(Ann="ante-player=1500")
    scene.deal("6S")
    scene.do(PlaceWager, "Ann", box=1, area="wager-player", amount=3000)


def test_a_standing_players_ante_is_decided_at_its_box() -> None:
    scene = Scene("knockout")
    scene.seat("Ann", 2)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.bet("Ben", "ante-player", 1000, box=2)
    scene.close()
    scene.deal("6S")
    assert scene.refuse(PlaceWager, "Ben", box=1, area="wager-player", amount=2000) == "no-ante-open 3.4"
    (placed,) = scene.do(PlaceWager, "Ben", box=2, area="wager-player", amount=2000)
    assert (placed.ante, placed.box) == ("ante-player", 2)
    assert scene.state.bets[-1].is_seated is False


def test_a_case_while_antes_are_open_leaves_them_open() -> None:
    scene = asked(Ann="ante-player=1000")
    scene.report("KH:banker")
    assert scene.found() == "exposed awaits ruling"  # drawn before it was due; the book has no clause
    scene.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="it stays Banker's")
    assert scene.state.phase is Phase.ANTES
    assert scene.refuse(DealCard, DEALER, card=Card("KD")) == "antes-undecided 3.4"
    scene.do(ExpireAntes)
    scene.deal("KD")
