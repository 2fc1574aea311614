"""The finding: what the cards on the table come to, clause by clause in the order they are looked for."""

from __future__ import annotations

from typing import Any

import pytest

from punto import books
from punto.cards import parse_cards
from punto.cards.source import SourceKind
from punto.rules.facts import Hand
from punto.table.irregularities.evidence import Evidence, RoundCard
from punto.table.irregularities.finding import is_to_be_put_right
from punto.table.irregularities.hands import due_by_order, due_hands, has_wrong_number, is_short
from punto.table.irregularities.sighting import Face, OrderKnown, Place
from punto.table.terms import Faces
from tests.table.scenes import B, P, Scene

PLAY = books.load("insurance").play
UP, DOWN = Faces.UP, Faces.DOWN
SEEN, ENTERED = OrderKnown.SEEN, SourceKind.ENTERED


def lying(text: str) -> tuple[RoundCard, ...]:
    """`KS@player (6D)@banker ?@table`: cards in their order; in brackets face down, `?` nobody knows."""
    found = []
    for word in text.split():
        name, _, place = word.partition("@")
        card = None if name == "?" else parse_cards(name.strip("()"))[0]
        face = Face.UP if name == str(card) else Face.DOWN
        found.append(RoundCard(card, Place(place or "table"), face))
    return tuple(found)


def in_order(text: str) -> tuple[RoundCard, ...]:
    """Cards of which only the order matters."""
    return lying(" ".join(f"{word}@table" for word in text.split()))


def short(due: tuple[Hand | None, ...] | None) -> str | None:
    letters = {P: "P", B: "B", None: "-"}
    return None if due is None else "".join(letters[hand] for hand in due)


@pytest.mark.parametrize(
    ("cards", "due"),
    [
        ("", ""),
        ("KS", "P"),
        ("KS KH", "PB"),
        ("? ? ?", "PBP"),
        ("? ? ? ?", "PBPB"),  # by order alone (5.8)
        ("KS KH 9D 7C 4S", "PBPB-"),  # a natural
        ("KS KH 6D 7C 4S", "PBPB-"),  # both stand
        ("KS KH 6D 5C 4S", "PBPBB"),  # Player stands, Banker draws
        ("KS KH 6D 5C 4S 2D", "PBPBB-"),
        ("KS KH 5D 7C 4S 2D", "PBPBP-"),  # Banker stands on seven
        ("KS KH 5D 6C 6S 2D 3D", "PBPBPB-"),  # six draws beside a six
        ("KS KH 5D 6C 5S 2D", "PBPBP-"),
        ("KS KH 5D 3C 8S 2D", "PBPBP-"),  # three stands beside an eight
        ("? ? ? ? 4S", None),
        ("? KH 6D 5C 4S", None),
        ("KS ? 9D ? 4S", "PBPB-"),  # a natural whatever Banker has
        ("KS KH 5D 2C ? 4S", "PBPBPB"),  # two draws beside anything
        ("KS KH 5D 3C ? 4S", None),
        ("KS KH 5D 7C ? 4S", "PBPBP-"),
        ("KS KH 5D 3C ?", "PBPBP"),
    ],
)
def test_where_each_card_was_due(cards: str, due: str | None) -> None:
    assert short(due_hands(PLAY, in_order(cards))) == due


def test_a_card_face_down_decides_nothing_though_it_is_known() -> None:
    assert short(due_hands(PLAY, in_order("(KS) KH (9D) 7C 4S"))) is None
    assert short(due_hands(PLAY, in_order("KS KH 5D 3C (8S) 4S"))) is None


@pytest.mark.parametrize(
    ("player", "banker", "is_wrong"),
    [
        ("", "KH", False),
        ("KS 6D", "", False),  # two each are to come
        ("KS 6D 4S", "KH", True),  # a third before Banker has two
        ("KS 6D 4S 2S", "KH 5C", True),
        ("KS 5D 4S", "KH 7C", False),
        ("KS 6D 4S", "KH 7C", True),  # Player stands
        ("KS 9D 4S", "KH 5C", True),  # a natural
        ("KS 6D", "KH 5C 4S", False),  # Player stands, Banker draws
        ("KS 6D", "KH 6C 4S", True),
        ("KS 5D", "KH 3C 4S", True),  # Player draws first
        ("KS 5D 8S", "KH 3C 4S", True),  # three stands beside an eight
        ("KS 5D 7S", "KH 3C 4S", False),
        ("KS 5D ?", "KH 3C", False),
        ("KS 5D ?", "KH 3C 4S", True),  # given only once Player's third lies open
        ("KS 5D ?", "KH 2C 4S", False),  # two draws beside anything
        ("? 5D 4S", "KH 7C", True),  # no third card before four lie open
        ("? ?", "? ?", False),
    ],
)
def test_more_cards_than_the_table_of_play_gives_at_that_moment(
    player: str, banker: str, is_wrong: bool
) -> None:
    assert has_wrong_number(PLAY, hands(player, banker)) is is_wrong


def hands(player: str, banker: str) -> tuple[RoundCard, ...]:
    words = [f"{word}@player" for word in player.split()] + [f"{word}@banker" for word in banker.split()]
    return lying(" ".join(words))


@pytest.mark.parametrize(
    ("player", "banker", "lacks"),
    [
        ("KS 6D", "KH", True),
        ("KS", "KH 7C", True),
        ("KS 6D", "KH 7C", False),
        ("KS 5D", "KH 7C", True),  # Player draws
        ("KS 6D", "KH 5C", True),  # Banker draws
        ("KS 9D", "KH 5C", False),  # a natural
        ("KS 5D 8S", "KH 3C", False),
        ("KS 5D 7S", "KH 3C", True),
        ("KS 5D 7S", "KH 3C 2C", False),
    ],
)
def test_fewer_cards_than_the_table_of_play_gives(player: str, banker: str, lacks: bool) -> None:
    assert is_short(PLAY, hands(player, banker)) is lacks


# ── The first of these that fits ─────────────────────────────────────────────────────────────────


def scene_of(cards: str = "", book: str = "insurance", *, opened: bool = True, **terms: Any) -> Scene:
    scene = Scene(book, **terms)
    scene.start(Ann="player=3000", Ben="banker=2000")
    dealt = cards.split()
    scene.deal(" ".join(dealt[:4]))
    for name in dealt[4:]:
        scene.open_all()
        scene.deal(name)
    if opened and len(dealt) >= 4:
        scene.open_all()
    return scene


def found(scene: Scene, cards: str = "", seen: str = "", **fields: Any) -> str:
    """The finding and its clause, whatever follows from it."""
    events = scene.report(cards, seen, by="Sue", **fields)
    (clause,) = [event for event in events if event.name() == "clause-found"]
    return f"{clause.finding.value} {clause.clause or '-'}"


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
        ("KS KH 4D", "3:shoe", "dealing-error 5.12"),
        ("KS", "9D:banker:down", "dealing-error 5.12"),  # face down where cards are dealt face up
        ("KS KH", "1:is-2S", "dealing-error 5.12"),
        ("KS KH 4D", "1:after-3", "wrong-side 5.8"),  # KH was then Player's
        ("KS KH", "2:together", "dealing-error 5.12"),
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
    assert found(scene_of("KS KH 4D 7C"), cards, seen) == finding


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
    [
        ("", "KS:player"),
        ("KS", "KH:banker"),
        ("KS KH 4D 7C", "5H:player"),
        ("KS KH", "2:banker"),
        ("KS", "1"),
    ],
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
        ("5H:player:together 6D:table:together", "", "drawn-together -"),
        ("5H:player:together 6D:banker:together", "", "wrong-number 5.1.2"),  # in either order
        ("", "wrong-set", "wrong-set -"),
        ("", "interruption", "interruption -"),
        ("", "uncovered", "uncovered -"),
        ("9D:floor", "uncovered", "dealing-error -"),
    ],
)
def test_what_the_other_books_speak_of(book: str, cards: str, seen: str, finding: str) -> None:
    assert found(scene_of("KS KH 4D 7C", book), cards, seen) == finding


def test_ez_speaks_of_none_of_it() -> None:
    for cards, seen, finding in (
        ("", "foreign-card", "foreign-card -"),
        ("5H:player 6D:banker", "", "excess -"),
        ("", "cards-run-out", "cards-run-out -"),
    ):
        assert found(scene_of("KS KH 4D 7C", "ez"), cards, seen) == finding


# ── Drawn together ───────────────────────────────────────────────────────────────────────────────


def evidence_of(scene: Scene) -> Evidence:
    assert scene.state.case is not None
    return scene.state.case.evidence


def test_where_cards_of_an_unknown_order_were_due_is_known_only_if_each_order_says_so() -> None:
    scene = scene_of("KS KH 4D 7C", "commission")
    scene.report("5H:player:together 6D:banker:together")
    assert due_by_order(scene.table, evidence_of(scene)) is None
    seen = scene_of("KS KH 4D 7C", "commission")
    seen.report("5H:player:together 6D:banker:together", order=SEEN)
    assert short(due_by_order(seen.table, evidence_of(seen))) == "PBPBP-"


def test_unseen_cards_drawn_together_are_ordered_by_where_they_lie() -> None:
    for entries in (
        "unseen:player:together unseen:banker:together",
        "unseen:banker:together unseen:player:together",
    ):
        scene = scene_of("KS", faces=DOWN, source=ENTERED)
        scene.report(entries)
        assert [card.lies.value for card in evidence_of(scene).cards] == ["player", "banker", "player"]
        assert not is_to_be_put_right(scene.table.book, evidence_of(scene))


def test_what_the_system_knows_and_nobody_has_seen_is_unseen_too() -> None:
    scene = scene_of("9S", faces=DOWN)
    scene.report("8S:player:together 8C:banker:together")
    assert scene.found() == "drawn-together awaits options 5.10"
    assert [str(card.card) for card in evidence_of(scene).cards] == ["9S", "8C", "8S"]
    told = scene_of("9S", faces=DOWN, source=ENTERED)
    told.report("8S:player:together 8C:banker:together")
    assert told.found() == "drawn-together awaits order 5.10"  # whoever named them knows them
