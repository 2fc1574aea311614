"""Deciding a case: only the step that is due, by whoever may take it, and the real reason where none is."""

from __future__ import annotations

from typing import Any

import pytest

from punto.cards import parse_cards
from punto.table import Refusal
from punto.table.header import CommandHeader
from punto.table.house import ChangeTerms, LoadShoe
from punto.table.insurance import WishInsurance
from punto.table.irregularity_events import (
    ChooseOption,
    Effect,
    JudgeReconstruction,
    Option,
    OrderCards,
    ReturnBets,
    Rule,
    VoidRound,
)
from punto.table.terms import Faces, Offering
from tests.table.in_play import playing
from tests.table.scenes import DEALER, MANAGER, SHIFT, SUPERVISOR, P, Scene, made, names, returned, terms_of

STEPS: dict[str, tuple[type[CommandHeader], str, dict[str, Any]]] = {
    "judgement": (JudgeReconstruction, SUPERVISOR, {"possible": True}),
    "order": (OrderCards, SUPERVISOR, {"cards": parse_cards("5H 6D")}),
    "void": (VoidRound, SUPERVISOR, {}),
    "options": (ChooseOption, "Ann", {"option": Option.RETURN}),
    "return-bets": (ReturnBets, MANAGER, {}),
    "ruling": (Rule, SHIFT, {"effect": Effect.CONTINUE, "reason": "so"}),
}
"""The step that each kind of waiting is answered by."""


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
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    scene.deal("4S")
    scene.report(seen="insurance-neglected")
    assert scene.refuse(ReturnBets, SUPERVISOR) == "not-allowed 5.13"
    assert returned(scene.do(ReturnBets, MANAGER)) == ["Ann player 3000"]


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
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.refuse(ChooseOption, "Ann", option=Option.RETURN) == "no-case 5.7.1"
    assert why(scene, ChooseOption, "Ann", option=Option.RETURN) == (
        "an outcome is established, so players have no choice (clause 5.7.1)"
    )
    assert scene.refuse(JudgeReconstruction, SUPERVISOR, possible=True) == "no-case"


def test_where_it_is_too_late_it_says_so() -> None:
    scene = playing("KS KH 6D 7C")
    scene.report("5H:player")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.settle()
    scene.call()
    assert scene.refuse(ChooseOption, "Ann", option=Option.RETURN) == "no-case 5.11"
    assert scene.refuse(VoidRound, SUPERVISOR) == "no-case 5.11"


# ── The House's word ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("who", [SUPERVISOR, MANAGER, SHIFT])
def test_a_supervisor_or_above_judges(who: str) -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:banker")
    assert scene.refuse(JudgeReconstruction, DEALER, possible=True) == "not-allowed"
    assert scene.refuse(JudgeReconstruction, "Ann", possible=True) == "not-allowed"
    judged, *_ = scene.do(JudgeReconstruction, who, possible=True)
    assert (judged.by, judged.possible, judged.clause) == (who, True, "5.8")


@pytest.mark.parametrize("change", ["load", "terms"])
def test_cards_of_a_set_that_is_gone_cannot_be_put_right(change: str) -> None:
    scene = Scene("commission", burn="none", behind_cut=8 * 52 - 6, rounds_after_cut=0)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 2D 7C 9S")
    if change == "load":
        scene.report("4S:player")
        scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
        scene.settle()
        scene.do(LoadShoe)
    else:
        scene.settle()
        scene.do(ChangeTerms, SUPERVISOR, terms=terms_of("commission", decks=6))
    shoe = scene.state.shoe
    scene.report("5S:player")
    assert scene.state.shoe == shoe  # the five belongs to the set that is gone
    refused = scene.refuse(JudgeReconstruction, SUPERVISOR, possible=True)
    assert refused == "cannot-reconstruct 5.1.2"
    assert returned(scene.do(JudgeReconstruction, SUPERVISOR, possible=False)) == ["Ann player 1000"]
    assert scene.state.carried == ()


# ── An order ─────────────────────────────────────────────────────────────────────────────────────


def test_a_supervisor_sets_the_order_and_the_hands_follow() -> None:
    for order, hands in (("5H 6D", "KS 4D 5H / KH 7C"), ("6D 5H", "KS 4D 6D / KH 7C")):
        scene = playing("KS KH 4D 7C")
        scene.report("5H:player:together 6D:banker:together")
        assert scene.refuse(OrderCards, DEALER, cards=parse_cards(order)) == "not-allowed 5.10"
        events = scene.do(OrderCards, SUPERVISOR, cards=parse_cards(order))
        assert names(events) == ["cards-ordered", "clause-found", "cards-reconstructed", "options-given"]
        assert scene.hands() == hands


def test_an_order_is_of_those_cards_and_no_others() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:player:together 6D:banker:together")
    for cards in ("5H", "5H 5H", "5H 6D 7D", "5H 7D"):
        assert scene.refuse(OrderCards, SUPERVISOR, cards=parse_cards(cards)) == "not-those-cards 5.10"


def test_an_order_may_be_set_before_the_hands_lie_open() -> None:
    scene = playing("KS KH 4D 7C", faces=Faces.DOWN)
    scene.report("5H:player:up:together 6D:banker:up:together")
    scene.do(OrderCards, SUPERVISOR, cards=parse_cards("6D 5H"))
    assert scene.found() == "drawn-together awaits judgement 5.10"
    refused = scene.refuse(JudgeReconstruction, SUPERVISOR, possible=True)
    assert refused == "cannot-reconstruct 5.10"
    scene.open_all()
    assert scene.found() == "drawn-together awaits options 5.10"
    assert scene.hands() == "KS 4D 6D / KH 7C"


def test_more_evidence_asks_for_the_order_again() -> None:
    scene = playing("KS")
    scene.report("5H:player:together 6D:banker:together")
    scene.do(OrderCards, SUPERVISOR, cards=parse_cards("6D 5H"))
    scene.report("9D:floor")
    assert scene.found() == "drawn-together awaits order 5.10"
