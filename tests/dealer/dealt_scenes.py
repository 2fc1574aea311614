"""Scenes at a table that an automatic dealer deals."""

from __future__ import annotations

from typing import Any

from punto.table import Phase
from punto.table.command import Command
from punto.table.irregularity_events import JudgeReconstruction
from tests.dealer.clocked import after
from tests.table.scenes import DEALER, SUPERVISOR, Scene


def timed(scene: Scene, time: int, kind: type[Any], by: str = DEALER, **fields: Any) -> None:
    scene.do(kind, by, time=time, **fields)


def seated(book: str, *players: str, **terms: Any) -> Scene:
    scene = Scene(book, **terms)
    for box, player in enumerate(players, start=1):
        scene.seat(player, box)
    return scene


def choosing_scene(at: int) -> Scene:
    """A card of Banker lay with Player and was put right: Ann and Ben choose from this time on."""
    scene = seated("insurance", "Ann", "Ben")
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.bet("Ben", "banker", 2000)
    scene.close()
    scene.deal("KS")
    scene.report("4D:player")
    timed(scene, at, JudgeReconstruction, SUPERVISOR, possible=True)
    return scene


def insured_scene(**terms: Any) -> Scene:
    """Ann holds Player on 6 against 5, and Banker may still win."""
    scene = seated("insurance", "Ann", **terms)
    scene.call()
    scene.bet("Ann", "player", 3000)
    scene.close()
    scene.deal("KS KH 6D 5C")
    assert scene.state.phase is Phase.DEALING
    return scene


def give(scene: Scene, command: Command) -> None:
    scene.table = after(scene.table, command)
