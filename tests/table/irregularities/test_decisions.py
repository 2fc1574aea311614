"""Deciding a case: only the step that is due, by whoever may take it, and the real reason where none is."""

from __future__ import annotations

from typing import Any

import pytest

from punto.cards import parse_cards
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.table import Refusal
from punto.table import command as c
from punto.table import event as e
from punto.table.command import Option
from punto.table.header import CommandHeader
from punto.table.state import Phase
from punto.table.terms import Faces, Offering
from tests.table.scenes import (
    DEALER,
    MANAGER,
    SHIFT,
    SUPERVISOR,
    B,
    P,
    Scene,
    made,
    names,
    returned,
    terms_of,
)

STEPS: dict[str, tuple[type[CommandHeader], str, dict[str, Any]]] = {
    "judgement": (c.JudgeReconstruction, SUPERVISOR, {"possible": True}),
    "order": (c.OrderCards, SUPERVISOR, {"cards": parse_cards("5H 6D")}),
    "void": (c.VoidRound, SUPERVISOR, {}),
    "options": (c.ChooseOption, "Ann", {"option": Option.RETURN}),
    "return-bets": (c.ReturnBets, MANAGER, {}),
    "ruling": (c.Rule, SHIFT, {"effect": c.Effect.CONTINUE, "reason": "so"}),
}
"""The step that each kind of waiting is answered by."""


def playing(cards: str = "", book: str = "insurance", **terms: Any) -> Scene:
    scene = Scene(book, **terms)
    scene.start(Ann="player=3000", Ben="banker=2000")
    scene.deal(cards)
    return scene


def why(scene: Scene, what: type[CommandHeader], by: str, /, **fields: Any) -> str:
    """What a refusal tells people."""
    answer = scene.give(made(what, by, **fields))
    assert isinstance(answer, Refusal)
    return answer.sentence


@pytest.mark.parametrize(
    ("cards", "seen", "due"),
    [
        ("5H:banker", "", "judgement"),
        ("5H:player:together 6D:banker:together", "", "order"),
        ("", "wrong-set", "void"),
        ("1:is-2S", "", "options"),
        ("", "uncovered", "ruling"),
    ],
)
def test_only_the_step_that_is_due_is_taken(cards: str, seen: str, due: str) -> None:
    scene = playing("KS KH 4D 7C")
    scene.report(cards, seen)
    for step, (command, by, fields) in STEPS.items():
        if step == due:
            continue
        assert scene.refuse(command, by, **fields).split()[0] == "no-case"
        assert f"waits for {due}" in why(scene, command, by, **fields)
    command, by, fields = STEPS[due]
    scene.do(command, by, **fields)


def test_neglected_insurance_waits_for_its_bets() -> None:
    scene = Scene("insurance", offering=Offering.DEALER)
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 5C")
    scene.do(c.WishInsurance, "Ann", box=1, hand=P)
    scene.deal("4S")
    scene.report(seen="insurance-neglected")
    assert scene.refuse(c.ReturnBets, SUPERVISOR) == "not-allowed 5.13"
    assert returned(scene.do(c.ReturnBets, MANAGER)) == ["Ann player 3000"]


# ── Nothing is open ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("step", STEPS)
def test_where_nothing_is_open_it_says_so(step: str) -> None:
    scene = playing("KS KH 4D 7C")
    command, by, fields = STEPS[step]
    assert scene.refuse(command, by, **fields) == "no-case"
    assert why(scene, command, by, **fields) == "no case is open"


def test_where_an_outcome_is_established_it_says_so() -> None:
    scene = playing("KS KH 6D 7C")
    scene.report("5H:player")
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.refuse(c.ChooseOption, "Ann", option=Option.RETURN) == "no-case 5.7.1"
    assert why(scene, c.ChooseOption, "Ann", option=Option.RETURN) == (
        "an outcome is established, so players have no choice (clause 5.7.1)"
    )
    assert scene.refuse(c.JudgeReconstruction, SUPERVISOR, possible=True) == "no-case"


def test_where_it_is_too_late_it_says_so() -> None:
    scene = playing("KS KH 6D 7C")
    scene.report("5H:player")
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    scene.settle()
    scene.call()
    assert scene.refuse(c.ChooseOption, "Ann", option=Option.RETURN) == "no-case 5.11"
    assert scene.refuse(c.VoidRound, SUPERVISOR) == "no-case 5.11"


# ── The House's word ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("who", [SUPERVISOR, MANAGER, SHIFT])
def test_a_supervisor_or_above_judges(who: str) -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:banker")
    assert scene.refuse(c.JudgeReconstruction, DEALER, possible=True) == "not-allowed 5.7"
    assert scene.refuse(c.JudgeReconstruction, "Ann", possible=True) == "not-allowed 5.7"
    judged, *_ = scene.do(c.JudgeReconstruction, who, possible=True)
    assert (judged.by, judged.possible, judged.clause) == (who, True, "5.8")


@pytest.mark.parametrize("change", ["load", "terms"])
def test_cards_of_a_set_that_is_gone_cannot_be_put_right(change: str) -> None:
    scene = Scene("commission", burn="none", behind_cut=8 * 52 - 6, rounds_after_cut=0)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 2D 7C 9S")
    if change == "load":
        scene.report("4S:player")
        scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
        scene.settle()
        scene.do(c.LoadShoe)
    else:
        scene.settle()
        scene.do(c.ChangeTerms, SUPERVISOR, terms=terms_of("commission", decks=6))
    shoe = scene.state.shoe
    scene.report("5S:player")
    assert scene.state.shoe == shoe  # the five belongs to the set that is gone
    refused = scene.refuse(c.JudgeReconstruction, SUPERVISOR, possible=True)
    assert refused == "cannot-reconstruct 5.1.2"
    assert returned(scene.do(c.JudgeReconstruction, SUPERVISOR, possible=False)) == ["Ann player 1000"]
    assert scene.state.carried == ()


# ── An order ─────────────────────────────────────────────────────────────────────────────────────


def test_a_supervisor_sets_the_order_and_the_hands_follow() -> None:
    for order, hands in (("5H 6D", "KS 4D 5H / KH 7C"), ("6D 5H", "KS 4D 6D / KH 7C")):
        scene = playing("KS KH 4D 7C")
        scene.report("5H:player:together 6D:banker:together")
        assert scene.refuse(c.OrderCards, DEALER, cards=parse_cards(order)) == "not-allowed 5.10"
        events = scene.do(c.OrderCards, SUPERVISOR, cards=parse_cards(order))
        assert names(events) == ["cards-ordered", "clause-found", "cards-reconstructed", "options-given"]
        assert scene.hands() == hands


def test_an_order_is_of_those_cards_and_no_others() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:player:together 6D:banker:together")
    for cards in ("5H", "5H 5H", "5H 6D 7D", "5H 7D"):
        assert scene.refuse(c.OrderCards, SUPERVISOR, cards=parse_cards(cards)) == "not-those-cards 5.10"


def test_an_order_may_be_set_before_the_hands_lie_open() -> None:
    scene = playing("KS KH 4D 7C", faces=Faces.DOWN)
    scene.report("5H:player:up:together 6D:banker:up:together")
    scene.do(c.OrderCards, SUPERVISOR, cards=parse_cards("6D 5H"))
    assert scene.found() == "drawn-together awaits judgement 5.10"
    refused = scene.refuse(c.JudgeReconstruction, SUPERVISOR, possible=True)
    assert refused == "cannot-reconstruct 5.10"
    scene.open_all()
    assert scene.found() == "drawn-together awaits options 5.10"
    assert scene.hands() == "KS 4D 6D / KH 7C"


def test_more_evidence_asks_for_the_order_again() -> None:
    scene = playing("KS")
    scene.report("5H:player:together 6D:banker:together")
    scene.do(c.OrderCards, SUPERVISOR, cards=parse_cards("6D 5H"))
    scene.report("9D:floor")
    assert scene.found() == "drawn-together awaits order 5.10"


# ── Choosing ─────────────────────────────────────────────────────────────────────────────────────


def choosing() -> Scene:
    scene = playing("KS")
    scene.report("4D:player")
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    return scene


def test_everybody_at_the_table_chooses_once_and_for_all_bets() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000 tie=1000", Ben="banker=2000")
    scene.report("4D:banker")
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.refuse(c.ChooseOption, "Cat", option=Option.RETURN) == "not-asked 5.8"
    events = scene.do(c.ChooseOption, "Ann", option=Option.RETURN)
    assert returned(events) == ["Ann player 3000", "Ann tie 1000"]
    assert scene.refuse(c.ChooseOption, "Ann", option=Option.CONTINUE) == "not-asked 5.8"
    assert scene.lying() == ["Ben banker 2000"]
    assert names(scene.do(c.ChooseOption, "Ben", option=Option.CONTINUE))[-1] == "case-closed"


def test_a_standing_player_chooses_too() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 3000)
    scene.bet("Cat", "player", 1000, box=1)
    scene.close()
    scene.report("4D:banker")
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    assert returned(scene.do(c.ChooseOption, "Cat", option=Option.RETURN)) == ["Cat player 1000"]


def test_a_choice_names_its_round_or_none() -> None:
    scene = choosing()
    assert scene.refuse(c.ChooseOption, "Ann", option=Option.RETURN, round=2) == "other-round"
    scene.do(c.ChooseOption, "Ann", option=Option.RETURN, round=1)


def test_who_is_away_continues_and_who_is_here_chooses() -> None:
    scene = choosing()
    scene.do(c.WalkAway, "Ben")
    assert scene.refuse(c.CloseOptions) == "players-present 5.8"
    scene.do(c.ChooseOption, "Ann", option=Option.RETURN)
    scene.do(c.CloseOptions)
    assert scene.lying() == ["Ben banker 2000"]
    assert scene.state.phase is Phase.DEALING


def test_when_the_time_to_choose_is_over_whoever_is_here_continues_too() -> None:
    scene = choosing()
    assert Scene("insurance").refuse(c.ExpireOptions) == "no-case"
    assert scene.refuse(c.ExpireOptions, "Ann") == "not-allowed"
    scene.do(c.ChooseOption, "Ann", option=Option.RETURN)
    chosen = scene.do(c.ExpireOptions)
    assert [(event.player, event.option) for event in chosen if isinstance(event, e.OptionChosen)] == [
        ("Ben", Option.CONTINUE)
    ]
    assert scene.lying() == ["Ben banker 2000"]
    assert scene.refuse(c.ExpireOptions).startswith("no-case")


def test_with_no_bets_nobody_is_asked() -> None:
    scene = Scene("insurance")
    scene.call()
    scene.close()
    scene.report("5S:player:together 6S:banker:together")
    events = scene.do(c.OrderCards, SUPERVISOR, cards=parse_cards("6S 5S"))
    assert names(events)[-1] == "case-closed"


# ── Cards opened meanwhile ───────────────────────────────────────────────────────────────────────


def test_a_card_opened_in_a_case_may_change_the_clause() -> None:
    scene = playing("KS KH 4D 7C", faces=Faces.DOWN)
    scene.report("5H:banker:up")
    assert scene.found() == "exposed awaits judgement 5.7"
    scene.open_all()
    assert scene.found() == "wrong-side awaits judgement 5.8"


def test_a_card_that_proves_due_and_in_its_place_is_still_an_error() -> None:
    scene = playing("KS KH 4D 7C", faces=Faces.DOWN)
    scene.report("5H:player")
    assert scene.found() == "excess awaits judgement 5.7"
    for hand, number in ((P, 1), (B, 1), (P, 2), (B, 2)):
        scene.do(c.RevealCard, hand=hand, number=number)
    assert scene.found() == "dealing-error awaits options 5.12"
    shown = playing("KS KH 4D 7C", faces=Faces.DOWN)
    shown.report("5H:player:up")
    events = shown.open_all()
    found = [event.finding.value for event in events if event.name() == "clause-found"]
    assert found[-1] == "face-up"
    assert shown.state.case is None  # an outcome is established: no choice (5.9)
    assert shown.hands() == "KS 4D 5H / KH 7C"


def test_nothing_is_opened_while_players_choose_nor_what_lies_in_the_shoe() -> None:
    scene = playing("KS KH", faces=Faces.DOWN)
    scene.report("1:up")
    assert scene.refuse(c.RevealCard, hand=B, number=1).startswith("case-open")
    other = playing("KS KH 4D", faces=Faces.DOWN)
    other.report("3:shoe")
    assert other.refuse(c.RevealCard, hand=P, number=2) == "no-such-card"
    other.do(c.RevealCard, hand=P, number=1)


def test_a_card_from_a_physical_shoe_is_named_when_it_is_opened_in_a_case() -> None:
    scene = Scene("insurance", source=SourceKind.ENTERED, faces=Faces.DOWN)
    scene.start(Ann="player=3000")
    scene.do(c.DealCard)
    scene.report("KH:player")
    assert scene.refuse(c.RevealCard, hand=P, number=1) == "card-needed"
    scene.do(c.RevealCard, hand=P, number=1, card=Card("KS"))
    scene.do(c.DismissReport, SUPERVISOR, reason="it was the first")
    assert scene.hands() == "KS / "  # opened it stays open
