"""Who decides: what the documents say, and what is the house's own."""

from __future__ import annotations

import pytest

from punto.books import NAMES, load
from punto.drill.incidents import scenes_of
from punto.drill.irregularity_questions import ask_decides, decides_subjects
from punto.rules.wording import HOUSE_TERM
from tests.drill.chosen import seeded, told


@pytest.mark.parametrize(
    ("subject", "rank", "clause"),
    [
        ("two-at-once", "pit-supervisor", "5.10"),
        ("no-offer-made", "pit-manager", "5.13"),
        ("something-else", "shift-manager", "5.18"),
    ],
)
def test_whom_the_document_names(subject: str, rank: str, clause: str) -> None:
    for seed in range(3):
        question = ask_decides(load("insurance"), subject, seeded(seed))
        assert told(question) == (rank, clause)
        assert HOUSE_TERM not in question.why
        assert "terms of this house" not in question.text


@pytest.mark.parametrize("book", NAMES)
def test_whom_the_document_does_not_name_is_a_house_term(book: str) -> None:
    compiled = load(book)
    named = {"two-at-once", "no-offer-made", "something-else"} if book == "insurance" else set()
    for subject in sorted(set(decides_subjects(compiled)) - named):
        question = ask_decides(compiled, subject, seeded(1))
        assert question.clause is None
        assert question.why.endswith(f"({HOUSE_TERM})")
        assert " Under the terms of this house, what is the lowest rank that may " in question.text


@pytest.mark.parametrize(
    ("book", "subject", "rank"),
    [
        ("commission", "card-of-another-set", "pit-supervisor"),
        ("commission", "third-card-crossed", "pit-supervisor"),
        ("commission", "power-failure", "shift-manager"),
        ("easy-six", "shoe-empty", "pit-supervisor"),
        ("ez", "shoe-empty", "pit-supervisor"),
        ("ez", "on-the-floor", "shift-manager"),
        ("insurance", "third-card-crossed", "pit-supervisor"),
        ("insurance", "cards-unshuffled", "pit-supervisor"),
    ],
)
def test_the_house_s_own_ranks(book: str, subject: str, rank: str) -> None:
    assert told(ask_decides(load(book), subject, seeded(4))) == (rank, None)


def test_what_follows_from_the_cards_alone_is_nobody_s_decision() -> None:
    book = load("insurance")
    left_out = {scene.name for scene in scenes_of(book)} - set(decides_subjects(book))
    assert left_out == {
        "two-at-once-in-sight",
        "shown-in-its-place",
        "before-the-call",
        "power-failure",
        "round-before",
    }
