from __future__ import annotations

import pytest

from punto.books import NAMES, load
from punto.coup import deal
from punto.drill.round_questions import ask_calls, calls_subjects
from tests.drill.chosen import seeded


@pytest.mark.parametrize("name", NAMES)
def test_what_is_called_is_what_the_book_declares(name: str) -> None:
    book, chance = load(name), seeded(5)
    answers = set()
    for subject in calls_subjects(book):
        for _ in range(6):
            question = ask_calls(book, subject, chance)
            assert question.is_right(question.answer)
            answers.add(question.answer)
            if not question.player:
                call = book.betting.opens if subject == "bets-open" else book.betting.closes
                assert call.words is not None
                assert question.right == call.words.en
                assert question.clause == call.clause
                continue
            player, banker = question.player, question.banker
            cards = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
            declared = deal(book.play, [card for card in cards if card is not None]).declared(book)
            labels = {declaration.name: declaration.labels.en for declaration, _ in book.declarations}
            assert question.right == (labels[declared[0]] if declared else "nothing more")
    assert "nothing-more" in answers
    assert len(answers) >= 3


def test_a_book_that_closes_without_a_call_asks_for_none() -> None:
    assert not any(subject.startswith("bets-close") for subject in calls_subjects(load("ez")))
