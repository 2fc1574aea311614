"""What a viewer must not see is in no field: two worlds that differ only in hidden cards look the same.

Every view, every list of legal commands and every event of one random life is computed again in worlds where
each card face down is another. A viewer who may not see them must get the same bytes.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from punto import books
from punto.cards.card import Card
from punto.rules.outcome import Hand
from punto.table.dealing import AnswerSqueeze, AskSqueeze, CardDealt, RevealCard
from punto.table.terms import Faces
from punto.views.legal_view import legal_of
from punto.views.table_view import view_of
from punto.views.viewer import BOARD, Viewer, is_alike, seen_event
from tests.table.scenes import Scene
from tests.views.worlds import VIEWERS, OtherWorld, encoded, is_blind, lives, loaded


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("book", books.NAMES)
def test_worlds_that_differ_in_hidden_cards_look_the_same(book: str, seed: int) -> None:
    random = Random(seed)
    hidden = 0
    for before, table, events in lives(book, seed):
        other = OtherWorld(random)
        twin = other.table(table)
        hidden += twin.state != table.state
        for viewer in random.sample(VIEWERS, 3):
            if is_blind(table.state, viewer):
                shown = view_of(loaded(table), viewer, None, 0)
                assert encoded(shown) == encoded(view_of(loaded(twin), viewer, None, 0))
                assert encoded(legal_of(loaded(table), viewer)) == encoded(legal_of(loaded(twin), viewer))
            state = before
            for event in events:
                if is_blind(state, viewer):
                    twin_event = other.event(event)
                    assert seen_event(state, event, viewer) == seen_event(other.state(state), twin_event, viewer)
                state = event.fold(state)
    assert hidden, f"some card lay face down at a table of {book}"


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("book", books.NAMES)
def test_an_event_that_is_said_to_look_alike_does(book: str, seed: int) -> None:
    for before, _, events in lives(book, seed, 40):
        state = before
        for event in events:
            looks = {encoded(seen_event(state, event, viewer)) for viewer in VIEWERS}
            assert len(looks) == 1 or not is_alike(event)
            if is_alike(event):
                assert looks == {encoded(event)}
            state = event.fold(state)


def face_down(scene: Scene, hand: Hand, number: int, viewer: Viewer) -> Any:
    view = view_of(loaded(scene.table), viewer, None, 0)
    return getattr(view.hands, hand.value).cards[number - 1]


def test_only_whoever_squeezes_a_card_sees_it_before_it_is_turned() -> None:
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.start(Ann="player=3000", Ben="banker=2000")
    scene.do(AskSqueeze, "Ann", hand=Hand.PLAYER, number=1)
    scene.do(AnswerSqueeze, consent=True)
    before = scene.state
    (dealt,) = (event for event in scene.deal("KS") if isinstance(event, CardDealt))
    ann = Viewer("Ann")
    others = [viewer for viewer in VIEWERS if viewer != ann]
    assert seen_event(before, dealt, ann)["card"] == "KS"
    assert face_down(scene, Hand.PLAYER, 1, ann).card is Card("KS")
    assert face_down(scene, Hand.PLAYER, 1, ann).squeezable
    for viewer in others:
        assert "card" not in seen_event(before, dealt, viewer)
        assert face_down(scene, Hand.PLAYER, 1, viewer).card is None
        assert not face_down(scene, Hand.PLAYER, 1, viewer).squeezable
    scene.deal("2H")
    assert face_down(scene, Hand.BANKER, 1, ann).card is None, "that one is not hers to squeeze"
    scene.deal("9D 4C")
    scene.do(RevealCard, "Ann", hand=Hand.PLAYER, number=1)
    assert {face_down(scene, Hand.PLAYER, 1, viewer).card for viewer in VIEWERS} == {Card("KS")}


def test_a_planted_leak_is_found() -> None:
    """The test above would notice a view that lets one face through."""
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.start(Ann="player=3000")
    scene.deal("KS 2H")
    twin = OtherWorld(Random(3)).table(scene.table)
    leaky = [msgspec.to_builtins(table.state.player) for table in (scene.table, twin)]
    assert leaky[0] != leaky[1]
    views = [view_of(loaded(table), BOARD, None, 0) for table in (scene.table, twin)]
    assert encoded(views[0]) == encoded(views[1])
