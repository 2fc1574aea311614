"""An open case as those who work at the table see it: every sighting, what was on record, and why its clause."""

from __future__ import annotations

from typing import Any

import pytest

from punto.cards.source import SourceKind
from punto.rules.authority import Role
from punto.rules.book_text import Finding
from punto.table.irregularity_case import Place
from punto.table.terms import Faces
from punto.views.deal_view import CaseView, case_view
from punto.views.viewer import Viewer
from tests.table.scenes import Scene


def case_after(dealt: str, *sightings: str, seen: str = "", **terms: Any) -> CaseView:
    scene = Scene("insurance", source=SourceKind.ENTERED, **terms)
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 3000)
    scene.close()
    scene.deal(dealt)
    scene.report(" ".join(sightings), seen)
    view = case_view(scene.table, Viewer("Sue", Role.PIT_SUPERVISOR))
    assert view is not None
    player = case_view(scene.table, Viewer("Ann", Role.PLAYER))
    assert player is not None and player.grounds == () and player.cards == ()
    return view


def test_a_card_with_the_wrong_hand_is_told_with_its_place_on_record() -> None:
    view = case_after("KS 9H", "2:player")
    assert [(card.number, card.spoken) for card in view.cards] == [(1, False), (2, True)]
    assert (view.cards[1].lay, view.cards[1].lies) == (Place.BANKER, Place.PLAYER)
    assert view.finding is not None and view.grounds


@pytest.mark.parametrize(
    ("dealt", "sighting", "finding", "why"),
    [
        ("KS 9H", "5H:banker", Finding.WRONG_SIDE, "Card 3 lies with Banker, and in its order it was due to Player"),
        ("KS 9H 8D 9C", "5H:table", Finding.EXCESS, "Card 5 was due to no hand"),
        ("KS 9H", "5H:table:foreign", Finding.FOREIGN_CARD, "Card 3 is of another set"),
        ("KS 9H", "2:shoe", Finding.RECORD_SLIP, "Card 2 is on record and never left the shoe"),
        ("KS 9H", "1:floor", Finding.DEALING_ERROR, "Card 1 lies with no hand"),
    ],
)
def test_why_the_evidence_comes_to_its_clause(dealt: str, sighting: str, finding: Finding, why: str) -> None:
    view = case_after(dealt, sighting)
    assert view.finding is finding
    assert why in [ground.label.en for ground in view.grounds]
    assert all(ground.label.zh_hans and ground.label.zh_hant for ground in view.grounds)


def test_what_was_seen_beside_cards_is_its_own_reason() -> None:
    view = case_after("KS 9H", seen="wrong-set")
    assert [ground.label.en for ground in view.grounds] == ["It was reported"]


def test_a_card_face_down_is_told_by_its_number_alone() -> None:
    view = case_after("KS 9H", "unseen:table:down", faces=Faces.UP)
    assert [card.card for card in view.cards][-1] is None
    assert not any("KS" in ground.label.en for ground in view.grounds)
