"""What follows a command: in one place, in rooms that do not go round in circles, and worked out once."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

import punto.table
from punto.rules.book_text import Finding
from punto.table import irregularity_findings
from punto.table.irregularity_events import DismissReport, WithdrawEvidence
from tests.table.in_play import playing
from tests.table.scenes import SUPERVISOR, Scene, names

ROOMS = {path.stem: ast.parse(path.read_text("utf-8")) for path in Path(punto.table.__path__[0]).glob("[a-z]*.py")}


def imports(tree: ast.AST) -> set[str]:
    """The rooms that are imported in a piece of code."""
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    modules = [f"{node.module}.{alias.name}" for node in froms for alias in node.names]
    rooms = {
        module.removeprefix("punto.table.").split(".")[0] for module in modules if module.startswith("punto.table.")
    }
    return rooms & set(ROOMS)


def test_no_room_is_imported_inside_a_function() -> None:
    functions = {
        f"{name}.{node.name}": imports(node)
        for name, tree in ROOMS.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    assert {name for name, rooms in functions.items() if rooms} == set()


def test_rooms_do_not_go_round_in_circles() -> None:
    """What is imported for its type alone does not count: a state holds its case, a case the state before it."""
    arrows = {
        name: set().union(*(imports(node) for node in tree.body if not isinstance(node, ast.If)))
        for name, tree in ROOMS.items()
    }
    order = list(TopologicalSorter(arrows).static_order())
    assert order.index("state") < order.index("betting") < order.index("irregularity_rulings") < order.index("acting")


@pytest.fixture
def weighed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every time that findings are worked out."""
    calls, findings = [], irregularity_findings._findings

    def counted(*arguments: Any) -> Any:
        calls.append(arguments)
        return findings(*arguments)

    monkeypatch.setattr(irregularity_findings, "_findings", counted)
    return calls


def test_a_report_is_weighed_once(weighed: list[Any]) -> None:
    for settled in (False, True):
        scene = playing("KS KH 6D 7C", "insurance")
        if settled:
            scene.settle()
        weighed.clear()
        scene.report("5H:banker")
        assert len(weighed) == 1
        scene.report(seen="uncovered")
        assert len(weighed) == 2
        scene.do(WithdrawEvidence, SUPERVISOR, cards=(5,))
        assert len(weighed) == 3


def test_what_else_was_seen_waits_until_the_cards_are_replaced() -> None:
    """Dismissed, the second case gives the table back as it was before it: without the wrong set."""
    scene = Scene("easy-six")
    events = scene.report(seen="foreign-card uncovered")
    closed, replaced, opened = names(events)[2:5]
    assert (closed, replaced, opened) == ("case-closed", "cards-replaced", "case-opened")
    assert scene.state.case is not None and scene.state.last_finding is Finding.UNCOVERED
    scene.do(DismissReport, SUPERVISOR, reason="nothing else was wrong")
    assert scene.state.shoe is None
