from __future__ import annotations

import re

import pytest

from punto.books import NAMES, load
from punto.drill.training import KINDS
from punto.rules.book_text import Finding
from tests.drill.chosen import asked, seeded

LATER = 0.9
"""Too great for anything that happens only sometimes."""


@pytest.mark.parametrize(
    ("subject", "cards", "numbers", "story"),
    [
        (
            "third-card-crossed",
            "KS 3H 2D 2C 5H",
            (),
            "Cards left the shoe in this order: K♠ with Player; 3♥ with Banker; 2♦ with Player; 2♣ with Banker; "
            "5♥ with Banker.",
        ),
        (
            "unseen-card-crossed",
            "",
            (1,),
            "Cards are dealt face down at this table. Cards left the shoe in this order: a card face down with "
            "Player; a card face down with Player.",
        ),
        (
            "two-at-once",
            "KS 3H 2D 2C 5H 6D",
            (4,),
            "Cards left the shoe in this order: K♠ with Player; 3♥ with Banker; 2♦ with Player; 2♣ with Banker; "
            "5♥ with Player; 6♦ with Banker. 5♥ and 6♦ came at once, and nobody knows the order.",
        ),
        (
            "one-card-less",
            "9S KH KD 2C",
            (1,),
            "The round has been settled, and the next has not begun. Cards left the shoe in this order: A♠ "
            "(taken for 9♠) with Player; K♥ with Banker; K♦ with Player; 2♣ with Banker.",
        ),
        (
            "on-the-floor",
            "KS 3H 2D 2C 5H",
            (1,),
            "Cards left the shoe in this order: K♠ with Player; 5♥ on the floor, and recovered.",
        ),
        ("before-the-call", "KS", (), "Bets have not been closed. Cards left the shoe in this order: K♠ with Player."),
        (
            "card-of-another-set",
            "KS 3H 2D 2C 5H",
            (2,),
            "Cards left the shoe in this order: K♠ with Player; 3♥ with Banker. 5♥ of another set lies on the "
            "table, with no hand.",
        ),
        (
            "round-before",
            "KS 9H 2D KC",
            (),
            "Bets are open. Somebody notices that the last round had one card too many: A♠ with Player.",
        ),
    ],
)
def test_a_question_tells_what_a_report_would(subject: str, cards: str, numbers: tuple[int, ...], story: str) -> None:
    question = asked("insurance", "clause", subject, cards, *numbers, fraction=LATER)
    assert question.text == f"{story} Which clause applies?"


def test_the_hands_are_shown_as_they_lie() -> None:
    question = asked("insurance", "clause", "third-card-crossed", "KS 3H 2D 2C 5H", fraction=LATER)
    assert list(map(str, question.player)) == ["KS", "2D"]
    assert list(map(str, question.banker)) == ["3H", "2C", "5H"]
    unseen = asked("insurance", "clause", "unseen-card-crossed", "", 1, fraction=LATER)
    assert (unseen.player, unseen.banker) == ((None, None), ())


@pytest.mark.parametrize("book", NAMES)
def test_no_question_names_a_clause_or_a_finding(book: str) -> None:
    compiled = load(book)
    for kind in ("clause", "remedy", "decides", "options"):
        for subject in KINDS[kind].subjects(compiled):
            question = KINDS[kind].ask(compiled, subject, seeded(3))
            assert not re.search(r"\d\.\d", question.text)
            assert not [finding for finding in Finding if finding.value in question.text]
