"""Rulings: when one may be given, and what each effect does."""

import pytest

from punto.table.betting import AdviseMinimum, CloseBets
from punto.table.irregularity_events import Effect, Rule
from punto.table.terms import Faces, Noticing
from tests.table.scenes import DEALER, MANAGER, SHIFT, SUPERVISOR, Scene, names, returned


def playing(book: str = "commission") -> Scene:
    scene = Scene(book)
    scene.start(Ann="player=1000 tie=1000", Ben="banker=1000")
    scene.deal("KS")
    return scene


@pytest.mark.parametrize("effect", Effect)
def test_without_a_case_there_is_nothing_to_rule_on(effect: Effect) -> None:
    scene = playing()
    players = ("Ann",) if effect is Effect.RETURN else ()
    assert scene.refuse(Rule, SHIFT, effect=effect, reason="so", players=players) == "no-case"
    scene.report(seen="foreign-card")  # waits for its void, not for a ruling
    assert scene.refuse(Rule, SHIFT, effect=effect, reason="so", players=players) == "no-case 5.1.1"


def test_players_are_named_only_when_bets_go_back() -> None:
    scene = playing()
    scene.report(seen="uncovered")
    for effect in (Effect.CONTINUE, Effect.VOID, Effect.STAND):
        refused = scene.refuse(Rule, SHIFT, effect=effect, reason="so", players=("Ann",))
        assert refused == "no-such-ruling"
    back = {"effect": Effect.RETURN, "reason": "so"}
    assert scene.refuse(Rule, SHIFT, players=("Ann", "Zoe"), **back) == "no-such-ruling"
    events = scene.do(Rule, SHIFT, players=("Ann", "Ben"), **back)
    assert returned(events) == ["Ann player 1000", "Ann tie 1000", "Ben banker 1000"]
    assert names(events) == ["ruled", "case-closed"]


def test_a_ruling_to_go_on_leaves_everything() -> None:
    scene = playing()
    lying = scene.lying()
    scene.report(seen="uncovered")
    events = scene.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="no harm done")
    assert (events[0].returned, events[1].reason) == ((), "no harm done")
    assert scene.lying() == lying
    scene.deal("KH")


def test_a_ruling_after_the_deal_is_followed_by_the_settlement() -> None:
    scene = playing()
    scene.deal("KH 9D 7C")
    scene.report(seen="uncovered")
    scene.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="no harm done")
    assert scene.settle()[0] == "Ann player win +1000 by 4.1.2"


def test_bets_under_the_minimum_stand_or_go_back() -> None:
    scene = Scene("insurance", noticing=Noticing.DEALER)
    scene.seat("Ann", 1)
    scene.seat("Ben", 2)
    scene.call()
    scene.bet("Ann", "player", 100)
    scene.bet("Ben", "player", 100)
    assert scene.refuse(Rule, SHIFT, effect=Effect.STAND, reason="so") == "no-case"
    for box, player in ((1, "Ann"), (2, "Ben")):
        scene.do(AdviseMinimum, box=box, area="player", player=player)
    for effect in (Effect.CONTINUE, Effect.VOID):
        assert scene.refuse(Rule, SHIFT, effect=effect, reason="so") == "no-such-ruling 5.18"
    events = scene.do(Rule, SHIFT, effect=Effect.RETURN, reason="too small", players=("Ben",))
    assert returned(events) == ["Ben player 100"]
    assert names(events) == ["ruled"]
    assert scene.refuse(CloseBets) == "advised-bets 5.18"
    scene.do(Rule, SHIFT, effect=Effect.STAND, reason="last chips")
    scene.close()
    assert scene.lying() == ["Ann player 100"]


def test_a_case_is_not_answered_by_letting_bets_stand() -> None:
    scene = Scene("insurance", noticing=Noticing.DEALER)
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 500)
    scene.do(AdviseMinimum, box=1, area="player", player="Ann")
    scene.report(seen="uncovered")
    assert scene.refuse(Rule, SHIFT, effect=Effect.STAND, reason="so") == "no-such-ruling 5.18"
    scene.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="so")
    scene.do(Rule, SHIFT, effect=Effect.STAND, reason="so")
    scene.close()


def test_a_ruling_to_go_on_is_refused_where_the_hands_cannot_be_completed() -> None:
    """Player has a third card before the first four are open: it may be one too many."""
    scene = Scene("ez", faces=Faces.DOWN)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 6D 7C")
    scene.report("5H:player")
    back = {"effect": Effect.RETURN, "reason": "so", "players": ("Ann",)}
    assert scene.refuse(Rule, SHIFT, effect=Effect.CONTINUE, reason="so") == "cannot-reconstruct"
    assert scene.refuse(Rule, SHIFT, **back) == "cannot-reconstruct"
    scene.open_all()
    scene.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="so")
    assert scene.hands() == "KS 6D / KH 7C"
    assert [str(slot.card) for slot in scene.state.carried] == ["5H"]


@pytest.mark.parametrize("who", [DEALER, SUPERVISOR, MANAGER])
def test_only_the_shift_manager_rules(who: str) -> None:
    scene = playing()
    scene.report(seen="uncovered")
    refused = scene.refuse(Rule, who, effect=Effect.CONTINUE, reason="so")
    assert refused.split()[0] in ("not-allowed", "not-ranked")


def test_a_reason_has_to_be_given() -> None:
    scene = playing("insurance")
    scene.report(seen="uncovered")
    assert scene.refuse(Rule, SHIFT, effect=Effect.CONTINUE, reason="") == "reason-needed 5.18"
