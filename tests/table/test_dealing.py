"""The deal: where cards go, cards keyed in wrongly, cards carried over, and unknown cards face down."""

from typing import Any

import pytest

from punto.cards import parse_cards
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.table import legal_commands
from punto.table.antes import ExpireAntes, GiveUpAnte
from punto.table.betting import CallBets
from punto.table.dealing import CorrectCard, DealCard, RevealCard
from punto.table.house import LeaveSeat
from punto.table.insurance import DeclineInsurance, TakeInsurance
from punto.table.irregularity_events import JudgeReconstruction, OrderCards
from punto.table.settlement import SettleRound
from punto.table.state import Phase
from punto.table.terms import Drawing, Faces
from tests.table.scenes import DEALER, PHYSICAL, SUPERVISOR, B, P, Scene, made, names

DOWN: dict[str, Any] = {"faces": Faces.DOWN}


def correct(hand: Any, number: int, card: str) -> dict[str, Any]:
    return {"hand": hand, "number": number, "card": Card(card)}


def physical(cards: str, book: str = "insurance", **terms: Any) -> Scene:
    scene = Scene(book, **PHYSICAL, **terms)
    scene.start(Ann="player=3000", Ben="banker=3000")
    scene.deal(cards)
    return scene


# ── Where cards go ───────────────────────────────────────────────────────────────────────────────


def test_cards_go_by_the_table_of_play_until_it_is_finished() -> None:
    scene = Scene("commission")
    scene.start(Ann="player=1000")
    events = scene.deal("KS KH 2D 3C 4S 5H")
    assert names(events)[-1] == "deal-finished"
    assert scene.hands() == "KS 2D 4S / KH 3C 5H"
    finished = events[-1]
    assert (finished.winner.value, finished.player_points, finished.banker_points) == ("banker", 6, 8)
    assert scene.refuse(DealCard, card=Card("2S")) == "not-dealing"


def test_a_face_up_card_has_to_be_named_and_be_in_the_shoe() -> None:
    scene = Scene("commission", decks=4)
    scene.start(Ann="player=1000")
    assert scene.refuse(DealCard) == "card-needed"
    scene.deal("KS KS KS KS")
    assert scene.refuse(DealCard, card=Card("KS")) == "card-not-there 2.2.1"
    scene.deal("QS")


def test_nothing_is_dealt_or_turned_between_rounds() -> None:
    scene = Scene("commission")
    assert scene.refuse(DealCard, card=Card("KS")) == "not-dealing"
    assert scene.refuse(RevealCard, hand=P, number=1) == "no-such-card"
    assert scene.refuse(SettleRound) == "no-round 4.1.2"


# ── Face down ────────────────────────────────────────────────────────────────────────────────────


def test_face_down_cards_are_opened_once_four_are_out() -> None:
    scene = Scene("commission", **DOWN)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 9D")
    assert scene.refuse(RevealCard, hand=P, number=1) == "no-such-card 3.4"
    assert names(scene.deal("7C")) == ["card-dealt"]  # a natural, but nobody has seen it
    assert scene.refuse(SettleRound) == "deal-unfinished 4.1.2"
    assert scene.refuse(RevealCard, "Ann", hand=P, number=1) == "not-your-card"
    for number in (0, 3, -1):
        assert scene.refuse(RevealCard, hand=P, number=number) == "no-such-card"
    assert names(scene.open_all())[-2:] == ["card-revealed", "deal-finished"]
    assert scene.refuse(RevealCard, hand=P, number=1) == "no-such-card"


def test_from_a_physical_shoe_nobody_knows_a_card_until_it_is_turned() -> None:
    scene = Scene("commission", **PHYSICAL, **DOWN)
    scene.start(Ann="player=1000")
    for _ in range(4):
        scene.do(DealCard)
    assert scene.state.shoe is not None
    assert (scene.state.shoe.cards_left, scene.state.shoe.out) == (8 * 52 - 4, ())
    assert scene.refuse(RevealCard, hand=P, number=1) == "card-needed"
    for hand, number, card in ((P, 1, "KS"), (P, 2, "9D"), (B, 1, "KH"), (B, 2, "7C")):
        scene.do(RevealCard, hand=hand, number=number, card=Card(card))
    assert scene.state.shoe.cards_left == 8 * 52 - 4
    assert scene.settle() == ["Ann player win +1000 by 4.1.2"]
    assert [str(card) for card in scene.state.shoe.out] == ["KS", "9D", "KH", "7C"]


def test_a_shuffled_shoe_knows_its_cards() -> None:
    scene = Scene("commission", **DOWN)
    scene.start(Ann="player=1000")
    assert scene.refuse(DealCard) == "card-needed"


def test_unknown_cards_are_opened_before_the_hands_are_put_right() -> None:
    scene = Scene("insurance", **PHYSICAL, **DOWN)
    scene.start(Ann="player=1000")
    for _ in range(4):
        scene.do(DealCard)
    scene.report("4S:player:up:together 9H:banker:up:together")
    order = {"cards": parse_cards("4S 9H")}
    scene.do(OrderCards, SUPERVISOR, **order)
    assert scene.refuse(JudgeReconstruction, SUPERVISOR, possible=True) == "cannot-reconstruct 5.10"
    for hand, number, card in ((P, 1, "KS"), (P, 2, "2D"), (B, 1, "KH"), (B, 2, "7C")):
        scene.do(RevealCard, hand=hand, number=number, card=Card(card))
    assert scene.hands() == "KS 2D 4S / KH 7C"
    # Nothing more is turned while the players choose.
    assert scene.refuse(RevealCard, hand=P, number=1) == "no-such-card"


def test_known_cards_face_down_do_not_say_where_another_goes() -> None:
    scene = Scene("insurance", **DOWN)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 9D 7C")
    scene.report("4S:player:up")
    judge = {"possible": True}
    assert scene.refuse(JudgeReconstruction, SUPERVISOR, **judge) == "cannot-reconstruct 5.7"
    scene.open_all()
    events = scene.do(JudgeReconstruction, SUPERVISOR, **judge)
    assert [str(card) for card in events[1].carried] == ["4S"]


def test_among_the_first_four_no_card_needs_to_be_opened() -> None:
    scene = Scene("insurance", **DOWN)
    scene.start(Ann="player=1000")
    scene.deal("KS KH")
    scene.report("4S:banker:up")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.hands() == "?? 4S / ??"


# ── Put right ────────────────────────────────────────────────────────────────────────────────────


def test_a_card_keyed_in_wrongly_is_put_right_on_record() -> None:
    scene = physical("KS KH 6D 7C", "commission")
    assert scene.state.phase is Phase.FINISHED
    events = scene.do(CorrectCard, **correct(B, 2, "6C"))
    assert names(events) == ["card-corrected", "deal-finished"]
    assert (str(events[0].was), str(events[0].card)) == ("7C", "6C")
    assert events[1].winner.value == "tie"
    assert scene.state.shoe is not None
    assert [str(card) for card in scene.state.shoe.out] == ["KS", "KH", "6D", "6C"]
    assert scene.settle()[0] == "Ann player push 0 by 3.8"


def test_not_if_the_deal_would_have_gone_another_way() -> None:
    scene = physical("KS KH 6D 7C", "commission")
    scene.do(CorrectCard, **correct(P, 2, "2D"))  # four cards lie as they should; Player draws after all
    assert scene.state.phase is Phase.DEALING
    scene.deal("4S")
    assert scene.refuse(CorrectCard, **correct(P, 2, "7D")) == "different-deal"
    scene.do(CorrectCard, **correct(P, 3, "5S"))
    assert scene.hands() == "KS 2D 5S / KH 7C"


def test_what_cannot_be_put_right() -> None:
    scene = physical("KS KH", "commission")
    assert scene.refuse(CorrectCard, **correct(P, 1, "KS")) == "same-card"
    assert scene.refuse(CorrectCard, **correct(P, 2, "KS")) == "no-such-card"
    assert scene.refuse(CorrectCard, **correct(P, 0, "KS")) == "no-such-card"
    for _ in range(7):
        scene.do(CorrectCard, **correct(P, 1, "QS"))
        scene.do(CorrectCard, **correct(P, 1, "KS"))
    assert scene.state.shoe is not None
    assert scene.state.shoe.cards_left == 8 * 52 - 2
    shuffled = Scene("commission")
    shuffled.start(Ann="player=1000")
    shuffled.deal("KS")
    assert shuffled.refuse(CorrectCard, **correct(P, 1, "QS")) == "not-entered"
    idle = Scene("commission", **PHYSICAL)
    assert idle.refuse(CorrectCard, **correct(P, 1, "QS")) == "no-round"


def test_a_card_of_which_none_is_left() -> None:
    scene = Scene("commission", decks=4, **PHYSICAL)
    scene.start(Ann="player=1000")
    scene.deal("KS KS KS KS QS")
    assert scene.refuse(CorrectCard, **correct(P, 3, "KS")) == "card-not-there 2.2.1"


@pytest.mark.gli("4.18.4")
def test_a_correction_offers_again_what_is_now_due() -> None:
    scene = physical("KS KH 6D 5C")
    assert scene.offers() == ["Ann player 3:1 up to 1000"]
    events = scene.do(CorrectCard, **correct(B, 2, "7C"))
    assert names(events) == ["card-corrected", "deal-finished"]  # Player 6 and Banker 7 both stand
    assert scene.offers() == []
    events = scene.do(CorrectCard, **correct(P, 2, "5D"))
    assert scene.offers() == ["Ben banker 4:1 up to 700"]


@pytest.mark.parametrize("decided", [TakeInsurance, DeclineInsurance])
def test_not_once_somebody_decided_by_it(decided: Any) -> None:
    scene = physical("KS KH 6D 5C")
    fields = {"box": 1, "hand": P, "amount": 100} if decided is TakeInsurance else {}
    scene.do(decided, "Ann", **fields)
    assert scene.refuse(CorrectCard, **correct(B, 2, "4C")) == "decision-taken 5.18"


def test_nor_once_a_window_has_closed_or_an_ante_was_decided() -> None:
    scene = physical("KS KH 6D 5C AS")
    assert scene.refuse(CorrectCard, **correct(B, 2, "4C")) == "decision-taken 5.18"
    antes = Scene("knockout", **PHYSICAL)
    antes.start(Ann="ante-player=1000", Ben="ante-player=1000")
    antes.deal("6S")
    assert names(antes.do(CorrectCard, **correct(P, 1, "7S"))) == ["card-corrected", "antes-asked"]
    antes.do(GiveUpAnte, "Ann", box=1, area="ante-player")
    assert antes.refuse(CorrectCard, **correct(P, 1, "6S")) == "decision-taken"


# ── Carried cards, and who draws ─────────────────────────────────────────────────────────────────


def test_the_refusal_does_not_name_a_closed_card_that_was_carried_over() -> None:
    scene = Scene("insurance", **DOWN)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 9D 7C")
    scene.open_all()
    scene.report("4S:table:down")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.settle()
    scene.start(Ann="player=1000")
    answer = scene.give(made(DealCard, DEALER, card=Card("2S")))
    assert isinstance(answer, Refusal) and answer.reason.value == "carried-first"
    assert "4S" not in answer.sentence and answer.params == {"card": "▯"}


def test_a_card_carried_over_lies_open_and_counts_once() -> None:
    scene = Scene("insurance", source=SourceKind.CONTINUOUS, **DOWN)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 9D 7C")
    scene.open_all()
    scene.report("4S:table:up")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.settle()
    assert scene.state.shoe is not None
    assert scene.state.shoe.out == parse_cards("4S")  # all others are inside again
    scene.start(Ann="player=1000")
    assert scene.refuse(DealCard) == "carried-first 5.7"
    (dealt,) = scene.do(DealCard, card=Card("4S"))
    assert (dealt.carried, dealt.face_up) == (True, True)
    scene.deal("KH")
    assert scene.hands() == "4S / ??"
    assert scene.state.shoe.cards_left == 8 * 52 - 2


@pytest.mark.parametrize("source", SourceKind)
@pytest.mark.parametrize("faces", Faces)
def test_a_card_carried_over_that_nobody_saw_is_named_when_it_is_dealt(source: SourceKind, faces: Faces) -> None:
    scene = Scene("insurance", source=source, faces=faces)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 9D 7C")
    scene.open_all()
    scene.report("unseen:table")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.settle()
    scene.start(Ann="player=1000")
    if faces is Faces.UP:
        assert scene.refuse(DealCard) == "card-needed"
    listed = legal_commands(scene.table, DEALER, Role.DEALER)
    assert any(isinstance(legal.command, DealCard) for legal in listed)
    (dealt,) = scene.do(DealCard, card=Card("4S"))
    assert (dealt.carried, dealt.face_up) == (True, faces is Faces.UP)
    assert scene.state.shoe is not None
    assert scene.state.shoe.out.count(Card("4S")) == (faces is Faces.UP)


def test_the_cut_card_may_come_out_with_a_card_drawn_in_error() -> None:
    scene = Scene("insurance", behind_cut=8 * 52 - 6, rounds_after_cut=0)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 9D 7C")
    told = scene.report("4S:table 5S:table")
    assert names(told) == ["case-opened", "cut-card-came-out", "clause-found"]
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.settle()
    assert scene.refuse(CallBets) == "shoe-finished"


def test_the_player_whose_turn_it_was_draws_on_in_a_round_taken_up_again() -> None:
    """Ann left her seat after the settlement; the round is hers all the same."""
    scene = Scene("commission", drawing=Drawing.PLAYERS)
    scene.start(Ann="player=1000")
    for text in ("KS", "KH", "6D", "7C"):
        scene.do(DealCard, "Ann", card=Card(text))
    scene.settle()
    scene.do(LeaveSeat, "Ann")
    scene.report("4S:player")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.refuse(DealCard, DEALER, card=Card("KS")) == "not-dealing"
    scene.settle()


def test_a_card_that_is_shown_at_once_has_to_be_named() -> None:
    """Antes are decided by the first card, also where the others are dealt face down and unknown."""
    scene = Scene("knockout", **PHYSICAL, **DOWN)
    scene.start(Ann="banker=1000 ante-banker=1000")
    assert scene.refuse(DealCard) == "card-needed"
    scene.deal("9H")
    scene.do(ExpireAntes)
    scene.do(DealCard)
    assert scene.hands() == "9H / ??"
