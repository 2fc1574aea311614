"""Taking evidence back, dismissing a report, and what a case leaves behind."""

from __future__ import annotations

import pytest

from punto.cards import parse_cards
from punto.table.betting import CallBets
from punto.table.house import LoadShoe
from punto.table.insurance import TakeInsurance
from punto.table.irregularity_case import Seen
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
    VoidRound,
    WithdrawEvidence,
)
from punto.table.state import Phase
from tests.table.in_play import playing
from tests.table.scenes import DEALER, MANAGER, SHIFT, SUPERVISOR, P, Scene, returned


def test_taken_back_one_by_one_until_nothing_was_wrong() -> None:
    scene = playing("KS KH 4D 7C")
    before = scene.state
    scene.report("5H:banker 6D:table", "foreign-card")
    assert scene.refuse(WithdrawEvidence, DEALER, cards=(5,)) == "not-allowed"
    scene.do(WithdrawEvidence, SUPERVISOR, seen=(Seen.FOREIGN_CARD,))
    assert scene.found() == "wrong-side awaits judgement 5.8"
    scene.do(WithdrawEvidence, SUPERVISOR, cards=(5,))
    assert scene.found() == "dealing-error awaits judgement 5.12"  # now the six was Player's third
    events = scene.do(WithdrawEvidence, SUPERVISOR, cards=(5,))
    assert events[-1].resolution == "withdrawn"
    assert (scene.state.case, scene.state.shoe, scene.hands()) == (None, before.shoe, "KS 4D / KH 7C")
    scene.deal("5H")


def test_what_was_not_told_cannot_be_taken_back() -> None:
    scene = playing("KS KH 4D 7C")
    scene.report("5H:banker")
    assert scene.refuse(WithdrawEvidence, SUPERVISOR, cards=(1,)) == "nothing-seen"
    assert scene.refuse(WithdrawEvidence, SUPERVISOR, seen=(Seen.FOREIGN_CARD,)) == "nothing-seen"


def test_not_once_somebody_has_chosen() -> None:
    scene = playing("KS")
    scene.report("4D:player")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.do(ChooseOption, "Ann", option=Option.CONTINUE)
    assert scene.refuse(WithdrawEvidence, SUPERVISOR, cards=(2,)) == "chosen-already 5.8"
    assert scene.refuse(DismissReport, SUPERVISOR, reason="x") == "chosen-already 5.8"


def test_a_report_made_by_mistake_is_dismissed_with_a_reason() -> None:
    scene = playing("KS KH")
    before = scene.state
    scene.report("9D:floor", "foreign-card")
    assert scene.refuse(DismissReport, DEALER, reason="x").startswith("not-allowed")
    assert scene.refuse(DismissReport, SUPERVISOR, reason="") == "reason-needed"
    (closed,) = scene.do(DismissReport, SUPERVISOR, reason="it is one of ours")
    assert (closed.resolution, closed.reason) == ("dismissed", "it is one of ours")
    assert (scene.state.shoe, scene.state.last_finding) == (before.shoe, None)
    assert scene.refuse(ReplaceCards, SUPERVISOR) == "between-rounds"
    scene.deal("7D 7C")
    assert scene.state.phase is Phase.FINISHED


@pytest.mark.parametrize("who", [SUPERVISOR, MANAGER, SHIFT])
def test_a_supervisor_or_above_dismisses_whatever_it_waits_for(who: str) -> None:
    scene = playing("KS KH")
    scene.report(seen="uncovered")
    scene.do(DismissReport, who, reason="nothing")


@pytest.mark.parametrize("who", [SUPERVISOR, MANAGER, SHIFT])
def test_a_supervisor_or_above_voids(who: str) -> None:
    scene = playing("KS KH")
    scene.report(seen="wrong-set")
    assert scene.refuse(VoidRound, DEALER).startswith("not-allowed")
    assert returned(scene.do(VoidRound, who)) == ["Ann player 3000", "Ben banker 2000"]


# ── Afterwards ───────────────────────────────────────────────────────────────────────────────────


def test_after_a_void_round_the_next_begins_afresh() -> None:
    scene = playing("KS KH 6D 5C")
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=100)
    scene.report(seen="wrong-set")
    scene.void()
    assert scene.refuse_report("5H:player").split()[0] == "no-round"
    scene.do(ReplaceCards, SUPERVISOR)
    scene.do(LoadShoe)
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
    assert scene.refuse(Report, round=1) == "nothing-seen"
    for number in (0, 3, -1):
        assert scene.refuse_report("5H:player", round=number) == "no-earlier-round"
    scene.report("KS:banker", round=2)  # that is this one
    assert scene.found() == "wrong-side awaits judgement 5.8"


def test_cards_are_replaced_only_after_something_went_wrong() -> None:
    scene = playing("KS KH 6D 7C")
    assert scene.refuse(ReplaceCards, SUPERVISOR) == "between-rounds"
    scene.settle()
    assert scene.refuse(ReplaceCards, SUPERVISOR).startswith("no-replacement")
    other = playing("KS")
    other.report("5H:player:together 6D:banker:together")
    other.do(OrderCards, SUPERVISOR, cards=parse_cards("6D 5H"))
    for player in ("Ann", "Ben"):
        other.do(ChooseOption, player, option=Option.CONTINUE)
    other.deal("2C")
    other.settle()
    (replaced,) = other.do(ReplaceCards, SUPERVISOR)
    assert replaced.clause == "5.10.2"
    assert other.refuse(CallBets) == "no-shoe 5.10.2"


def test_a_ruling_may_end_a_players_antes() -> None:
    scene = Scene("knockout")
    scene.start(Ann="ante-player=1000", Ben="ante-banker=1000")
    scene.deal("6S")
    scene.report(seen="uncovered")
    scene.do(Rule, SHIFT, effect=Effect.RETURN, reason="sat at the wrong table", players=("Ann",))
    assert scene.state.antes_open == ((2, "Ben", "ante-banker"),)
    scene.report(seen="uncovered")
    scene.do(Rule, SHIFT, effect=Effect.RETURN, reason="likewise", players=("Ben",))
    assert scene.state.phase is Phase.DEALING
    scene.deal("KH")


def test_evidence_speaks_of_so_many_cards_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Foreign cards are in no shoe, so that no shoe bounds them."""
    monkeypatch.setattr("punto.table.irregularity_rulings.MOST_CARDS_REPORTED", 6)
    scene = Scene("insurance")
    scene.start(Ann="player=3000")
    scene.deal("KS KH 6D 5C")
    scene.report("2H:table:foreign 2H:table:foreign")
    assert scene.refuse_report("2H:table:foreign") == "too-many"
