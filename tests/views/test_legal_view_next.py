"""The dealer's next act, as the console gets it."""

from __future__ import annotations

from punto.rules.authority import Authority, Role
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
