"""A box of Baccarat with Insurance, with somebody who may be bet behind."""

from typing import Any

from tests.table.scenes import Scene


def in_box_one(*standing: str, **terms: Any) -> Scene:
    """Ann sits at box 1 with a bet on the tie, so that others may stand behind her; bets are open."""
    scene = Scene("insurance", **terms)
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "tie", 1000)
    assert not standing or scene.state.box_of(standing[0]) is None
    return scene
