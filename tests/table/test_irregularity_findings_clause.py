"""The clause: what it waits for, on whose word, and where that is a house term."""

from __future__ import annotations

from typing import Any

import pytest

from punto import books
from punto.rules.authority import Role
from punto.rules.book_text import Finding, Remedy
from punto.table.insurance import WishInsurance
from punto.table.irregularity_case import FoundClause, OrderKnown
from punto.table.irregularity_events import JudgeReconstruction
from punto.table.irregularity_findings import rule_on
from punto.table.terms import Faces, Offering
from tests.table.in_play import playing
from tests.table.scenes import PHYSICAL, SUPERVISOR, P, Scene


def first_found(scene: Scene, cards: str = "", seen: str = "", **fields: Any) -> FoundClause:
    """The clause as it was first found, before anything follows from it."""
    for event in scene.report(cards, seen, by=SUPERVISOR, **fields):
        if event.name() == "clause-found":
            return FoundClause(event.finding, event.clause, event.awaits, event.decider, event.house_term)
    raise AssertionError("no clause was found")


def said(found: FoundClause) -> str:
    """`judgement pit-supervisor house-term 5.8`, as far as each applies."""
    decider = found.decider.value if found.decider else None
    words = (found.awaits.value, decider, "house-term" if found.house_term else None, found.clause)
    return " ".join(word for word in words if word)


@pytest.mark.parametrize(
    ("cards", "seen", "expected"),
    [
        ("", "foreign-card", "void pit-supervisor house-term 5.5.1"),
        ("", "wrong-set", "void pit-supervisor house-term 5.5.2"),
        ("", "cards-run-out", "void pit-supervisor house-term 5.5.4"),
        ("", "not-shuffled", "void pit-supervisor house-term 5.5.5"),
        ("5H:player:together 6D:banker:together", "", "order pit-supervisor 5.10"),
        ("5H:banker", "", "judgement pit-supervisor house-term 5.8"),
        ("5H:player 6D:table", "", "judgement pit-supervisor house-term 5.7"),
        ("9D:floor", "", "judgement pit-supervisor house-term 5.12"),
        ("1:is-2S", "", "options player 5.12"),  # nothing lies elsewhere than it should
        ("", "interruption", "nothing 5.4.1"),  # nobody decides anything
        ("", "uncovered", "ruling shift-manager 5.18"),
    ],
)
def test_what_it_waits_for_and_on_whose_word(cards: str, seen: str, expected: str) -> None:
    terms = PHYSICAL if seen == "cards-run-out" else {}  # only a physical shoe can be short without its record
    assert said(first_found(playing("KS KH 4D 7C", **terms), cards, seen)) == expected


def test_an_interruption_without_an_outcome_has_its_own_clause() -> None:
    assert said(first_found(playing("KS KH"), "", "interruption")) == "nothing 5.4.2"


def test_where_everybody_saw_the_order_nobody_need_set_it() -> None:
    found = first_found(playing("KS KH 4D 7C"), "5H:player:together 6D:table:together", order=OrderKnown.SEEN)
    assert said(found) == "options player 5.10"


def test_face_up_with_nothing_to_put_right_gives_the_choice_at_once() -> None:
    scene = playing("KS", faces=Faces.DOWN)
    assert said(first_found(scene, "1:up")) == "options player 5.9"
    beside = playing("KS", faces=Faces.DOWN)
    assert said(first_found(beside, "1:up 9D:floor")) == "judgement pit-supervisor house-term 5.9"


def test_neglected_insurance_is_for_a_pit_manager() -> None:
    scene = Scene("insurance", offering=Offering.DEALER)
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 5C")
    scene.do(WishInsurance, "Ann", box=1, hand=P)
    scene.deal("4S")
    found = first_found(scene, "", "insurance-neglected")
    assert said(found) == "return-bets pit-manager 5.13"


@pytest.mark.parametrize(
    ("book", "cards", "seen", "expected"),
    [
        ("commission", "", "foreign-card", "void pit-supervisor house-term 5.1.1"),
        ("easy-six", "5H:banker", "", "judgement pit-supervisor house-term 5.1.2"),
        ("knockout", "", "cards-run-out", "void pit-supervisor house-term 5.1.3"),
        ("commission", "9D:floor", "", "ruling shift-manager house-term"),
        ("commission", "", "uncovered", "ruling shift-manager house-term"),
        ("commission", "", "interruption", "ruling shift-manager house-term"),
        ("ez", "", "foreign-card", "ruling shift-manager house-term"),
        ("ez", "5H:banker", "", "ruling shift-manager house-term"),
        ("ez", "", "cards-run-out", "void pit-supervisor house-term"),
    ],
)
def test_where_a_book_names_nobody_it_is_a_house_term(book: str, cards: str, seen: str, expected: str) -> None:
    terms = PHYSICAL if seen == "cards-run-out" else {}
    assert said(first_found(playing("KS KH 4D 7C", book, **terms), cards, seen)) == expected


def test_while_players_choose_nobody_of_the_house_decides() -> None:
    scene = playing("KS")
    scene.report("4D:player")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.state.case is not None and scene.state.case.found is not None
    assert said(scene.state.case.found) == "options player 5.8"


def test_a_silent_book_leaves_it_to_a_ruling() -> None:
    for name in ("commission", "easy-six", "knockout", "ez"):
        rule = rule_on(books.load(name), Finding.WRONG_SIDE)
        assert (rule.remedy, rule.orders, rule.clause) == (Remedy.RULING, Role.SHIFT_MANAGER, None)
    assert rule_on(books.load("insurance"), Finding.UNCOVERED).clause == "5.18"
