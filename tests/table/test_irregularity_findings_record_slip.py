"""A card on record that never left the shoe: a slip of the record, confirmed by somebody, and no misdeal."""

from __future__ import annotations

from typing import Any

import pytest

from punto import books
from punto.table.antes import GiveUpAnte, PlaceWager
from punto.table.insurance import DeclineInsurance, TakeInsurance, WishInsurance
from punto.table.irregularity_events import (
    ChooseOption,
    ClauseFound,
    DismissReport,
    JudgeReconstruction,
    Option,
    OrderCards,
    WithdrawEvidence,
)
from punto.table.state import Phase
from punto.table.terms import Offering
from tests.table.in_play import choices, judge, playing
from tests.table.scenes import DEALER, SUPERVISOR, P, Scene, names, returned


def confirm(scene: Scene) -> list[Any]:
    """A Pit Supervisor confirms; nobody has a choice by it."""
    assert scene.found() == "record-slip awaits judgement"
    events = judge(scene, possible=True)
    assert scene.state.case is None
    assert "options-given" not in names(events)
    return events


@pytest.mark.parametrize("book", books.NAMES)
def test_in_every_book_it_is_a_house_term_and_nobody_has_a_choice(book: str) -> None:
    scene = playing("KS KH 4D 7C 5H", book)
    (found,) = [event for event in scene.report("5:shoe") if isinstance(event, ClauseFound)]
    assert (found.finding.value, found.clause, found.house_term) == ("record-slip", None, True)
    assert scene.refuse(JudgeReconstruction, DEALER, possible=True) == "not-allowed"
    assert scene.refuse(JudgeReconstruction, SUPERVISOR, possible=False) == "no-case"
    confirm(scene)
    assert scene.hands() == "KS 4D / KH 7C"
    scene.deal("2H")
    assert scene.hands() == "KS 4D 2H / KH 7C"


def test_whoever_reports_it_confirms_it_in_a_step_of_its_own() -> None:
    scene = playing("KS KH 4D")
    scene.report("3:shoe", by=SUPERVISOR)
    confirm(scene)
    assert scene.hands() == "KS / KH"


def test_the_report_can_be_dismissed_or_taken_back() -> None:
    scene = playing("KS KH 4D 7C")
    for way in ({"reason": "it lies there"}, {"cards": (2,)}):
        scene.report("2:shoe")
        what = DismissReport if "reason" in way else WithdrawEvidence
        scene.do(what, SUPERVISOR, **way)
        assert scene.hands() == "KS 4D / KH 7C"
        assert scene.state.case is None


def test_later_cards_go_to_their_true_places() -> None:
    scene = playing("KS KH 4D 7C 5H")
    scene.report("2:shoe")
    confirm(scene)
    assert scene.hands() == "KS 7C / 4D 5H"


def test_several_cards_may_never_have_left_the_shoe() -> None:
    scene = playing("KS KH 4D 7C 5H")
    scene.report("2:shoe 4:shoe")
    confirm(scene)
    assert scene.hands() == "KS 5H / 4D"


def test_a_card_that_then_lies_too_many_is_5_7_as_ever() -> None:
    """Without the four Player has nine: the seven was drawn though nothing was due."""
    scene = playing("KS 4H 2D 9C 2C 7S")
    scene.report("2:shoe")
    assert scene.found() == "excess awaits judgement 5.7"
    judge(scene, possible=True)
    assert scene.hands() == "KS 9C / 2D 2C"
    assert [str(slot.card) for slot in scene.state.carried] == ["7S"]


def test_a_card_that_somebody_saw_with_the_other_hand_is_5_8_as_ever() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("4:shoe 1:banker")
    assert scene.found() == "wrong-side awaits judgement 5.8"


def test_cards_drawn_together_beside_it_still_wait_for_somebody_to_confirm() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("4:shoe 5H:banker:together 6D:player:together")
    assert scene.found() == "drawn-together awaits order 5.10"
    scene.do(OrderCards, SUPERVISOR, cards=(5, 6))
    assert scene.found() == "drawn-together awaits judgement 5.10"
    assert choices(judge(scene, possible=True))[0] == "Ann continue-reconstructed 5.10.1"


def test_an_interruption_beside_it_voids_or_leaves_the_slip_to_be_confirmed() -> None:
    scene = playing("KS KH")
    scene.report("2:shoe", seen="interruption")
    assert scene.state.phase is Phase.IDLE  # no outcome is established: void
    other = playing("KS KH 4D 7C 5H")
    other.report("5:shoe", seen="interruption")
    confirm(other)
    assert other.hands() == "KS 4D / KH 7C"


# ── Insurance ────────────────────────────────────────────────────────────────────────────────────


def insured(cards: str, amount: int) -> Scene:
    scene = playing(cards)
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=amount)
    return scene


def test_insurance_on_the_false_hand_goes_back() -> None:
    """Player eight against five at 7:1, and the six that made the eight is in the shoe."""
    scene = insured("KS KH 2D 5C 6S", 200)
    scene.report("5:shoe")
    assert returned(confirm(scene)) == ["Ann insurance-player-5 200"]
    assert scene.lying() == ["Ann player 3000", "Ben banker 2000"]
    scene.deal("6H")
    assert scene.offers() == ["Ann player 7:1 up to 400"]  # the whole cap is free


def test_insurance_stands_where_the_true_hand_offers_the_same() -> None:
    """Player six against Banker five, with the nine of hearts and without it."""
    scene = insured("KS 9H 6D 6C", 500)
    scene.deal("9S")
    scene.report("2:shoe")
    assert returned(confirm(scene)) == []
    assert scene.hands() == "KS 6C / 6D 9S"
    assert scene.offers() == ["Ann player 3:1 up to 500"]
    scene.deal("4H")  # Banker nine
    assert scene.settle()[:2] == ["Ann player lose -3000 by 4.1.1", "Ann insurance-player-4 win +1500 by 4.1.2"]


def test_insurance_taken_before_the_false_card_stands() -> None:
    scene = insured("KS KH 6D 5C", 500)
    scene.deal("4S")
    scene.report("5:shoe")
    assert returned(confirm(scene)) == []
    assert scene.lying()[-1] == "Ann insurance-player-4 500"


def test_a_window_that_opened_on_the_false_hand_opens_on_the_true_one_for_all() -> None:
    """After five cards Ann declines and Cat lets it pass; then the fifth was never there."""
    scene = Scene("insurance")
    scene.start(Ann="player=3000", Cat="player=1000")
    scene.deal("KS KH 2D 5C 6S")
    scene.do(DeclineInsurance, "Ann")
    scene.deal("6H")
    assert scene.state.forgone == {"Ann", "Cat"}
    scene.report("5:shoe")
    confirm(scene)
    assert scene.hands() == "KS 2D 6H / KH 5C"
    assert scene.offers() == ["Ann player 7:1 up to 400", "Cat player 7:1 up to 100"]


def test_a_window_of_the_false_hand_is_still_due_when_the_true_one_comes_to_it() -> None:
    """Five cards with the king of hearts, four without it; then the fifth opens its window as ever."""
    scene = playing("KS KH AD AC 4S")
    assert 5 in scene.state.windows_seen
    scene.report("2:shoe")
    confirm(scene)
    assert scene.hands() == "KS AC / AD 4S"
    scene.deal("5H")
    assert scene.offers() == ["Ann player 3:1 up to 1000"] == playing("KS AD AC 4S 5H").offers()


def test_whoever_declined_on_the_true_hand_has_declined() -> None:
    scene = playing("KS KH 6D 5C")
    scene.do(DeclineInsurance, "Ann")
    scene.deal("4S")
    scene.report("5:shoe")
    confirm(scene)
    assert scene.state.forgone == {"Ann"}


def test_insurance_that_was_not_offered_on_a_false_hand_was_not_neglected() -> None:
    scene = playing("KS KH 2D 5C 6S", offering=Offering.DEALER)
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    scene.deal("7S")
    assert 5 in scene.state.neglected
    scene.report("5:shoe")
    confirm(scene)
    assert (5 in scene.state.neglected, scene.state.wishes) == (False, ())


def test_what_is_staked_on_it_goes_back_only_when_nobody_can_dismiss_the_report_any_more() -> None:
    """A floor card beside the slip gives a choice; while it is open the report can still be dismissed."""
    scene = insured("KS KH 2D 5C 6S", 200)
    scene.report("5:shoe 7H:floor")
    assert scene.found() == "dealing-error awaits judgement 5.12"
    assert returned(judge(scene, possible=True)) == []
    scene.do(DismissReport, SUPERVISOR, reason="all was well")
    assert scene.lying()[-1] == "Ann insurance-player-5 200"
    scene.report("5:shoe 7H:floor")
    judge(scene, possible=True)
    scene.do(ChooseOption, "Ben", option=Option.CONTINUE)
    events = scene.do(ChooseOption, "Ann", option=Option.CONTINUE)
    assert returned(events) == ["Ann insurance-player-5 200"]


# ── After settlement, antes, the cut card ────────────────────────────────────────────────────────


@pytest.mark.parametrize("book", books.NAMES)
def test_found_after_settlement_the_round_goes_on(book: str) -> None:
    scene = playing("KS KH 4D 7C 5H", book)
    scene.settle()
    events = scene.report("5:shoe")
    assert names(events)[:2] == ["settlement-reversed", "case-opened"]
    confirm(scene)
    assert scene.state.phase is Phase.DEALING
    scene.deal("2H")
    assert [bet.split()[:3] for bet in scene.settle()] == [["Ann", "player", "lose"], ["Ben", "banker", "win"]]


@pytest.mark.parametrize("decided", ["wager", "give up"])
def test_an_ante_decided_by_a_false_card_is_decided_again(decided: str) -> None:
    scene = Scene("knockout")
    scene.start(Ann="ante-player=1000")
    scene.deal("2S")
    if decided == "wager":
        scene.do(PlaceWager, "Ann", box=1, area="wager-player", amount=2000)
    else:
        scene.do(GiveUpAnte, "Ann", box=1, area="ante-player")
    scene.deal("KH 6D")
    scene.report("1:shoe")
    events = confirm(scene)
    assert returned(events) == (["Ann wager-player 2000"] if decided == "wager" else [])
    assert scene.hands() == "KH / 6D"
    assert scene.state.phase is Phase.ANTES
    assert scene.lying() == ["Ann ante-player 1000"]
    scene.do(PlaceWager, "Ann", box=1, area="wager-player", amount=2000)
    scene.deal("9S 2C")
    plain = Scene("knockout")
    plain.start(Ann="ante-player=1000")
    plain.deal("KH")
    plain.do(PlaceWager, "Ann", box=1, area="wager-player", amount=2000)
    plain.deal("6D 9S 2C")
    assert scene.settle() == plain.settle()


def test_an_ante_decided_by_the_same_card_stays_so() -> None:
    scene = Scene("knockout")
    scene.start(Ann="ante-player=1000")
    scene.deal("2S")
    scene.do(PlaceWager, "Ann", box=1, area="wager-player", amount=2000)
    scene.deal("2S")
    scene.report("1:shoe")
    assert returned(confirm(scene)) == []
    assert scene.lying() == ["Ann ante-player 1000", "Ann wager-player 2000"]


def test_a_false_card_brings_no_cut_card_out() -> None:
    scene = playing("KS KH 2D 5C 6S", behind_cut=410)
    assert "cut-card-came-out" in names(scene.deal("7S"))
    scene.report("6:shoe")
    confirm(scene)
    assert scene.state.last_round is None
    assert "cut-card-came-out" in names(scene.deal("7H"))
