"""A card on record that never left the shoe: what becomes of what was staked in its light."""

from __future__ import annotations

import pytest

from punto.table import command as c
from punto.table.state import Phase
from tests.table.irregularities.in_play import judge, playing
from tests.table.scenes import P, Scene, returned


def with_ante(decided: str) -> Scene:
    """An ante, decided by a two."""
    scene = Scene("knockout")
    scene.start(Ann="ante-player=1000")
    scene.deal("2S")
    if decided == "wager":
        scene.do(c.PlaceWager, "Ann", box=1, area="wager-player", amount=2000)
    else:
        scene.do(c.GiveUpAnte, "Ann", box=1, area="ante-player")
    return scene


@pytest.mark.parametrize("decided", ["wager", "give up"])
def test_an_ante_decided_by_a_false_card_is_decided_again(decided: str) -> None:
    scene = with_ante(decided)
    scene.report("1:shoe")
    assert returned(judge(scene, possible=True)) == (["Ann wager-player 2000"] if decided == "wager" else [])
    assert scene.lying() == ["Ann ante-player 1000"]
    scene.deal("KH")
    assert scene.state.phase is Phase.ANTES
    scene.do(c.PlaceWager, "Ann", box=1, area="wager-player", amount=2000)
    scene.deal("6D 9S 2C")
    plain = Scene("knockout")
    plain.start(Ann="ante-player=1000")
    plain.deal("KH")
    plain.do(c.PlaceWager, "Ann", box=1, area="wager-player", amount=2000)
    plain.deal("6D 9S 2C")
    assert scene.settle() == plain.settle()


def test_an_ante_stays_decided_where_the_false_card_came_later() -> None:
    scene = with_ante("wager")
    scene.deal("KH")
    scene.report("2:shoe")
    assert returned(judge(scene, possible=True)) == []
    assert scene.lying() == ["Ann ante-player 1000", "Ann wager-player 2000"]


def test_three_cards_offer_no_insurance_whatever_their_points() -> None:
    """Player six against Banker five, and the king that was Banker's second is in the shoe."""
    scene = playing("KS 5H 6D KC")
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=500)
    scene.report("4:shoe")
    assert returned(judge(scene, possible=True)) == ["Ann insurance-player-4 500"]
