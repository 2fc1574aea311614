"""The dealer's next act, as the console gets it."""

from __future__ import annotations

from punto.cards.source import SourceKind
from punto.rules.authority import Authority, Role
from punto.table.insurance import DeclineInsurance
from punto.views.legal_view import ProblemView, next_view
from punto.views.viewer import Viewer
from tests.table.scenes import Scene


def test_what_the_dealer_may_not_do_is_told_with_its_reason() -> None:
    scene = Scene("commission", authority=(Authority("call-bets", (Role.PIT_SUPERVISOR,)),))
    scene.seat("Ann", 1)
    view = next_view(scene.table, Viewer("Dan", Role.DEALER))
    assert view is not None and view.command is None
    assert isinstance(view.problem, ProblemView)
    assert (view.problem.command, view.problem.reason) == ("call-bets", "not-allowed")
    assert "dealer" in view.problem.sentence
    assert next_view(scene.table, Viewer("Ann", Role.PLAYER)) is None


def corrections(scene: Scene) -> list[tuple[str, int, str | None]]:
    view = next_view(scene.table, Viewer("Dan", Role.DEALER))
    assert view is not None
    return [(each.hand.value, each.number, each.problem.reason if each.problem else None) for each in view.corrections]


def test_open_cards_that_may_be_put_right_come_in_the_order_of_the_deal() -> None:
    scene = Scene("insurance", source=SourceKind.ENTERED)
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 3000)
    scene.close()
    assert corrections(scene) == []
    scene.deal("KS KH 6D")
    assert corrections(scene) == [("player", 1, None), ("banker", 1, None), ("player", 2, None)]


def test_a_card_that_somebody_has_decided_by_stays_and_says_why() -> None:
    scene = Scene("insurance", source=SourceKind.ENTERED)
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 3000)
    scene.close()
    scene.deal("KS KH 6D 5C")
    scene.do(DeclineInsurance, "Ann")
    assert {why for _, _, why in corrections(scene)} == {"decision-taken"}


def test_cards_that_the_system_draws_are_nobody_s_to_put_right() -> None:
    scene = Scene("commission", source=SourceKind.SHUFFLED)
    scene.call()
    scene.close()
    scene.deal("KS KH")
    assert corrections(scene) == []


def test_where_play_is_stopped_the_call_for_bets_stands_there_with_its_reason() -> None:
    scene = Scene("commission")
    scene.seat("Ann", 1)
    view = next_view(scene.table, Viewer("Dan", Role.DEALER), is_stopped=True)
    assert view is not None and view.command is None and isinstance(view.problem, ProblemView)
    assert (view.problem.command, view.problem.reason) == ("call-bets", "stopped")
    scene.call()
    scene.bet("Ann", "player", 3000)
    view = next_view(scene.table, Viewer("Dan", Role.DEALER), is_stopped=True)
    assert view is not None and view.command is not None, "the round in play is finished"
    assert (view.command["type"], view.problem) == ("close-bets", None)
