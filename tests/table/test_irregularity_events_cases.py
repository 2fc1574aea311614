"""Cases: reports are evidence, more can be found out until somebody chooses, and the round stands still."""

from __future__ import annotations

from typing import Any

import pytest

from punto.cards import parse_cards
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.rules.authority import Role
from punto.table import legal_commands
from punto.table.antes import ExpireAntes
from punto.table.betting import CloseBets, PlaceBet
from punto.table.dealing import AskSqueeze, DealCard, RevealCard
from punto.table.house import LoadShoe, TakeSeat, WalkAway
from punto.table.insurance import OfferInsurance
from punto.table.irregularity_events import (
    ChooseOption,
    DismissReport,
    Effect,
    JudgeReconstruction,
    Option,
    OrderCards,
    ReplaceCards,
    Report,
    Rule,
    WithdrawEvidence,
)
from punto.table.settlement import SettleRound
from punto.table.state import Phase
from punto.table.terms import Faces
from tests.table.in_play import playing
from tests.table.scenes import DEALER, SHIFT, SUPERVISOR, P, Scene, names

# ── When a report is taken ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("fact", ["cards-run-out", "interruption", "uncovered"])
def test_between_rounds_there_is_nothing_to_report(fact: str) -> None:
    scene = Scene("insurance")
    assert scene.refuse_report(seen=fact).split()[0] == "no-round"
    assert scene.refuse_report("KS:player").split()[0] == "no-round"
    assert scene.refuse_report(seen="insurance-neglected") == "not-neglected 5.13"


def test_but_a_set_that_is_wrong_can_be_found_at_any_time() -> None:
    scene = Scene("insurance")
    events = scene.report(seen="foreign-card")
    assert events[-1].resolution == "stands"
    scene.do(ReplaceCards, SUPERVISOR)


def test_while_bets_are_open_too() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.report(seen="foreign-card")
    assert scene.state.phase is Phase.BETTING
    refused = scene.refuse(PlaceBet, "Ann", box=1, area="player", amount=1000)
    assert refused == "case-open 5.5.1"
    assert scene.void() == ["Ann player 1000"]


def test_a_card_that_leaves_the_shoe_while_bets_are_open_closes_them() -> None:
    for entries in (("KS:player",), ("", "KS:player")):
        scene = Scene("insurance")
        scene.seat("Ann", 1)
        scene.call()
        scene.bet("Ann", "player", 1000)
        if len(entries) == 2:
            scene.report(seen="uncovered")
        events = scene.report(entries[-1])
        assert "bets-closed" in names(events)
        assert scene.found() == "dealing-error awaits options 5.12"
        scene.do(ChooseOption, "Ann", option=Option.CONTINUE)
        if len(entries) == 2:  # what was only told in words has its turn now
            assert scene.found() == "uncovered awaits ruling 5.18"
            scene.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="heard")
        assert scene.hands() == "KS / "


def test_at_least_one_entry_or_fact_is_needed() -> None:
    scene = playing("KS")
    assert scene.refuse(Report) == "nothing-seen"
    assert scene.refuse(Report, note="something") == "nothing-seen"
    assert scene.refuse(WithdrawEvidence, SUPERVISOR) == "no-case"
    scene.report("9D:floor")
    assert scene.refuse(WithdrawEvidence, SUPERVISOR) == "nothing-seen"


def test_a_new_card_has_a_place_and_one_that_shows_has_a_name() -> None:
    scene = playing("KS")
    assert scene.refuse_report("9D") == "place-needed"
    assert scene.refuse_report("unseen:player:up") == "card-needed"
    physical = Scene("insurance", source=SourceKind.ENTERED, faces=Faces.DOWN)
    physical.start(Ann="player=3000")
    physical.do(DealCard)
    assert physical.refuse_report("1:up") == "card-needed"
    physical.report("1:up:is-4S")
    assert physical.hands() == "4S / "
    assert physical.state.shoe is not None
    assert physical.state.shoe.cards_left == 8 * 52 - 1


def test_a_number_is_that_of_a_card_of_the_round() -> None:
    scene = playing("KS KH")
    for entry in ("3:banker", "9D:floor:after-3", "99:shoe"):
        assert scene.refuse_report(entry) == "no-such-card"
    scene.report("9D:floor")
    assert scene.refuse_report("4:banker") == "no-such-card"
    assert scene.refuse(WithdrawEvidence, SUPERVISOR, cards=(4,)) == "no-such-card"


def test_insurance_is_neglected_only_where_somebody_wished_for_it() -> None:
    assert playing("KS KH 6D 5C").refuse_report(seen="insurance-neglected") == "not-neglected 5.13"


def test_a_name_for_a_card_that_the_system_knows_tells_nothing() -> None:
    scene = playing("KS KH", faces=Faces.DOWN)
    for name in ("KS", "QS"):
        assert scene.refuse_report(f"1:is-{name}") == "not-entered"
    assert scene.refuse_report("1:up:is-QS") == "not-entered"
    scene.report("1:up:is-KS")


# ── The round stands still ───────────────────────────────────────────────────────────────────────


def test_while_a_case_is_open_the_round_stands_still_but_people_may_move() -> None:
    scene = playing("KS KH")
    scene.report("9D:floor")
    for command in (CloseBets, SettleRound, OfferInsurance, ExpireAntes):
        assert scene.refuse(command) == "case-open 5.12"
    assert scene.refuse(AskSqueeze, "Ann", hand=P, number=3) == "case-open 5.12"
    assert scene.refuse(DealCard, card=Card("4S")) == "case-open 5.12"
    scene.do(WalkAway, "Ann")
    scene.do(TakeSeat, "Cat", box=5)


def test_a_report_says_what_was_opened_and_what_was_found() -> None:
    scene = playing("KS KH 3D 3C")
    opened, found = scene.report("5H:banker", note="by two players")
    assert opened.name() == "case-opened"
    assert (opened.case, opened.evidence.note) == (1, "by two players")
    assert [str(card.card) for card in opened.evidence.cards] == ["KS", "KH", "3D", "3C", "5H"]
    assert (found.finding.value, found.clause, found.awaits.value) == ("wrong-side", "5.8", "judgement")


# ── More evidence ────────────────────────────────────────────────────────────────────────────────


def test_a_further_report_adds_and_the_clause_is_found_anew() -> None:
    scene = playing("KS KH 3D 3C")
    scene.report("9D:floor", note="first")
    events = scene.report("3:banker", note="second")
    assert names(events) == ["evidence-added", "clause-found"]
    assert events[0].evidence.note == "first; second"
    assert scene.found() == "wrong-side awaits judgement 5.8"
    events = scene.report(seen="foreign-card")
    assert scene.found() == "foreign-card awaits void 5.5.1"
    assert scene.state.cases == 1


def test_where_it_comes_to_the_same_nothing_is_said_again() -> None:
    scene = playing("KS KH 3D 3C")
    scene.report("5H:banker")
    assert names(scene.report("6D:table")) == ["evidence-added"]


def test_what_was_decided_on_the_old_evidence_is_decided_anew() -> None:
    scene = playing("KS")
    scene.report("4D:player")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.found() == "wrong-side awaits options 5.8"
    assert scene.hands() == "KS / 4D"
    scene.report("5H:table")
    assert scene.found() == "wrong-side awaits judgement 5.8"
    assert scene.hands() == "KS / "
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.hands() == "KS 5H / 4D"


def test_a_dealer_adds_and_only_a_supervisor_changes() -> None:
    scene = playing("KS", faces=Faces.DOWN, source=SourceKind.ENTERED)
    scene.report("unseen:player")
    scene.report("2:is-4D", by=DEALER)  # nobody had seen it: that adds
    assert scene.refuse_report("2:banker", by=DEALER) == "changes-evidence"
    assert scene.refuse_report("2:is-5D", by=DEALER) == "changes-evidence"
    assert scene.refuse_report("2:after-0", by=DEALER) == "changes-evidence"
    scene.report("2:table", by=SUPERVISOR)
    assert scene.found() == "dealing-error awaits judgement 5.12"


def test_a_further_error_after_people_have_chosen_gives_a_new_choice() -> None:
    scene = playing("KS")
    scene.report("4S:player")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.do(ChooseOption, "Ann", option=Option.CONTINUE)
    events = scene.report("9D:floor")
    assert events[0].resolution == "superseded"
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.state.case is not None
    assert scene.state.case.undecided == ("Ann", "Ben")
    assert scene.hands() == "KS 9D / 4S"


def test_whoever_had_not_chosen_is_asked_before_a_case_without_a_choice_is_closed() -> None:
    scene = playing("KS")
    scene.report("4S:player")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.do(ChooseOption, "Ann", option=Option.CONTINUE)
    scene.report("9D:floor")
    events = scene.do(DismissReport, SUPERVISOR, reason="it did not fall")
    # He is asked what he was asked before: about the hand as it was put right.
    given = [(event.players, event.is_reconstructed) for event in events if event.name() == "options-given"]
    assert given == [(("Ben",), True)]
    assert scene.refuse(ChooseOption, "Ann", option=Option.RETURN) == "not-asked 5.8"
    scene.do(ChooseOption, "Ben", option=Option.RETURN)
    assert (scene.state.case, scene.hands()) == (None, "KS / 4S")


def test_two_cases_in_one_round() -> None:
    scene = playing("KS")
    scene.report("4S:player")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.do(ChooseOption, "Ann", option=Option.RETURN)
    scene.do(ChooseOption, "Ben", option=Option.CONTINUE)
    scene.report("5S:player:together 6S:banker:together")
    events = scene.do(OrderCards, SUPERVISOR, cards=parse_cards("6S 5S"))
    assert events[-1].players == ("Ben",)  # Ann has nothing left in this round
    scene.do(ChooseOption, "Ben", option=Option.CONTINUE)
    assert scene.hands() == "KS 6S / 4S 5S"
    assert scene.state.phase is Phase.FINISHED


def test_what_was_told_in_words_has_its_turn_after_the_cards() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:banker", "uncovered")
    events = scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert "case-opened" in names(events)
    assert scene.found() == "uncovered awaits ruling 5.18"


# ── Cards that the system gives ──────────────────────────────────────────────────────────────────

TOLD = (
    *("5H:player", "5H:table:up", "unseen:banker:down", "5H:carried:player"),
    *("5H:player:together 6H:banker:together", "5H:player:foreign:carried", "5H:table:foreign:together"),
    *("1:banker", "1:floor", "1:table", "2:shoe", "1:together 2:together", "1:foreign", "1:is-9S", "2:after-0"),
)
"""What somebody could say of the cards of a round, and what the system that gave them knows better."""


def sealed(cards: str, **terms: Any) -> Scene:
    """A table whose shoe the house is bound to, with these cards dealt."""
    scene = Scene("insurance", load=False, **terms)
    scene.do(LoadShoe, commitment="0" * 64, algorithm="any")
    scene.start(Ann="player=3000", Ben="banker=2000")
    scene.deal(cards)
    return scene


@pytest.mark.parametrize("cards", ["KS 4D", "KS KH 6D 5C", "KS KH 9D 5C"])
@pytest.mark.parametrize("by", [DEALER, SUPERVISOR, SHIFT])
def test_nobody_says_of_cards_that_the_system_gave_what_the_record_does_not(cards: str, by: str) -> None:
    scene = sealed(cards)
    for told in TOLD:
        assert scene.refuse_report(told, by=by) == "nothing-wrong", told
    if scene.state.phase.value == "finished":
        scene.settle()
        for told in TOLD:
            assert scene.refuse_report(told, by=by) == "nothing-wrong", told
    scene.report("5H:table:foreign", by=by)  # a card of another set is none of the shoe's


def test_what_the_record_does_not_disprove_is_a_case_there_too() -> None:
    scene = sealed("KS 4D")
    scene.report(seen="wrong-set")
    assert scene.found() == "wrong-set awaits void 5.5.2"
    scene.do(DismissReport, SUPERVISOR, reason="counted again")
    scene.report(seen="uncovered")
    assert scene.refuse_report("5H:banker") == "nothing-wrong"


def test_no_card_face_down_is_turned_in_a_case_before_its_turn() -> None:
    scene = sealed("KS 4D", faces=Faces.DOWN)
    assert scene.refuse_report("1:up", by=SUPERVISOR) == "nothing-wrong"
    scene.report(seen="uncovered")
    assert scene.refuse(RevealCard, hand=P, number=1).startswith("no-such-card")
    listed = legal_commands(scene.table, DEALER, Role.DEALER)
    assert not any(isinstance(legal.command, RevealCard) for legal in listed)
    physical = Scene("insurance", faces=Faces.DOWN)
    physical.start(Ann="player=3000")
    physical.deal("KS 4D")
    physical.report(seen="uncovered")
    physical.do(RevealCard, hand=P, number=1)
