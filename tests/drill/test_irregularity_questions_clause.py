"""Which clause the cards come to. The answers are worked out from the documents and our reading of them."""

from __future__ import annotations

import pytest

from punto.books import NAMES, load
from punto.drill.irregularity_questions import clause_subjects
from tests.drill.chosen import asked, told

NO_WORD = 0.9
"""The House has not spoken, and nothing happens that happens only sometimes."""
CANNOT = 0.0
"""The House says that the cards cannot be reconstructed, where it is asked."""


@pytest.mark.parametrize(
    ("subject", "cards", "numbers", "word", "right"),
    [
        # Player has two and draws; the five is put to Banker.
        ("third-card-crossed", "KS 3H 2D 2C 5H", (), NO_WORD, ("wrong-side", "5.8")),
        # As it lies Banker has three cards while Player has not drawn: a wrong number.
        ("third-card-crossed", "KS 3H 2D 2C 5H", (), CANNOT, ("wrong-number", "5.5.3")),
        # Player stands on seven, Banker draws on five, and the card is put to Player: 5.8 too.
        ("third-card-crossed", "KS 3H 7D 2C 5H", (), NO_WORD, ("wrong-side", "5.8")),
        ("first-cards-crossed", "KS 3H", (2,), NO_WORD, ("wrong-side", "5.8")),
        # Crossed, each hand still has as many cards as it should: nothing of 5.5.3.
        ("first-cards-crossed", "KS 3H 2D 2C", (4,), CANNOT, ("wrong-side", "5.8")),
        ("unseen-card-crossed", "", (1,), NO_WORD, ("wrong-side", "5.8")),
        ("two-at-once", "KS 3H 2D 2C 5H 6D", (4,), NO_WORD, ("drawn-together", "5.10")),
        ("two-at-once-in-sight", "KS 3H 2D 2C 5H 6D", (4,), NO_WORD, ("drawn-together", "5.10")),
        ("shown-in-its-place", "KS 3H 2D 2C", (2,), NO_WORD, ("face-up", "5.9")),
        ("shown-before-it-is-due", "KS 3H 2D 2C 5H", (), NO_WORD, ("exposed", "5.7")),
        # Banker has a natural, and one more card goes to Player.
        ("one-card-more", "KS 9H 2D KC", (), NO_WORD, ("excess", "5.7")),
        ("one-card-more", "KS 9H 2D KC", (), CANNOT, ("wrong-number", "5.5.3")),
        # Player's nine was an ace: Player has one and should have drawn.
        ("one-card-less", "9S KH KD 2C", (1,), NO_WORD, ("dealing-error", "5.12")),
        ("one-card-less", "9S KH KD 2C", (1,), CANNOT, ("wrong-number", "5.5.3")),
        ("on-the-floor", "KS 3H 2D 2C 5H", (1,), NO_WORD, ("dealing-error", "5.12")),
        ("on-the-floor", "KS 3H 2D 2C 5H", (1,), CANNOT, ("dealing-error", "5.12")),
        ("before-the-call", "KS", (), NO_WORD, ("dealing-error", "5.12")),
        ("card-of-another-set", "KS 3H", (2,), NO_WORD, ("foreign-card", "5.5.1")),
        # 5.5 goes before 5.8.
        ("two-errors", "KS 3H", (2,), NO_WORD, ("foreign-card", "5.5.1")),
        ("cards-missing", "KS 3H", (2,), NO_WORD, ("wrong-set", "5.5.2")),
        ("cards-unshuffled", "KS 3H", (2,), NO_WORD, ("not-shuffled", "5.5.5")),
        ("shoe-empty", "KS 3H", (2,), NO_WORD, ("cards-run-out", "5.5.4")),
        # Player Pair has won or lost once Player's second card lies open.
        ("power-failure", "KS 3H", (2,), NO_WORD, ("interruption", "5.4.2")),
        ("power-failure", "KS 3H 2D", (3,), NO_WORD, ("interruption", "5.4.1")),
        ("round-before", "KS 9H 2D KC", (), NO_WORD, ("found-late", "5.11")),
    ],
)
def test_the_cards_and_the_house_s_word_decide_the_clause(
    subject: str, cards: str, numbers: tuple[int, ...], word: float, right: tuple[str, str]
) -> None:
    question = asked("insurance", "clause", subject, cards, *numbers, fraction=word)
    assert told(question) == right
    assert question.right.startswith(f"{right[1]}: ")


@pytest.mark.parametrize("book", ["commission", "easy-six", "knockout"])
def test_what_a_document_is_silent_on_has_no_clause(book: str) -> None:
    assert told(asked(book, "clause", "third-card-crossed", "KS 3H 2D 2C 5H")) == ("wrong-number", "5.1.2")
    assert told(asked(book, "clause", "card-of-another-set", "KS 3H", 2)) == ("foreign-card", "5.1.1")
    assert told(asked(book, "clause", "shoe-empty", "KS 3H", 2)) == ("cards-run-out", "5.1.3")
    silent = asked(book, "clause", "first-cards-crossed", "KS 3H", 2)
    assert told(silent) == ("uncovered", None)
    assert silent.right == "none: the document is silent"


def test_why_names_the_cards_that_lie_wrong() -> None:
    question = asked("insurance", "clause", "third-card-crossed", "KS 3H 2D 2C 5H", fraction=NO_WORD)
    assert question.why == "cards were dealt to the wrong side: 5♥ was due to Player"
    question = asked("insurance", "clause", "one-card-more", "KS 9H 2D KC", fraction=NO_WORD)
    assert question.why == "a card too many was drawn: A♠ was due to nobody"


def test_clauses_are_asked_only_where_there_is_a_choice_of_them() -> None:
    assert {name for name in NAMES if not clause_subjects(load(name))} == {"ez"}
