"""Scenes at an insurance table in which something goes wrong: their bets, and who then says what."""

from typing import Any

from punto.table.irregularity_events import ChooseOption, JudgeReconstruction, Option
from punto.table.terms import Faces
from tests.table.scenes import SUPERVISOR, Scene

DOWN: dict[str, Any] = {"faces": Faces.DOWN}
BETS = {"Ann": "player=3000 player-pair=1000", "Ben": "banker=2000"}
ALL_BETS = ["Ann player 3000", "Ann player-pair 1000", "Ben banker 2000"]


def playing(cards: str = "", **terms: Any) -> Scene:
    """The bets are closed and these cards dealt."""
    scene = Scene("insurance", **terms)
    scene.start(**BETS)
    scene.deal(cards)
    return scene


def judged(scene: Scene, *, possible: bool) -> list[Any]:
    """The House's word on reconstruction."""
    return scene.do(JudgeReconstruction, SUPERVISOR, possible=possible)


def chooses(scene: Scene, player: str, option: Option) -> list[Any]:
    return scene.do(ChooseOption, player, option=option)
