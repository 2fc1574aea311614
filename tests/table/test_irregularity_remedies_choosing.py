"""Choosing to continue or to have bets back, and cards opened while a case is open."""

from __future__ import annotations

from punto.cards import parse_cards
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.table.dealing import DealCard, RevealCard
from punto.table.house import WalkAway
from punto.table.irregularity_events import (
    ChooseOption,
    CloseOptions,
    DismissReport,
    ExpireOptions,
    JudgeReconstruction,
    Option,
    OptionChosen,
    OrderCards,
)
from punto.table.state import Phase
from punto.table.terms import Faces
from tests.table.in_play import playing
from tests.table.scenes import SUPERVISOR, B, P, Scene, names, returned


def choosing() -> Scene:
    scene = playing("KS")
    scene.report("4D:player")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    return scene


def test_everybody_at_the_table_chooses_once_and_for_all_bets() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000 tie=1000", Ben="banker=2000")
    scene.report("4D:banker")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.refuse(ChooseOption, "Cat", option=Option.RETURN) == "not-asked 5.8"
    events = scene.do(ChooseOption, "Ann", option=Option.RETURN)
    assert returned(events) == ["Ann player 3000", "Ann tie 1000"]
    assert scene.refuse(ChooseOption, "Ann", option=Option.CONTINUE) == "not-asked 5.8"
    assert scene.lying() == ["Ben banker 2000"]
    assert names(scene.do(ChooseOption, "Ben", option=Option.CONTINUE))[-1] == "case-closed"


def test_a_standing_player_chooses_too() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 3000)
    scene.bet("Cat", "player", 1000, box=1)
    scene.close()
    scene.report("4D:banker")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert returned(scene.do(ChooseOption, "Cat", option=Option.RETURN)) == ["Cat player 1000"]


def test_a_choice_names_its_round_or_none() -> None:
    scene = choosing()
    assert scene.refuse(ChooseOption, "Ann", option=Option.RETURN, round=2) == "other-round"
    scene.do(ChooseOption, "Ann", option=Option.RETURN, round=1)


def test_who_is_away_continues_and_who_is_here_chooses() -> None:
    scene = choosing()
    scene.do(WalkAway, "Ben")
    assert scene.refuse(CloseOptions) == "players-present 5.8"
    scene.do(ChooseOption, "Ann", option=Option.RETURN)
    scene.do(CloseOptions)
    assert scene.lying() == ["Ben banker 2000"]
    assert scene.state.phase is Phase.DEALING


def test_when_the_time_to_choose_is_over_whoever_is_here_continues_too() -> None:
    scene = choosing()
    assert Scene("insurance").refuse(ExpireOptions) == "no-case"
    assert scene.refuse(ExpireOptions, "Ann") == "not-allowed"
    scene.do(ChooseOption, "Ann", option=Option.RETURN)
    chosen = scene.do(ExpireOptions)
    assert [(event.player, event.option) for event in chosen if isinstance(event, OptionChosen)] == [
        ("Ben", Option.CONTINUE)
    ]
    assert scene.lying() == ["Ben banker 2000"]
    assert scene.refuse(ExpireOptions).startswith("no-case")


def test_with_no_bets_nobody_is_asked() -> None:
    scene = Scene("insurance")
    scene.call()
    scene.close()
    scene.report("5S:player:together 6S:banker:together")
    events = scene.do(OrderCards, SUPERVISOR, cards=parse_cards("6S 5S"))
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
        scene.do(RevealCard, hand=hand, number=number)
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
    assert scene.refuse(RevealCard, hand=B, number=1).startswith("case-open")
    other = playing("KS KH 4D", faces=Faces.DOWN)
    other.report("3:shoe")
    assert other.refuse(RevealCard, hand=P, number=2) == "no-such-card"
    other.do(RevealCard, hand=P, number=1)


def test_a_card_from_a_physical_shoe_is_named_when_it_is_opened_in_a_case() -> None:
    scene = Scene("insurance", source=SourceKind.ENTERED, faces=Faces.DOWN)
    scene.start(Ann="player=3000")
    scene.do(DealCard)
    scene.report("KH:player")
    assert scene.refuse(RevealCard, hand=P, number=1) == "card-needed"
    scene.do(RevealCard, hand=P, number=1, card=Card("KS"))
    scene.do(DismissReport, SUPERVISOR, reason="it was the first")
    assert scene.hands() == "KS / "  # opened it stays open
