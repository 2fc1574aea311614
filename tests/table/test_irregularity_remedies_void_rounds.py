"""Void rounds, rounds that were settled, interruptions and rulings."""

from __future__ import annotations

import pytest

from punto.cards.source import SourceKind
from punto.table.antes import GiveUpAnte, PlaceWager
from punto.table.betting import CallBets
from punto.table.insurance import TakeInsurance
from punto.table.irregularity_events import Effect, ReplaceCards, Rule, VoidRound
from punto.table.state import Phase
from tests.table.in_play import all_continue, choices, judge, playing
from tests.table.scenes import SHIFT, SUPERVISOR, P, Scene, names, returned


def test_a_void_gives_back_insurance_wagers_and_given_up_antes() -> None:
    scene = Scene("knockout")
    scene.start(Ann="ante-player=1000 ante-banker=1000")
    scene.deal("6S")
    scene.do(PlaceWager, "Ann", box=1, area="wager-player", amount=2000)
    scene.do(GiveUpAnte, "Ann", box=1, area="ante-banker")
    scene.report(seen="foreign-card")
    assert scene.void() == ["Ann ante-player 1000", "Ann ante-banker 1000", "Ann wager-player 2000"]


@pytest.mark.parametrize("seen", ["foreign-card", "wrong-set", "not-shuffled"])
@pytest.mark.parametrize("book", ["insurance", "commission", "ez"])
def test_the_set_found_wrong_between_rounds_leaves_the_settled_round_standing(seen: str, book: str) -> None:
    scene = playing("KS KH 6D 7C", book)
    lines = scene.settle()
    events = scene.report(seen=seen)
    assert names(events) == ["case-opened", "clause-found", "case-closed"]
    assert events[-1].resolution == "stands"
    assert scene.state.case is None and scene.state.settled is not None and len(lines) == 2
    scene.do(ReplaceCards, SUPERVISOR)


def test_easy_six_replaces_the_cards_by_itself() -> None:
    for settled in (False, True):
        scene = playing("KS KH 6D 7C", "easy-six")
        if settled:
            scene.settle()
        events = scene.report(seen="foreign-card")
        if not settled:
            events = scene.do(VoidRound, SUPERVISOR)
        assert (events[-1].name(), events[-1].clause) == ("cards-replaced", "5.1.1")
        assert scene.refuse(CallBets) == "no-shoe 5.1.1"


def test_a_dealing_error_beside_it_reopens_the_round_in_one_report_as_in_two() -> None:
    for reports in (("5H:player", "foreign-card"),), (("5H:player", ""), ("", "foreign-card")):
        scene = playing("KS KH 6D 7C")
        scene.settle()
        for cards, seen in reports:
            scene.report(cards, seen)
        assert scene.found() == "foreign-card awaits void 5.5.1"
        assert scene.void() == ["Ann player 3000", "Ben banker 2000"]


def test_a_hand_settled_one_card_short_gets_it_and_everybody_has_the_choice() -> None:
    scene = playing("KS KH 6D 7C", source=SourceKind.ENTERED)
    scene.settle()
    events = scene.report("3:is-4D")  # Player four should have drawn
    assert names(events)[0] == "settlement-reversed"
    assert scene.found() == "dealing-error awaits judgement 5.12"
    events = judge(scene, possible=True)
    assert choices(events) == ["Ann continue-reconstructed 5.12", "Ben continue-reconstructed 5.12"]
    all_continue(scene)
    scene.deal("5S")
    assert scene.settle()[0] == "Ann player win +3000 by 4.1.1"


def test_one_short_that_cannot_be_put_right_is_void() -> None:
    scene = playing("KS KH 6D 7C", source=SourceKind.ENTERED)
    scene.settle()
    scene.report("3:is-4D")
    events = judge(scene, possible=False)
    assert [event.clause for event in events if event.name() == "round-voided"] == ["5.5.3"]


# ── Interruption ─────────────────────────────────────────────────────────────────────────────────


def test_an_interruption_is_over_at_once_whichever_way() -> None:
    scene = playing("KS KH 6D 5C")
    window = scene.state.window
    events = scene.report(seen="interruption")
    assert (events[-1].resolution, events[-1].clause) == ("completed", "5.4.1")
    assert (scene.state.window, scene.state.case) == (window, None)
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=100)
    scene.deal("4S")
    early = playing("KS KH")
    events = early.report(seen="interruption")
    assert returned(events) == ["Ann player 3000", "Ben banker 2000"]
    assert [event.clause for event in events if event.name() == "round-voided"] == ["5.4.2"]


def test_an_interruption_beside_a_case() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:banker")
    scene.report(seen="interruption")
    assert scene.found() == "wrong-side awaits judgement 5.8"  # the case is finished, and play completed
    judge(scene, possible=True)
    assert scene.state.phase is Phase.FINISHED
    early = playing("KS")
    early.report("4D:player")
    assert [event.clause for event in early.report(seen="interruption") if event.name() == "round-voided"] == ["5.4.2"]


def test_a_ruling_plays_the_hands_as_their_order_makes_them() -> None:
    scene = playing("KS KH 4D", "commission")
    scene.report("7C:player")
    assert scene.found() == "wrong-number awaits judgement 5.1.2"
    crossed = playing("KS", "commission")
    crossed.report("KH:banker 4D:banker 7C:player")
    assert crossed.found() == "wrong-side awaits ruling"
    events = crossed.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="put right")
    assert names(events)[:3] == ["ruled", "cards-reconstructed", "case-closed"]
    assert crossed.hands() == "KS 4D / KH 7C"


@pytest.mark.parametrize("book", ["commission", "easy-six", "knockout"])
@pytest.mark.parametrize(
    ("dealt", "cards", "right"),
    [
        ("", "KH:banker", "KH / "),  # Banker has a card before Player
        ("KS", "4D:player", "KS / 4D"),  # both cards of two with Player
        ("KS KH", "7C:banker", "KS 7C / KH"),
        ("", "KS:banker 4D:banker", "KS / 4D"),
    ],
)
def test_a_wrong_number_is_found_at_every_moment_of_the_deal(book: str, dealt: str, cards: str, right: str) -> None:
    """Five cards need not be out for it: 5.1.2 has its own remedy, and nobody has to rule."""
    for possible in (True, False):
        scene = playing(dealt, book)
        scene.report(cards)
        assert scene.found() == "wrong-number awaits judgement 5.1.2"
        events = judge(scene, possible=possible)
        if possible:
            assert scene.hands() == right
        else:
            assert [event.clause for event in events if event.name() == "round-voided"] == ["5.1.2"]


def test_cards_out_of_an_order_that_nobody_knows_are_left_as_they_lie_by_a_ruling() -> None:
    hands = set()
    for cards in ("5H:player:together 6D:banker:together", "6D:banker:together 5H:player:together"):
        scene = playing("KS KH", "ez")
        scene.report(cards)
        scene.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="as they lie")
        hands.add(scene.hands())
    assert hands == {"KS 5H / KH 6D"}
