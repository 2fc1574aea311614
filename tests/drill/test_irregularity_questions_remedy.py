"""What is done, as the documents say it."""

from __future__ import annotations

import pytest

from punto.books import NAMES, load
from punto.drill.irregularity_questions import DEED_WORDS, Deed, ask_remedy
from punto.drill.quiz import WordAnswer
from punto.drill.training import KINDS
from punto.rules.wording import HOUSE_TERM, SILENT
from tests.drill.chosen import asked, seeded, told

SETTLED, UNSETTLED = 0.0, 0.9


def both_ways(book: str, subject: str, cards: str, *numbers: int) -> set[tuple[str, str]]:
    """What is done when the House says that the cards can be reconstructed, and when it says they cannot."""
    compiled, found = load(book), set()
    for seed in range(30):
        question = ask_remedy(compiled, subject, seeded(seed))
        word = "can" if "can be reconstructed" in question.text else "cannot"
        found.add((word, question.answer))
    first = asked(book, "remedy", subject, cards, *numbers, fraction=UNSETTLED)
    assert ("can", first.answer) in found
    return found


@pytest.mark.parametrize(
    ("book", "subject", "cards", "numbers", "right"),
    [
        ("insurance", "third-card-crossed", "KS 3H 2D 2C 5H", (), ("reconstruct", "5.8")),
        ("insurance", "first-cards-crossed", "KS 3H", (2,), ("reconstruct", "5.8")),
        ("insurance", "two-at-once", "KS 3H 2D 2C 5H 6D", (4,), ("order-cards", "5.10")),
        ("insurance", "two-at-once-in-sight", "KS 3H 2D 2C 5H 6D", (4,), ("reconstruct", "5.10")),
        ("insurance", "shown-in-its-place", "KS 3H 2D 2C", (2,), ("play-on", "5.9")),
        ("insurance", "one-card-more", "KS 9H 2D KC", (), ("reconstruct", "5.7")),
        ("insurance", "one-card-less", "9S KH KD 2C", (1,), ("reconstruct", "5.12")),
        ("insurance", "before-the-call", "KS", (), ("play-on", "5.12")),
        ("insurance", "card-of-another-set", "KS 3H", (2,), ("void", "5.5.1")),
        ("insurance", "cards-missing", "KS 3H", (2,), ("void", "5.5.2")),
        ("insurance", "cards-unshuffled", "KS 3H", (2,), ("void", "5.5.5")),
        ("insurance", "shoe-empty", "KS 3H", (2,), ("void", "5.5.4")),
        # Once Player's second card lies open, Player Pair has won or lost: an outcome is established.
        ("insurance", "power-failure", "KS 3H", (2,), ("void", "5.4.2")),
        ("insurance", "power-failure", "KS 3H 2D", (3,), ("complete", "5.4.1")),
        ("insurance", "round-before", "KS 9H 2D KC", (), ("no-effect", "5.11")),
        ("insurance", "something-else", "KS 3H", (2,), ("ruling", "5.18")),
        ("commission", "third-card-crossed", "KS 3H 2D 2C 5H", (), ("reconstruct", "5.1.2")),
        ("easy-six", "card-of-another-set", "KS 3H", (2,), ("void", "5.1.1")),
        ("knockout", "shoe-empty", "KS 3H", (2,), ("void", "5.1.3")),
        ("ez", "shoe-empty", "KS 3H", (2,), ("void", None)),
        ("ez", "on-the-floor", "KS 3H", (1,), ("ruling", None)),
    ],
)
def test_what_is_done(
    book: str, subject: str, cards: str, numbers: tuple[int, ...], right: tuple[str, str | None]
) -> None:
    assert told(asked(book, "remedy", subject, cards, *numbers, fraction=UNSETTLED)) == right


def test_an_offer_that_was_not_made_returns_bets() -> None:
    for seed in range(3):
        assert told(ask_remedy(load("insurance"), "no-offer-made", seeded(seed))) == ("return-bets", "5.13")


def test_the_house_s_word_decides_what_is_done() -> None:
    # Banker has three cards, or Player does, where the table of play gives them none: 5.5.3.
    crossed = both_ways("insurance", "third-card-crossed", "KS 3H 2D 2C 5H")
    assert crossed == {("can", "reconstruct"), ("cannot", "void")}
    assert both_ways("commission", "one-card-more", "KS 9H 2D KC") == {("can", "reconstruct"), ("cannot", "void")}
    # A card on the floor lies with no hand: the others are played, and it is out of play.
    floor = both_ways("insurance", "on-the-floor", "KS 3H 2D 2C 5H", 1)
    assert floor == {("can", "reconstruct"), ("cannot", "as-they-lie")}


def test_a_settled_round_is_reopened() -> None:
    question = asked("insurance", "remedy", "one-card-more", "KS 9H 2D KC", fraction=SETTLED)
    assert "The round has been settled" in question.text
    assert told(question) == ("reconstruct", "5.7")


@pytest.mark.parametrize("book", NAMES)
def test_what_is_ours_is_not_taught_as_the_document_s_word(book: str) -> None:
    compiled = load(book)
    for subject in KINDS["remedy"].subjects(compiled):
        question = ask_remedy(compiled, subject, seeded(2))
        is_marked = question.why.endswith((f"({HOUSE_TERM})", f"({SILENT})"))
        assert is_marked == (question.clause is None)


def test_every_deed_has_words() -> None:
    assert set(DEED_WORDS) == set(Deed)


@pytest.mark.parametrize("book", NAMES)
def test_no_choice_speaks_of_insurance_where_there_is_none(book: str) -> None:
    compiled = load(book)
    choices = set[str]()
    for subject in KINDS["remedy"].subjects(compiled):
        for seed in range(10):
            form = ask_remedy(compiled, subject, seeded(seed)).form
            assert isinstance(form, WordAnswer)
            choices |= {*form.words}
    assert (Deed.RETURN_BETS.value in choices) is (compiled.insurance is not None)
