"""Remedies and insurance: windows offered again, what is kept, and what goes back."""

from __future__ import annotations

import pytest

from punto.cards.source import SourceKind
from punto.table.house import ComeBack, WalkAway
from punto.table.insurance import TakeInsurance
from punto.table.irregularity_events import ChooseOption, CloseOptions, DismissReport, Option
from punto.table.state import Phase
from tests.table.in_play import all_continue, judge, playing
from tests.table.scenes import SUPERVISOR, P, Scene, returned


def test_a_wrong_card_closes_the_window_and_one_that_is_due_is_offered_anew() -> None:
    """Cat passed the window up; Ann has insured; the card was drawn too soon and fell."""
    scene = Scene("insurance")
    scene.start(Ann="player=3000", Cat="player=1000")
    scene.deal("KS KH 6D 5C")
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=500)
    events = scene.report("4S:floor")
    (closed,) = [event for event in events if event.name() == "insurance-closed"]
    assert (closed.forgone, closed.clause) == (("Cat",), "5.3")
    assert scene.refuse(TakeInsurance, "Cat", box=2, hand=P, amount=100).startswith("case-open")
    judge(scene, possible=False)  # the four is out of play, and Banker's card is still to come
    all_continue(scene)
    assert scene.offers() == ["Ann player 3:1 up to 500"]  # what is insured counts in the cap
    assert scene.refuse(TakeInsurance, "Cat", box=2, hand=P, amount=100) == "forgone 5.3"
    scene.deal("4H")
    assert scene.settle() == [
        "Ann player lose -3000 by 4.1.1",
        "Ann insurance-player-4 win +1500 by 4.1.2",
        "Cat player lose -1000 by 4.1.1",
    ]


def test_if_the_card_never_left_the_shoe_nobody_has_forgone() -> None:
    scene = playing("KS KH 6D 5C")
    scene.report("4S:floor")
    assert scene.state.forgone == {"Ann"}
    scene.report("5:shoe", by=SUPERVISOR)
    assert scene.state.forgone == frozenset()
    scene.do(DismissReport, SUPERVISOR, reason="nothing fell")
    assert scene.offers() == ["Ann player 3:1 up to 1000"]
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=1000)


def test_the_same_for_a_card_on_record() -> None:
    scene = playing("KS KH 5D 4C")
    scene.deal("2S")
    assert scene.state.forgone == {"Ann"}
    scene.report("5:shoe", by=SUPERVISOR)
    judge(scene, possible=True)  # a slip of the record: nobody has a choice
    assert scene.hands() == "KS 5D / KH 4C"
    assert scene.offers() == ["Ann player 2:1 up to 1500"]


def test_insurance_goes_back_with_the_bets_of_who_returns() -> None:
    scene = playing("KS KH 6D 5C")
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=500)
    scene.report("4S:floor")
    judge(scene, possible=False)
    events = scene.do(ChooseOption, "Ann", option=Option.RETURN)
    assert returned(events) == ["Ann player 3000", "Ann insurance-player-4 500"]


def test_insurance_is_settled_on_the_hands_as_put_right() -> None:
    """Insured at Player six, Banker five; then the six proves to have been an eight."""
    scene = playing("KS KH 6D 5C", source=SourceKind.ENTERED)
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=500)
    scene.report("3:is-8D")
    all_continue(scene)
    assert scene.state.phase is Phase.FINISHED
    assert scene.settle() == [
        "Ann player win +3000 by 4.1.1",
        "Ann insurance-player-4 lose -500 by 4.1.2",
        "Ben banker lose -2000 by 4.1.1",
    ]


def test_who_walks_away_has_forgone_insurance_and_continues() -> None:
    scene = playing("KS")
    scene.do(WalkAway, "Ann")
    scene.do(ComeBack, "Ann")
    scene.report("4D:player")
    judge(scene, possible=True)
    scene.do(WalkAway, "Ben")
    assert scene.refuse(CloseOptions) == "players-present 5.8"
    scene.do(ChooseOption, "Ann", option=Option.CONTINUE)
    events = scene.do(CloseOptions)
    assert [(event.player, event.option.value) for event in events if event.name() == "option-chosen"] == [
        ("Ben", "continue")
    ]
    scene.deal("6C AH")  # Player K 6, Banker 4 A: six against five
    assert scene.hands() == "KS 6C / 4D AH"
    assert scene.state.window == 4
    assert scene.refuse(TakeInsurance, "Ann", box=1, hand=P, amount=100) == "forgone 5.3"


@pytest.mark.parametrize(
    ("truth", "banker", "insured"),
    [
        ("", "6C", "win +2400 by 4.2.1"),  # nine against nine, as it was taken
        ("5:is-4S", "5C", "push 0 by 4.2.1"),  # eight against eight
        ("5:is-3S", "4C", "push 0 by 4.2.1"),
        ("3:is-3D 5:is-6S", "6C", "win +2400 by 4.2.1"),  # another hand, and nine against nine all the same
        ("5:is-4S", "6C", "win +2400 by 4.1.2"),  # the hand that was nine is eight, and loses
    ],
)
@pytest.mark.clause("insurance", "4.2.1")
def test_insurance_on_a_nine_covers_no_tie_but_nine_against_nine(truth: str, banker: str, insured: str) -> None:
    scene = playing("KS KH 4D 3C 5S", source=SourceKind.ENTERED)
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=300)
    scene.deal(banker)
    if truth:
        scene.report(truth, by=SUPERVISOR)
        all_continue(scene)
    lines = scene.settle()
    assert [line for line in lines if "insurance" in line] == [f"Ann insurance-player-5 {insured}"]
