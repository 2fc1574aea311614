"""What a case says of the shoe: which cards have left it, and which have not after all."""

from __future__ import annotations

from typing import Any

import pytest

from punto.cards.card import Card
from punto.cards.shoe import Shoe
from punto.cards.source import SourceKind
from punto.table.dealing import RevealCard
from punto.table.house import BurnCards
from punto.table.irregularity_events import ChooseOption, DismissReport, JudgeReconstruction, Option
from punto.table.terms import Faces
from tests.table.scenes import SUPERVISOR, P, Scene, line

CARDS = 8 * 52


def playing(cards: str = "", **terms: Any) -> Scene:
    scene = Scene("insurance", **terms)
    scene.start(Ann="player=3000")
    scene.deal(cards)
    return scene


def shoe_of(scene: Scene) -> Shoe:
    assert scene.state.shoe is not None
    return scene.state.shoe


def out(scene: Scene) -> tuple[str, int]:
    """The cards that were seen leaving, and how many left unseen."""
    shoe = shoe_of(scene)
    assert shoe.cards_left == CARDS - len(shoe.out) - shoe.burned_unseen
    return " ".join(map(str, shoe.out)), shoe.burned_unseen


@pytest.mark.parametrize(
    ("entry", "seen", "unseen"),
    [
        ("4S:banker", "KS KH 4S", 0),
        ("4S:floor", "KS KH 4S", 0),
        ("4S:banker:down", "KS KH", 1),
        ("unseen:banker", "KS KH", 1),
        ("4S:table:foreign", "KS KH", 0),
        ("2:shoe", "KS", 0),
        ("1:is-2S", "KH 2S", 0),
        ("1:banker:down", "KH", 1),
    ],
)
def test_the_shoe_is_as_the_evidence_says(entry: str, seen: str, unseen: int) -> None:
    scene = playing("KS KH")
    before = shoe_of(scene)
    scene.report(entry)
    found, hidden = out(scene)
    assert (sorted(found.split()), hidden) == (sorted(seen.split()), unseen)
    scene.do(DismissReport, SUPERVISOR, reason="nothing of it")
    assert shoe_of(scene) == before


def test_a_card_face_down_is_named_to_the_shoe_when_it_proves_open() -> None:
    scene = playing("KS KH", faces=Faces.DOWN)
    assert out(scene) == ("", 2)
    scene.report("2:up")
    assert out(scene) == ("KH", 1)


def test_a_card_said_to_lie_face_down_can_be_turned_up_again() -> None:
    scene = playing("KS")
    scene.report("1:down")
    scene.do(ChooseOption, "Ann", option=Option.CONTINUE)
    assert (scene.hands(), out(scene)) == ("?? / ", ("", 1))
    scene.deal("KH 6D 7C")
    scene.do(RevealCard, hand=P, number=1)
    assert out(scene) == ("KH 6D 7C KS", 0)


def test_what_a_report_names_must_have_been_in_the_shoe() -> None:
    scene = playing("KS KH", decks=4)
    assert scene.refuse_report("4S:table 4S:table 4S:table 4S:table 4S:table") == "card-not-there 2.2.1"
    assert scene.refuse_report("2:is-KS 1:is-KS 4S:table KS:table KS:table KS:table KS:table") == (
        "card-not-there 2.2.1"
    )
    before = shoe_of(scene).cards_left
    scene.report("4S:banker 5S:table")
    assert shoe_of(scene).cards_left == before - 2


def test_a_shoe_without_a_card_gives_none() -> None:
    scene = Scene("insurance", decks=4, burn="202", behind_cut=0)
    scene.do(BurnCards)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 2D 7C")
    assert shoe_of(scene).cards_left == 2
    assert scene.refuse_report("4S:banker 5S:table unseen:table") == "card-not-there 2.2.1"
    scene.report("4S:banker unseen:table")
    assert shoe_of(scene).cards_left == 0


def test_a_carried_card_comes_from_those_carried_over() -> None:
    scene = playing("KS KH 6D 7C")
    scene.report("4S:table")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.settle()
    scene.start(Ann="player=3000")
    left = shoe_of(scene).cards_left
    assert scene.refuse_report("5S:banker:carried") == "card-not-there 2.2.1"
    scene.report("4S:banker:carried")
    assert scene.found() == "wrong-side awaits judgement 5.8"
    assert (shoe_of(scene).cards_left, scene.state.carried) == (left, ())
    scene.do(DismissReport, SUPERVISOR, reason="no")
    assert [slot.card for slot in scene.state.carried] == [Card("4S")]


def test_whoever_draws_past_a_carried_card_left_it_on_the_table() -> None:
    scene = playing("KS KH 6D 7C")
    scene.report("9H:table")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.settle()
    scene.start(Ann="player=3000")
    scene.report("2S:player")
    assert scene.found() == "wrong-side awaits judgement 5.8"  # the nine was Player's, so the two is Banker's
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.hands() == "9H / 2S"


@pytest.mark.parametrize("source", [SourceKind.SHUFFLED, SourceKind.CONTINUOUS])
def test_a_settled_round_is_looked_at_with_its_cards_out(source: SourceKind) -> None:
    scene = playing("KS KH 9D 7C", source=source)
    first = scene.settle()
    if source is SourceKind.CONTINUOUS:
        assert shoe_of(scene) == Shoe(8, 0)  # a shuffler has them all inside again
    scene.report("4:is-6C")
    assert {str(card) for card in shoe_of(scene).out} == {"KS", "KH", "9D", "6C"}
    closed, settled = scene.do(DismissReport, SUPERVISOR, reason="counted again")
    assert (closed.resolution, settled.name()) == ("dismissed", "round-settled")
    assert [line(bet) for bet in settled.bets] == first
    assert shoe_of(scene).cards_left == (8 * 52 if source is SourceKind.CONTINUOUS else 8 * 52 - 4)
