"""Settlement at the table: its order, its rounding, and what every line says."""

from typing import Any

import pytest

from punto.cards.source import SourceKind
from punto.money import Rounding
from punto.rules.authority import Authority, Role
from punto.table.house import ChangeTerms
from punto.table.insurance import TakeInsurance
from punto.table.irregularity_events import Effect, Rule
from punto.table.settlement import SettleRound
from punto.table.terms import Faces
from tests.table.scenes import SHIFT, SUPERVISOR, P, Scene, terms_of


def test_a_player_with_insurance_in_the_order_of_the_layout() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 2)
    scene.seat("Ben", 1)
    scene.call()
    scene.bet("Ann", "banker-pair", 1000)
    scene.bet("Ann", "tie", 1000)
    scene.bet("Ann", "banker", 1000)
    scene.bet("Ann", "player", 3000)
    scene.bet("Cat", "player", 3000, box=2)
    scene.bet("Ben", "player", 1000)
    scene.bet("Ben", "tie", 1000, box=2)
    scene.close()
    scene.deal("KS KH 6D 5C")
    scene.do(TakeInsurance, "Cat", box=2, hand=P, amount=100)
    scene.do(TakeInsurance, "Ann", box=2, hand=P, amount=200)
    scene.deal("4S")
    assert [line.split()[:2] for line in scene.settle()] == [
        ["Ben", "player"],
        ["Ann", "player"],
        ["Ann", "insurance-player-4"],
        ["Ann", "banker"],
        ["Ann", "tie"],
        ["Ann", "banker-pair"],
        ["Cat", "player"],
        ["Cat", "insurance-player-4"],
        ["Ben", "tie"],
    ]


@pytest.mark.parametrize(
    ("rounding", "stake", "net", "exact"),
    [
        (Rounding.HALF_UP, 10, 10, "19/2"),
        (Rounding.DOWN, 10, 9, "19/2"),
        (Rounding.UP, 10, 10, "19/2"),
        (Rounding.HALF_UP, 3, 3, "57/20"),
        (Rounding.DOWN, 3, 2, "57/20"),
        (Rounding.HALF_UP, 7, 7, "133/20"),
        (Rounding.HALF_UP, 9, 9, "171/20"),
        (Rounding.UP, 21, 20, "399/20"),
        (Rounding.HALF_UP, 20, 19, None),
    ],
)
def test_a_fraction_is_rounded_once_and_told(rounding: Rounding, stake: int, net: int, exact: str | None) -> None:
    scene = Scene("commission", chip=1, minimum=1, rounding=rounding)
    scene.start(Ann=f"banker={stake}")
    scene.deal("KS KH 7D 8C")
    (settled,) = scene.do(SettleRound)
    (line,) = settled.bets
    assert (line.net, line.exact, line.odds, line.clause) == (net, exact, "19:20", "4.1.2")


def test_a_round_without_bets_is_settled_too() -> None:
    scene = Scene("commission")
    scene.call()
    scene.close()
    scene.deal("KS KH 7D 8C")
    assert scene.settle() == []
    assert scene.state.settled == ()


BEFORE: dict[str, Any] = {"chip": 1, "minimum": 1, "rounding": Rounding.UP}


def reopened(after: dict[str, Any], seen: str = "1:banker 2:player") -> Scene:
    """A round that was paid, then other terms, then a report: at first of cards dealt to the wrong hands."""
    scene = Scene("commission", **BEFORE)
    scene.start(Ann="banker=21")
    scene.deal("KS KH 7D 8C")
    assert [(line.net, line.exact) for line in scene.do(SettleRound)[0].bets] == [(20, "399/20")]
    scene.do(ChangeTerms, SUPERVISOR, terms=terms_of("commission", **BEFORE | after))
    scene.report(seen)
    return scene


@pytest.mark.parametrize(("now", "net"), [(Rounding.DOWN, 2), (Rounding.HALF_UP, 3)])
def test_a_round_that_is_opened_again_is_rounded_by_the_terms_at_its_call(now: Rounding, net: int) -> None:
    scene = reopened({"rounding": now})
    scene.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="the same hands")
    (line,) = scene.do(SettleRound)[0].bets
    assert (line.net, line.exact) == (20, "399/20")
    scene.start(Ann="banker=3")  # the next round goes by the new terms
    scene.deal("KS KH 7D 8C")
    assert scene.do(SettleRound)[0].bets[0].net == net


@pytest.mark.parametrize("seen", ["1:banker 2:player", "3:down", "9H:banker", "2H:player:down"])
@pytest.mark.parametrize(
    "after",
    [
        {"faces": Faces.DOWN},
        {"chip": 100, "minimum": 1000},
        {"source": SourceKind.ENTERED},
        {"decks": 6},
        {"authority": (Authority("report", (Role.SHIFT_MANAGER, Role.DEALER)),)},
    ],
)
def test_what_an_error_comes_to_is_judged_by_the_terms_at_the_call(after: dict[str, Any], seen: str) -> None:
    """Whatever the house decided since: evidence, people and chips are those of the round."""
    same, changed = reopened({}, seen), reopened(after, seen)
    assert changed.found() == same.found()
    assert changed.table.terms == same.table.terms == terms_of("commission", **BEFORE)
    assert changed.state.case is not None and same.state.case is not None
    assert changed.state.case.evidence == same.state.case.evidence


def test_a_void_round_is_not_opened_again() -> None:
    scene = reopened({"rounding": Rounding.DOWN})
    scene.do(Rule, SHIFT, effect=Effect.VOID, reason="nobody knows")
    assert scene.state.terms_at_call is None
    assert scene.table.terms.rounding is Rounding.DOWN
