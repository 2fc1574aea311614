"""A table where something went wrong, and what the house and the players do about it."""

from __future__ import annotations

from typing import Any

from punto.cards.source import SourceKind
from punto.table.irregularity_events import ChooseOption, JudgeReconstruction, Option
from punto.table.terms import Faces
from tests.table.scenes import SUPERVISOR, Scene

DOWN: dict[str, Any] = {"faces": Faces.DOWN}
PHYSICAL_DOWN: dict[str, Any] = {"faces": Faces.DOWN, "source": SourceKind.ENTERED}


def playing(cards: str = "", book: str = "insurance", **terms: Any) -> Scene:
    scene = Scene(book, **terms)
    scene.start(Ann="player=3000", Ben="banker=2000")
    scene.deal(cards)
    return scene


def judge(scene: Scene, possible: bool) -> list[Any]:
    return scene.do(JudgeReconstruction, SUPERVISOR, possible=possible)


def all_continue(scene: Scene) -> list[Any]:
    events = []
    assert scene.state.case is not None
    for player in scene.state.case.undecided:
        events += scene.do(ChooseOption, player, option=Option.CONTINUE)
    return events


def choices(events: list[Any]) -> list[str]:
    """`Ann continue-reconstructed 5.12` of everybody who is asked."""
    found = []
    for event in events:
        if event.name() == "options-given":
            form = "continue-reconstructed" if event.is_reconstructed else "continue"
            found += [f"{player} {form} {event.clause}" for player in event.players]
    return found
