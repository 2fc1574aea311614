"""What players may choose, by the clauses on options: 5.7.1, 5.8, 5.9, 5.10.1 and 5.12."""

from __future__ import annotations

import pytest

from punto.books import NAMES, load
from punto.drill.irregularity_questions import ask_options, options_subjects
from tests.drill.chosen import asked, seeded, told

UNSETTLED = 0.9


@pytest.mark.parametrize(
    ("subject", "cards", "numbers", "right"),
    [
        # Two cards decide no bet, however they lie: they are put right, and the choice is given.
        ("first-cards-crossed", "KS 3H", (2,), ("continue-reconstructed", "5.8")),
        # With Player's second card open Player Pair is decided, and the cards can be put right: no choice.
        ("first-cards-crossed", "KS 3H 2D", (3,), ("nothing", "5.8")),
        ("third-card-crossed", "KS 3H 2D 2C 5H", (), ("nothing", "5.8")),
        ("unseen-card-crossed", "", (3,), ("continue-reconstructed", "5.8")),
        ("two-at-once", "KS 3H 2D 2C 5H 6D", (4,), ("continue-reconstructed", "5.10.1")),
        ("two-at-once-in-sight", "KS 3H 2D 2C 5H 6D", (4,), ("continue-reconstructed", "5.10.1")),
        # One too many after an outcome gives no options; one short always does.
        ("one-card-more", "KS 9H 2D KC", (), ("nothing", "5.7.1")),
        ("one-card-less", "9S KH KD 2C", (1,), ("continue-reconstructed", "5.12")),
        ("on-the-floor", "KS 3H 2D 2C 5H", (1,), ("continue-reconstructed", "5.12")),
        ("on-the-floor", "KS 3H 2D 2C 5H", (4,), ("continue-reconstructed", "5.12")),
        ("before-the-call", "KS", (), ("continue", "5.12")),
    ],
)
def test_what_the_players_may_choose(
    subject: str, cards: str, numbers: tuple[int, ...], right: tuple[str, str]
) -> None:
    assert told(asked("insurance", "options", subject, cards, *numbers, fraction=UNSETTLED)) == right


def test_a_void_round_leaves_nothing_to_choose() -> None:
    voids = 0
    for seed in range(20):
        question = ask_options(load("insurance"), "third-card-crossed", seeded(seed))
        if "cannot be reconstructed" in question.text:
            voids += 1
            assert told(question) == ("nothing", "5.5.3")
    assert voids


def test_a_face_up_card_gives_a_choice_while_nothing_is_decided() -> None:
    book, seen = load("insurance"), set()
    for seed in range(40):
        question = ask_options(book, "shown-in-its-place", seeded(seed))
        exposed = (question.player[:2], question.banker[:2])
        # Both first cards of a hand decide its pair. Nothing is to be put right: the choice is to continue.
        decided = any(len(hand) == 2 and None not in hand for hand in exposed)
        assert told(question) == ("nothing" if decided else "continue", "5.9")
        seen.add(question.answer)
    assert seen == {"continue", "nothing"}


def test_options_are_asked_only_where_a_book_gives_them() -> None:
    assert {name for name in NAMES if options_subjects(load(name))} == {"insurance"}
