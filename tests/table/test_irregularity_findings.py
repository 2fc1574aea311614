"""The finding: what the cards on the table come to, clause by clause in the order they are looked for."""

from __future__ import annotations

import pytest

from punto.table.irregularity_findings import is_short
from punto.table.terms import Faces
from tests.table.lying import DOWN, PLAY, UP, found, scene_of
from tests.table.scenes import PHYSICAL, Scene


@pytest.mark.parametrize(
    ("dealt", "cards", "finding"),
    [
        # 5.5.1
        ("KS KH", "7C:table:foreign", "foreign-card 5.5.1"),
        ("KS KH", "2:foreign", "foreign-card 5.5.1"),
        # 5.10
        ("KS KH 4D 7C", "5H:player:together 6D:banker:together", "drawn-together 5.10"),
        ("KS", "1:together 5H:banker:together", "drawn-together 5.10"),
        # 5.8: a card of one hand lies with the other
        ("", "KS:banker", "wrong-side 5.8"),
        ("KS KH 4D 7C", "5H:banker", "wrong-side 5.8"),
        ("KS KH 4D 7C", "3:banker 4:player", "wrong-side 5.8"),
        ("KS KH 6D 5C", "5H:player", "wrong-side 5.8"),  # Banker's, given to a Player who stands
        ("KS KH 4D 7C", "1:banker", "wrong-side 5.8"),
        # 5.7: too many
        ("KS KH 6D 7C", "5H:table", "excess 5.7"),
        ("KS KH 6D 7C", "5H:player", "excess 5.7"),
        ("KS KH 4D 7C", "5H:player 6D:banker", "excess 5.7"),
        ("KS KH 4D 7C 5H", "6D:banker", "excess 5.7"),
        # 5.12 by itself
        ("KS", "9D:floor", "dealing-error 5.12"),
        ("KS", "9D:table", "dealing-error 5.12"),
        ("KS KH", "2:floor", "dealing-error 5.12"),
        ("KS", "9D:banker:down", "dealing-error 5.12"),  # face down where cards are dealt face up
        ("KS KH", "1:is-2S", "dealing-error 5.12"),
        ("KS KH 4D", "1:after-3", "wrong-side 5.8"),  # KH was then Player's
        ("KS KH", "2:together", "dealing-error 5.12"),
        # a slip of the record, which no document speaks of
        ("KS KH 4D", "3:shoe", "record-slip -"),
        ("KS KH 4D 7C 5H", "2:shoe", "record-slip -"),
        ("KS KH 4D", "3:shoe 9D:floor", "dealing-error 5.12"),
        ("KS KH 4D", "3:shoe 1:banker", "wrong-side 5.8"),
    ],
)
def test_face_up(dealt: str, cards: str, finding: str) -> None:
    assert found(scene_of(dealt), cards) == finding


@pytest.mark.parametrize(
    ("dealt", "cards", "finding"),
    [
        # 5.9: due, in its place, and face up
        ("", "KS:player:up", "face-up 5.9"),
        ("KS KH", "2:up", "face-up 5.9"),
        ("KS KH", "4D:player:up", "face-up 5.9"),
        # 5.8 regardless of whether the card has been exposed
        ("KS KH", "4D:banker", "wrong-side 5.8"),
        ("KS KH", "4D:banker:up", "wrong-side 5.8"),
        ("KS KH 4D 7C", "3:banker 4:player", "wrong-side 5.8"),
        # 5.7: not due before the first four lie open
        ("KS KH 4D 7C", "5H:player:up", "exposed 5.7"),
        ("KS KH 4D 7C", "5H:player", "excess 5.7"),
        # 5.10 and 5.12
        ("KS", "KH:banker:together 4D:player:together", "drawn-together 5.10"),
        ("KS", "KH:floor", "dealing-error 5.12"),
    ],
)
def test_face_down(dealt: str, cards: str, finding: str) -> None:
    assert found(scene_of(dealt, faces=DOWN, opened=False), cards) == finding


@pytest.mark.parametrize(
    ("cards", "seen", "finding"),
    [
        # 5.5 goes before everything
        ("5H:player:together 6D:banker:together", "foreign-card", "foreign-card 5.5.1"),
        ("5H:banker", "wrong-set", "wrong-set 5.5.2"),
        ("5H:banker", "not-shuffled", "not-shuffled 5.5.5"),
        ("9D:floor", "cards-run-out", "cards-run-out 5.5.4"),
        ("", "foreign-card wrong-set not-shuffled", "foreign-card 5.5.1"),
        # 5.10 before 5.8, 5.7, 5.12
        ("5H:banker:together 6D:player:together", "", "drawn-together 5.10"),
        ("5H:table:together 6D:table:together 7D:table", "", "drawn-together 5.10"),
        ("5H:floor:together 6D:player:together", "", "drawn-together 5.10"),
        # 5.8 before 5.7, 5.12
        ("5H:banker 6D:table", "", "wrong-side 5.8"),
        ("5H:banker 6D:floor", "", "wrong-side 5.8"),
        # 5.7 before 5.12
        ("5H:player 6D:floor", "", "excess 5.7"),
        # cards before words
        ("9D:floor", "uncovered", "dealing-error 5.12"),
        ("5H:banker", "uncovered", "wrong-side 5.8"),
        ("", "uncovered", "uncovered 5.18"),
    ],
)
def test_of_two_that_fit_the_first(cards: str, seen: str, finding: str) -> None:
    """Player four draws, Banker seven stands."""
    terms = PHYSICAL if seen == "cards-run-out" else {}
    assert found(scene_of("KS KH 4D 7C", **terms), cards, seen) == finding


@pytest.mark.parametrize(
    ("cards", "finding"),
    [
        ("KH:player:up", "wrong-side 5.8"),
        ("KH:banker:up 4D:floor:up", "face-up 5.9"),
        ("KH:banker:up 4D:player:up 7C:banker 5H:table", "face-up 5.9"),
        ("KH:banker:up:together 4D:player:together", "drawn-together 5.10"),
    ],
)
def test_of_two_that_fit_the_first_face_down(cards: str, finding: str) -> None:
    assert found(scene_of("KS", faces=DOWN, opened=False), cards) == finding


@pytest.mark.parametrize("faces", Faces)
@pytest.mark.parametrize(
    ("dealt", "cards"),
    [("", "KS:player"), ("KS", "KH:banker"), ("KS KH 4D 7C", "5H:player"), ("KS KH", "2:banker"), ("KS", "1")],
)
def test_evidence_of_a_lawful_table(faces: Faces, dealt: str, cards: str) -> None:
    scene = scene_of(dealt, faces=faces)
    assert scene.refuse_report(cards) == "nothing-wrong"


# ── Settled, before the call, antes ──────────────────────────────────────────────────────────────


def test_one_short_is_an_error_only_once_the_round_is_settled() -> None:
    scene = scene_of("KS KH 4D 7C 8S")  # Player two, Banker seven
    assert scene.refuse_report("5:player") == "nothing-wrong"
    scene.settle()
    assert scene.refuse_report("5:player") == "nothing-wrong"
    assert found(scene, "5:is-8S 3:is-3D") == "dealing-error 5.12"
    other = scene_of("KS KH 6D 7C")
    other.settle()
    assert found(other, "3:is-4D") == "dealing-error 5.12"  # Player four should have drawn
    assert is_short(PLAY, other.state.case.evidence.left)  # type: ignore[union-attr]


def test_a_card_before_the_closing_call_is_an_error_by_itself() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 3000)
    assert found(scene, "KS:player") == "dealing-error 5.12"
    ez = Scene("ez")
    ez.call()
    assert ez.refuse_report("KS:player") == "nothing-wrong"  # there the first card closes the bets


def test_a_card_before_antes_are_decided_was_not_due() -> None:
    for faces, finding in ((UP, "exposed -"), (DOWN, "excess -")):
        scene = Scene("knockout", faces=faces)
        scene.start(Ann="ante-player=1000")
        scene.deal("6S")
        assert found(scene, "KH:banker") == finding
    scene = Scene("knockout")
    scene.start(Ann="player=1000")
    scene.deal("6S")
    assert scene.refuse_report("KH:banker") == "nothing-wrong"


def test_the_card_that_antes_are_decided_by_is_face_up_by_right() -> None:
    scene = Scene("knockout", faces=DOWN)
    scene.start(Ann="player=1000")
    assert scene.refuse_report("6S:player KH:banker") == "nothing-wrong"
    assert found(scene, "6S:player KH:banker:up") == "face-up -"


# ── Other books ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("book", ["commission", "easy-six", "knockout"])
@pytest.mark.parametrize(
    ("cards", "seen", "finding"),
    [
        ("", "foreign-card", "foreign-card 5.1.1"),
        ("", "cards-run-out", "cards-run-out 5.1.3"),
        ("5H:player 6D:banker", "", "wrong-number 5.1.2"),
        ("5H:banker", "", "wrong-number 5.1.2"),  # Banker has three
        ("3:banker 4:player", "", "wrong-side -"),
        ("9D:floor", "", "dealing-error -"),
        ("4:shoe", "", "record-slip -"),
        ("4:shoe", "interruption", "record-slip -"),
        ("5H:player:together 6D:table:together", "", "drawn-together -"),
        ("5H:player:together 6D:banker:together", "", "wrong-number 5.1.2"),  # in either order
        ("", "wrong-set", "wrong-set -"),
        ("", "interruption", "interruption -"),
        ("", "uncovered", "uncovered -"),
        ("9D:floor", "uncovered", "dealing-error -"),
    ],
)
def test_what_the_other_books_speak_of(book: str, cards: str, seen: str, finding: str) -> None:
    terms = PHYSICAL if seen == "cards-run-out" else {}
    assert found(scene_of("KS KH 4D 7C", book, **terms), cards, seen) == finding


def test_ez_speaks_of_none_of_it() -> None:
    for cards, seen, finding in (
        ("", "foreign-card", "foreign-card -"),
        ("5H:player 6D:banker", "", "excess -"),
        ("", "cards-run-out", "cards-run-out -"),
    ):
        terms = PHYSICAL if seen == "cards-run-out" else {}
        assert found(scene_of("KS KH 4D 7C", "ez", **terms), cards, seen) == finding
