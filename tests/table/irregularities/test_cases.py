"""Cases: reports are evidence, more can be found out until somebody chooses, and the round stands still."""

from __future__ import annotations

from typing import Any

import pytest

from punto.cards import parse_cards
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.table import command as c
from punto.table.command import Effect, Option
from punto.table.irregularities.sighting import Seen
from punto.table.state import Phase
from punto.table.terms import Faces
from tests.table.scenes import (
    DEALER,
    MANAGER,
    SHIFT,
    SUPERVISOR,
    P,
    Scene,
    names,
    returned,
)


def playing(cards: str = "", book: str = "insurance", **terms: Any) -> Scene:
    scene = Scene(book, **terms)
    scene.start(Ann="player=3000", Ben="banker=2000")
    scene.deal(cards)
    return scene


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
    scene.do(c.ReplaceCards, SUPERVISOR)


def test_while_bets_are_open_too() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.report(seen="foreign-card")
    assert scene.state.phase is Phase.BETTING
    refused = scene.refuse(c.PlaceBet, "Ann", box=1, area="player", amount=1000)
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
        scene.do(c.ChooseOption, "Ann", option=Option.CONTINUE)
        if len(entries) == 2:  # what was only told in words has its turn now
            assert scene.found() == "uncovered awaits ruling 5.18"
            scene.do(c.Rule, SHIFT, effect=Effect.CONTINUE, reason="heard")
        assert scene.hands() == "KS / "


def test_at_least_one_entry_or_fact_is_needed() -> None:
    scene = playing("KS")
    assert scene.refuse(c.Report) == "nothing-seen"
    assert scene.refuse(c.Report, note="something") == "nothing-seen"
    assert scene.refuse(c.WithdrawEvidence, SUPERVISOR) == "no-case"
    scene.report("9D:floor")
    assert scene.refuse(c.WithdrawEvidence, SUPERVISOR) == "nothing-seen"


def test_a_new_card_has_a_place_and_one_that_shows_has_a_name() -> None:
    scene = playing("KS")
    assert scene.refuse_report("9D") == "place-needed"
    assert scene.refuse_report("unseen:player:up") == "card-needed"
    physical = Scene("insurance", source=SourceKind.ENTERED, faces=Faces.DOWN)
    physical.start(Ann="player=3000")
    physical.do(c.DealCard)
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
    assert scene.refuse(c.WithdrawEvidence, SUPERVISOR, cards=(4,)) == "no-such-card"


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
    for command in (c.CloseBets, c.SettleRound, c.OfferInsurance, c.ExpireAntes):
        assert scene.refuse(command) == "case-open 5.12"
    assert scene.refuse(c.AskSqueeze, "Ann", hand=P, number=3) == "case-open 5.12"
    assert scene.refuse(c.DealCard, card=Card("4S")) == "case-open 5.12"
    scene.do(c.WalkAway, "Ann")
    scene.do(c.TakeSeat, "Cat", box=5)


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
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.found() == "wrong-side awaits options 5.8"
    assert scene.hands() == "KS / 4D"
    scene.report("5H:table")
    assert scene.found() == "wrong-side awaits judgement 5.8"
    assert scene.hands() == "KS / "
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
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
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    scene.do(c.ChooseOption, "Ann", option=Option.CONTINUE)
    events = scene.report("9D:floor")
    assert events[0].resolution == "superseded"
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.state.case is not None
    assert scene.state.case.undecided == ("Ann", "Ben")
    assert scene.hands() == "KS 9D / 4S"


def test_whoever_had_not_chosen_is_asked_before_a_case_without_a_choice_is_closed() -> None:
    scene = playing("KS")
    scene.report("4S:player")
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    scene.do(c.ChooseOption, "Ann", option=Option.CONTINUE)
    scene.report("9D:floor")
    events = scene.do(c.DismissReport, SUPERVISOR, reason="it did not fall")
    assert [event.players for event in events if event.name() == "options-given"] == [("Ben",)]
    assert scene.refuse(c.ChooseOption, "Ann", option=Option.RETURN) == "not-asked 5.8"
    scene.do(c.ChooseOption, "Ben", option=Option.RETURN)
    assert (scene.state.case, scene.hands()) == (None, "KS / 4S")


def test_two_cases_in_one_round() -> None:
    scene = playing("KS")
    scene.report("4S:player")
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    scene.do(c.ChooseOption, "Ann", option=Option.RETURN)
    scene.do(c.ChooseOption, "Ben", option=Option.CONTINUE)
    scene.report("5S:player:together 6S:banker:together")
    events = scene.do(c.OrderCards, SUPERVISOR, cards=parse_cards("6S 5S"))
    assert events[-1].players == ("Ben",)  # Ann has nothing left in this round
    scene.do(c.ChooseOption, "Ben", option=Option.CONTINUE)
    assert scene.hands() == "KS 6S / 4S 5S"
    assert scene.state.phase is Phase.FINISHED


def test_what_was_told_in_words_has_its_turn_after_the_cards() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:banker", "uncovered")
    events = scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    assert "case-opened" in names(events)
    assert scene.found() == "uncovered awaits ruling 5.18"


# ── Taking back ──────────────────────────────────────────────────────────────────────────────────


def test_taken_back_one_by_one_until_nothing_was_wrong() -> None:
    scene = playing("KS KH 4D 7C")
    before = scene.state
    scene.report("5H:banker 6D:table", "foreign-card")
    assert scene.refuse(c.WithdrawEvidence, DEALER, cards=(5,)) == "not-allowed"
    scene.do(c.WithdrawEvidence, SUPERVISOR, seen=(Seen.FOREIGN_CARD,))
    assert scene.found() == "wrong-side awaits judgement 5.8"
    scene.do(c.WithdrawEvidence, SUPERVISOR, cards=(5,))
    assert scene.found() == "dealing-error awaits judgement 5.12"  # now the six was Player's third
    events = scene.do(c.WithdrawEvidence, SUPERVISOR, cards=(5,))
    assert events[-1].resolution == "withdrawn"
    assert (scene.state.case, scene.state.shoe, scene.hands()) == (None, before.shoe, "KS 4D / KH 7C")
    scene.deal("5H")


def test_what_was_not_told_cannot_be_taken_back() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:banker")
    assert scene.refuse(c.WithdrawEvidence, SUPERVISOR, cards=(1,)) == "nothing-seen"
    assert scene.refuse(c.WithdrawEvidence, SUPERVISOR, seen=(Seen.FOREIGN_CARD,)) == "nothing-seen"


def test_not_once_somebody_has_chosen() -> None:
    scene = playing("KS")
    scene.report("4D:player")
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    scene.do(c.ChooseOption, "Ann", option=Option.CONTINUE)
    assert scene.refuse(c.WithdrawEvidence, SUPERVISOR, cards=(2,)) == "chosen-already 5.8"
    assert scene.refuse(c.DismissReport, SUPERVISOR, reason="x") == "chosen-already 5.8"


def test_a_report_made_by_mistake_is_dismissed_with_a_reason() -> None:
    scene = playing("KS KH")
    before = scene.state
    scene.report("9D:floor", "foreign-card")
    assert scene.refuse(c.DismissReport, DEALER, reason="x").startswith("not-allowed")
    assert scene.refuse(c.DismissReport, SUPERVISOR, reason="") == "reason-needed"
    (closed,) = scene.do(c.DismissReport, SUPERVISOR, reason="it is one of ours")
    assert (closed.resolution, closed.reason) == ("dismissed", "it is one of ours")
    assert (scene.state.shoe, scene.state.last_finding) == (before.shoe, None)
    assert scene.refuse(c.ReplaceCards, SUPERVISOR) == "between-rounds"
    scene.deal("7D 7C")
    assert scene.state.phase is Phase.FINISHED


@pytest.mark.parametrize("who", [SUPERVISOR, MANAGER, SHIFT])
def test_a_supervisor_or_above_dismisses_whatever_it_waits_for(who: str) -> None:
    scene = playing("KS KH")
    scene.report(seen="uncovered")
    scene.do(c.DismissReport, who, reason="nothing")


@pytest.mark.parametrize("who", [SUPERVISOR, MANAGER, SHIFT])
def test_a_supervisor_or_above_voids(who: str) -> None:
    scene = playing("KS KH")
    scene.report(seen="wrong-set")
    assert scene.refuse(c.VoidRound, DEALER).startswith("not-allowed")
    assert returned(scene.do(c.VoidRound, who)) == ["Ann player 3000", "Ben banker 2000"]


# ── Afterwards ───────────────────────────────────────────────────────────────────────────────────


def test_after_a_void_round_the_next_begins_afresh() -> None:
    scene = playing("KS KH 6D 5C")
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=100)
    scene.report(seen="wrong-set")
    scene.void()
    assert scene.refuse_report("5H:player").split()[0] == "no-round"
    scene.do(c.ReplaceCards, SUPERVISOR)
    scene.do(c.LoadShoe)
    scene.start(Ann="player=3000")
    assert scene.state.round == 2
    scene.deal("KS KH 6D 5C")
    assert scene.offers() == ["Ann player 3:1 up to 1000"]


def test_an_error_of_an_earlier_round_changes_nothing_here() -> None:
    scene = playing("KS KH 6D 7C")
    lines = scene.settle()
    scene.start(Ann="player=3000")
    before = scene.state
    (late,) = scene.report("5H:player", "foreign-card", round=1, note="seen on the film")
    assert (late.name(), late.round, late.clause) == ("error-found-late", 1, "5.11")
    assert (late.note, late.seen, len(late.cards)) == ("seen on the film", (Seen.FOREIGN_CARD,), 1)
    assert scene.state == before and len(lines) == 2
    assert scene.refuse(c.Report, round=1) == "nothing-seen"
    for number in (0, 3, -1):
        assert scene.refuse_report("5H:player", round=number) == "no-earlier-round"
    scene.report("KS:banker", round=2)  # that is this one
    assert scene.found() == "wrong-side awaits judgement 5.8"


def test_cards_are_replaced_only_after_something_went_wrong() -> None:
    scene = playing("KS KH 6D 7C")
    assert scene.refuse(c.ReplaceCards, SUPERVISOR) == "between-rounds"
    scene.settle()
    assert scene.refuse(c.ReplaceCards, SUPERVISOR).startswith("no-replacement")
    other = playing("KS")
    other.report("5H:player:together 6D:banker:together")
    other.do(c.OrderCards, SUPERVISOR, cards=parse_cards("6D 5H"))
    for player in ("Ann", "Ben"):
        other.do(c.ChooseOption, player, option=Option.CONTINUE)
    other.deal("2C")
    other.settle()
    (replaced,) = other.do(c.ReplaceCards, SUPERVISOR)
    assert replaced.clause == "5.10.2"
    assert other.refuse(c.CallBets) == "no-shoe 5.10.2"


def test_a_ruling_may_end_a_players_antes() -> None:
    scene = Scene("knockout")
    scene.start(Ann="ante-player=1000", Ben="ante-banker=1000")
    scene.deal("6S")
    scene.report(seen="uncovered")
    scene.do(c.Rule, SHIFT, effect=Effect.RETURN, reason="sat at the wrong table", players=("Ann",))
    assert scene.state.antes_open == ((2, "Ben", "ante-banker"),)
    scene.report(seen="uncovered")
    scene.do(c.Rule, SHIFT, effect=Effect.RETURN, reason="likewise", players=("Ben",))
    assert scene.state.phase is Phase.DEALING
    scene.deal("KH")


def test_evidence_speaks_of_so_many_cards_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Foreign cards are in no shoe, so that no shoe bounds them."""
    monkeypatch.setattr("punto.table.irregularities.cases.MOST_CARDS", 6)
    scene = Scene("insurance")
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 5C")
    scene.report("2H:table:foreign 2H:table:foreign")
    assert scene.refuse_report("2H:table:foreign") == "too-many"
