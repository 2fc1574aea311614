"""Remedies: hands put right or left as they lie, and who has a choice."""

from __future__ import annotations

from typing import Any

import pytest

from punto import books
from punto.cards.card import Card
from punto.table.dealing import DealCard, RevealCard
from punto.table.irregularity_case import OrderKnown
from punto.table.irregularity_events import JudgeReconstruction
from punto.table.state import Phase
from tests.table.in_play import DOWN, PHYSICAL_DOWN, all_continue, choices, judge, playing
from tests.table.lying import scene_of
from tests.table.scenes import DEALER, PHYSICAL, SUPERVISOR, B, P, Scene, names, returned

# ── Put right ────────────────────────────────────────────────────────────────────────────────────


def test_players_third_put_to_banker_is_put_right() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:banker")
    events = judge(scene, possible=True)
    assert names(events) == ["reconstruction-judged", "cards-reconstructed", "case-closed", "deal-finished"]
    assert scene.hands() == "KS 4D 5H / KH 7C"
    assert choices(events) == []  # an outcome is established, and they were put right (5.8)


def test_what_is_left_over_starts_the_next_round() -> None:
    scene = playing("KS KH 6D 7C")
    scene.report("5H:player 2S:table")
    judge(scene, possible=True)
    assert [str(slot.card) for slot in scene.state.carried] == ["5H", "2S"]
    scene.settle()
    scene.start(Ann="player=3000")
    assert scene.refuse(DealCard, card=Card("2S")) == "carried-first 5.7"
    scene.deal("5H 2S")
    assert scene.hands() == "5H / 2S"


def test_before_an_outcome_everybody_has_the_choice() -> None:
    scene = playing("KS")
    scene.report("4D:player")
    events = judge(scene, possible=True)
    assert scene.hands() == "KS / 4D"
    assert choices(events) == ["Ann continue-reconstructed 5.8", "Ben continue-reconstructed 5.8"]


@pytest.mark.parametrize(
    ("dealt", "cards", "options"),
    [
        ("KS", "4D:player", True),  # 5.8 before an outcome
        ("KS KH", "4D:banker", False),  # 5.8 with an outcome, put right
        ("KS KH 6D 7C", "5H:player", False),  # 5.7.1 with an outcome
        ("KS KH 6D 7C", "9D:floor", False),  # too many, fallen or not
        ("KS KH 4D 7C", "9D:floor", True),  # 5.12 always
        ("KS", "9D:floor", True),
    ],
)
def test_who_has_a_choice_when_it_can_be_put_right(dealt: str, cards: str, options: bool) -> None:
    scene = playing(dealt)
    scene.report(cards)
    assert bool(choices(judge(scene, possible=True))) is options


def test_face_up_has_a_choice_only_before_an_outcome() -> None:
    scene = playing("KS", **DOWN)
    assert choices(scene.report("1:up")) == ["Ann continue 5.9", "Ben continue 5.9"]
    late = playing("KS KH 6D 7C", **DOWN)
    late.do(RevealCard, hand=P, number=1)
    late.do(RevealCard, hand=P, number=2)
    assert choices(late.report("2:up")) == []
    assert late.hands() == "KS 6D / KH ??"


def test_drawn_together_always_has_a_choice() -> None:
    scene = playing("KS KH 4D 7C")
    events = scene.report("5H:player:together 6D:table:together", order=OrderKnown.SEEN)
    assert choices(events) == ["Ann continue-reconstructed 5.10.1", "Ben continue-reconstructed 5.10.1"]
    assert scene.hands() == "KS 4D 5H / KH 7C"
    assert [str(slot.card) for slot in scene.state.carried] == ["6D"]


# ── As they lie ──────────────────────────────────────────────────────────────────────────────────


def test_crossed_cards_are_played_as_they_lie_and_third_cards_come_by_the_table_of_play() -> None:
    scene = playing("KS 3H 2D 2C")
    scene.report("3:banker 4:player")
    events = judge(scene, possible=False)
    assert names(events)[:2] == ["reconstruction-judged", "cards-played-as-they-lie"]
    assert scene.hands() == "KS 2C / 3H 2D"
    assert choices(events) == ["Ann continue 5.8", "Ben continue 5.8"]
    all_continue(scene)
    scene.deal("5H")  # Player two draws
    scene.deal("6D")  # Banker five draws beside a five
    assert scene.hands() == "KS 2C 5H / 3H 2D 6D"
    assert scene.state.phase is Phase.FINISHED


def test_a_wrong_number_as_they_lie_is_void() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:banker")
    events = judge(scene, possible=False)
    found = [event for event in events if event.name() == "clause-found"]
    assert [(event.finding.value, event.clause) for event in found] == [("wrong-number", "5.5.3")]
    assert returned(events) == ["Ann player 3000", "Ben banker 2000"]
    (voided,) = [event for event in events if event.name() == "round-voided"]
    assert voided.clause == "5.5.3"


def test_a_card_that_lies_with_no_hand_is_out_of_play() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:floor")
    events = judge(scene, possible=False)
    (lie,) = [event for event in events if event.name() == "cards-played-as-they-lie"]
    assert [str(card) for card in lie.out] == ["5H"]
    all_continue(scene)
    assert scene.hands() == "KS 4D / KH 7C"
    assert scene.state.carried == ()
    scene.deal("6D")
    assert scene.hands() == "KS 4D 6D / KH 7C"


def test_cards_left_as_they_lie_are_in_their_place_from_then_on() -> None:
    """The first card is lost, the second stays Banker's: nobody finds it on the wrong side later."""
    scene = playing()
    scene.report("2C:floor KH:banker")
    judge(scene, possible=False)
    all_continue(scene)
    assert scene.hands() == " / KH"
    assert scene.refuse_report("1:banker") == "nothing-wrong"
    assert scene.refuse_report("KS:player") == "nothing-wrong"  # Player has none yet
    scene.report("9D:floor")
    assert scene.found() == "dealing-error awaits judgement 5.12"
    judge(scene, possible=True)
    all_continue(scene)
    assert scene.hands() == "9D / KH"
    scene.deal("KS KD")
    assert scene.hands() == "9D KS / KH KD"


def test_they_are_there_whatever_their_order() -> None:
    """Crossed and left so; then it is found that Banker's second left the shoe after Player's third."""
    scene = playing("KS 4H 8H 2D")
    scene.report("3:banker 4:player")
    judge(scene, possible=False)
    all_continue(scene)
    assert scene.hands() == "KS 2D / 4H 8H"
    scene.deal("AS")
    scene.report("4:after-5", by=SUPERVISOR)
    all_continue(scene)
    assert scene.hands() == "KS 2D AS / 4H 8H"


def test_and_they_stand_first_in_their_hand() -> None:
    """Player's first card is out of play; it is then found that the one left to Player came last of all."""
    scene = playing("AH AC AC 4D")
    scene.report("1:floor")
    judge(scene, possible=False)
    all_continue(scene)
    assert scene.hands() == "AC / AC 4D"
    scene.deal("2S 7D AH")
    scene.report("2H:table 1:after-6", by=SUPERVISOR)
    judge(scene, possible=True)
    assert scene.hands() == "AC 2S 7D / AC 4D AH"
    assert [str(slot.card) for slot in scene.state.carried] == ["2H"]


# ── Cards that nobody has seen ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("terms", [PHYSICAL_DOWN, DOWN])
def test_unseen_cards_are_put_right_by_order_and_nothing_is_exposed(terms: dict[str, Any]) -> None:
    scene = Scene("insurance", **terms)
    scene.start(Ann="player=3000")
    scene.do(DealCard, card=None if terms is PHYSICAL_DOWN else Card("KS"))
    wrong = "unseen:player:down unseen:banker:down" if terms is PHYSICAL_DOWN else "4D:player 7C:banker"
    scene.report(wrong)
    events = judge(scene, possible=True)
    (put_right,) = [event for event in events if event.name() == "cards-reconstructed"]
    assert (put_right.player, put_right.banker) == ((None, None), (None,))
    assert scene.hands() == "?? ?? / ??"
    if terms is DOWN:
        assert [str(slot.card) for slot in scene.state.player] == ["KS", "7C"]


def test_not_where_a_draw_hangs_on_a_face_nobody_knows() -> None:
    scene = Scene("insurance", **PHYSICAL_DOWN)
    scene.start(Ann="player=3000")
    for _ in range(4):
        scene.do(DealCard)
    scene.report("unseen:table")
    refused = scene.refuse(JudgeReconstruction, SUPERVISOR, possible=True)
    assert refused == "cannot-reconstruct 5.7"
    for hand, number, card in ((P, 1, "KS"), (P, 2, "6D"), (B, 1, "KH"), (B, 2, "7C")):
        scene.do(RevealCard, hand=hand, number=number, card=Card(card))
    judge(scene, possible=True)
    assert scene.hands() == "KS 6D / KH 7C"
    assert [slot.card for slot in scene.state.carried] == [None]


@pytest.mark.parametrize("book", books.NAMES)
def test_a_card_that_never_left_the_shoe_is_corrected_without_options(book: str) -> None:
    """A slip of the record, in every book alike: a Pit Supervisor confirms it and the round goes on."""
    scene = scene_of("KS KH 4D 7C 5H", book, **PHYSICAL)
    scene.report("5:shoe")
    assert scene.found() == "record-slip awaits judgement"
    refused = scene.refuse(JudgeReconstruction, DEALER, possible=True)
    assert refused == "not-allowed"  # a house term, so no clause
    events = judge(scene, possible=True)
    assert "options-given" not in names(events) and scene.state.case is None
    assert scene.hands() == "KS 4D / KH 7C"
    scene.deal("9S")
    assert scene.hands() == "KS 4D 9S / KH 7C"
