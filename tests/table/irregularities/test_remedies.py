"""Remedies: hands put right or left as they lie, choices, windows offered anew, and what goes back."""

from __future__ import annotations

from typing import Any

import pytest

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.table import command as c
from punto.table.command import Effect, Option
from punto.table.irregularities.sighting import OrderKnown
from punto.table.state import Phase
from punto.table.terms import Faces
from tests.table.scenes import SHIFT, SUPERVISOR, B, P, Scene, names, returned

DOWN: dict[str, Any] = {"faces": Faces.DOWN}
PHYSICAL_DOWN: dict[str, Any] = {"faces": Faces.DOWN, "source": SourceKind.ENTERED}


def playing(cards: str = "", book: str = "insurance", **terms: Any) -> Scene:
    scene = Scene(book, **terms)
    scene.start(Ann="player=3000", Ben="banker=2000")
    scene.deal(cards)
    return scene


def judge(scene: Scene, possible: bool) -> list[Any]:
    return scene.do(c.JudgeReconstruction, SUPERVISOR, possible=possible)


def all_continue(scene: Scene) -> list[Any]:
    events = []
    assert scene.state.case is not None
    for player in scene.state.case.undecided:
        events += scene.do(c.ChooseOption, player, option=Option.CONTINUE)
    return events


def choices(events: list[Any]) -> list[str]:
    """`Ann continue-reconstructed 5.12` of everybody who is asked."""
    found = []
    for event in events:
        if event.name() == "options-given":
            form = "continue-reconstructed" if event.is_reconstructed else "continue"
            found += [f"{player} {form} {event.clause}" for player in event.players]
    return found


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
    assert scene.refuse(c.DealCard, card=Card("2S")) == "carried-first 5.7"
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
    late.do(c.RevealCard, hand=P, number=1)
    late.do(c.RevealCard, hand=P, number=2)
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
    """The first card stays Banker's: nobody finds it on the wrong side again."""
    scene = playing()
    scene.report("KH:banker")
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
    scene.do(c.DealCard, card=None if terms is PHYSICAL_DOWN else Card("KS"))
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
        scene.do(c.DealCard)
    scene.report("unseen:table")
    refused = scene.refuse(c.JudgeReconstruction, SUPERVISOR, possible=True)
    assert refused == "cannot-reconstruct 5.7"
    for hand, number, card in ((P, 1, "KS"), (P, 2, "6D"), (B, 1, "KH"), (B, 2, "7C")):
        scene.do(c.RevealCard, hand=hand, number=number, card=Card(card))
    judge(scene, possible=True)
    assert scene.hands() == "KS 6D / KH 7C"
    assert [slot.card for slot in scene.state.carried] == [None]


# ── Insurance ────────────────────────────────────────────────────────────────────────────────────


def test_a_wrong_card_closes_the_window_and_one_that_is_due_is_offered_anew() -> None:
    """Cat passed the window up; Ann has insured; the card was drawn too soon and fell."""
    scene = Scene("insurance")
    scene.start(Ann="player=3000", Cat="player=1000")
    scene.deal("KS KH 6D 5C")
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=500)
    events = scene.report("4S:floor")
    (closed,) = [event for event in events if event.name() == "insurance-closed"]
    assert (closed.forgone, closed.clause) == (("Cat",), "5.3")
    assert scene.refuse(c.TakeInsurance, "Cat", box=2, hand=P, amount=100).startswith("case-open")
    judge(scene, possible=False)  # the four is out of play, and Banker's card is still to come
    all_continue(scene)
    assert scene.offers() == ["Ann player 3:1 up to 500"]  # what is insured counts in the cap
    assert scene.refuse(c.TakeInsurance, "Cat", box=2, hand=P, amount=100) == "forgone 5.3"
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
    scene.do(c.DismissReport, SUPERVISOR, reason="nothing fell")
    assert scene.offers() == ["Ann player 3:1 up to 1000"]
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=1000)


def test_the_same_for_a_card_on_record() -> None:
    scene = playing("KS KH 5D 4C")
    scene.deal("2S")
    assert scene.state.forgone == {"Ann"}
    scene.report("5:shoe", by=SUPERVISOR)
    judge(scene, possible=True)
    all_continue(scene)
    assert scene.hands() == "KS 5D / KH 4C"
    assert scene.offers() == ["Ann player 2:1 up to 1500"]


def test_insurance_goes_back_with_the_bets_of_who_returns() -> None:
    scene = playing("KS KH 6D 5C")
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=500)
    scene.report("4S:floor")
    judge(scene, possible=False)
    events = scene.do(c.ChooseOption, "Ann", option=Option.RETURN)
    assert returned(events) == ["Ann player 3000", "Ann insurance-player-4 500"]


def test_insurance_is_settled_on_the_hands_as_put_right() -> None:
    """Insured at Player six, Banker five; then the six proves to have been an eight."""
    scene = playing("KS KH 6D 5C", source=SourceKind.ENTERED)
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=500)
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
    scene.do(c.WalkAway, "Ann")
    scene.do(c.ComeBack, "Ann")
    scene.report("4D:player")
    judge(scene, possible=True)
    scene.do(c.WalkAway, "Ben")
    assert scene.refuse(c.CloseOptions) == "players-present 5.8"
    scene.do(c.ChooseOption, "Ann", option=Option.CONTINUE)
    events = scene.do(c.CloseOptions)
    assert [(event.player, event.option.value) for event in events if event.name() == "option-chosen"] == [
        ("Ben", "continue")
    ]
    scene.deal("6C AH")  # Player K 6, Banker 4 A: six against five
    assert scene.hands() == "KS 6C / 4D AH"
    assert scene.state.window == 4
    assert scene.refuse(c.TakeInsurance, "Ann", box=1, hand=P, amount=100) == "forgone 5.3"


# ── Void, and settled rounds ─────────────────────────────────────────────────────────────────────


def test_a_void_gives_back_insurance_wagers_and_given_up_antes() -> None:
    scene = Scene("knockout")
    scene.start(Ann="ante-player=1000 ante-banker=1000")
    scene.deal("6S")
    scene.do(c.PlaceWager, "Ann", box=1, area="wager-player", amount=2000)
    scene.do(c.GiveUpAnte, "Ann", box=1, area="ante-banker")
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
    scene.do(c.ReplaceCards, SUPERVISOR)


def test_easy_six_replaces_the_cards_by_itself() -> None:
    for settled in (False, True):
        scene = playing("KS KH 6D 7C", "easy-six")
        if settled:
            scene.settle()
        events = scene.report(seen="foreign-card")
        if not settled:
            events = scene.do(c.VoidRound, SUPERVISOR)
        assert (events[-1].name(), events[-1].clause) == ("cards-replaced", "5.1.1")
        assert scene.refuse(c.CallBets) == "no-shoe 5.1.1"


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
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=100)
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
    assert [
        event.clause for event in early.report(seen="interruption") if event.name() == "round-voided"
    ] == ["5.4.2"]


def test_a_ruling_plays_the_hands_as_their_order_makes_them() -> None:
    scene = playing("KS KH 4D", "commission")
    scene.report("7C:player")
    assert scene.found() == "wrong-number awaits judgement 5.1.2"
    crossed = playing("KS", "commission")
    crossed.report("4D:player")
    assert crossed.found() == "wrong-side awaits ruling"
    events = crossed.do(c.Rule, SHIFT, effect=Effect.CONTINUE, reason="put right")
    assert names(events) == ["ruled", "cards-reconstructed", "case-closed"]
    assert crossed.hands() == "KS / 4D"


def test_cards_out_of_an_order_that_nobody_knows_are_left_as_they_lie_by_a_ruling() -> None:
    hands = set()
    for cards in ("5H:player:together 6D:banker:together", "6D:banker:together 5H:player:together"):
        scene = playing("KS KH", "ez")
        scene.report(cards)
        scene.do(c.Rule, SHIFT, effect=Effect.CONTINUE, reason="as they lie")
        hands.add(scene.hands())
    assert hands == {"KS 5H / KH 6D"}
