from __future__ import annotations

from pathlib import Path

import pytest

from punto.books import NAMES, load
from punto.drill.incidents import SCENES, play_scene, scenes_of
from punto.drill.training import KINDS
from punto.rules import read_book
from punto.rules.book import Book
from punto.rules.book_text import Finding
from tests.drill.chosen import seeded

SIDE_BETS = Path(__file__).parents[2] / "docs/examples/side-bets.toml"
BOOKS = (*map(load, NAMES), read_book(SIDE_BETS.read_text(encoding="utf-8"), str(SIDE_BETS)))


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_every_scene_of_a_book_comes_to_what_the_book_speaks_of(book: Book) -> None:
    for scene in scenes_of(book):
        entry = scene.entry(book)
        for seed in range(8):
            found = play_scene(book, scene, seeded(seed)).finding
            assert found is entry.kind if entry else found in scene.about


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_whatever_a_book_speaks_of_is_asked(book: Book) -> None:
    asked = {entry.kind for scene in scenes_of(book) if (entry := scene.entry(book)) is not None}
    assert asked == {entry.kind for entry in book.irregularities} - _only_by_the_house_s_word(book)


def _only_by_the_house_s_word(book: Book) -> set[Finding]:
    """Where other clauses come first, a wrong number is found only once the House has spoken."""
    return {Finding.WRONG_NUMBER} if book.name == "insurance" else set()


@pytest.mark.parametrize("kind", ["clause", "remedy", "decides", "options"])
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_the_right_answer_is_among_the_choices(book: Book, kind: str) -> None:
    for subject in KINDS[kind].subjects(book):
        for seed in range(4):
            question = KINDS[kind].ask(book, subject, seeded(seed))
            choices = getattr(question.form, "words", ())
            assert question.answer in choices
            assert len(choices) == len(set(choices)) >= 3
            assert question.is_right(str(choices.index(question.answer) + 1))
            assert question.clause is None or book.clause(question.clause) is not None


def test_a_name_says_what_was_seen_and_not_what_it_comes_to() -> None:
    assert not set(SCENES) & {finding.value for finding in Finding}
