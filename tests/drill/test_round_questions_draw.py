from __future__ import annotations

import pytest

from punto.books import NAMES, load
from punto.cards import Card
from punto.drill.round_questions import ask_draw, draw_subjects
from tests.agreement.oracle_deal import CHART, Deal, total, worth
from tests.drill.chosen import asked, seeded, told


def text(cards: tuple[Card | None, ...]) -> list[str]:
    return [str(card) for card in cards]


@pytest.mark.parametrize(
    ("book", "subject", "cards", "right", "clause"),
    [
        # Player 5 draws; Player 6 stands and Banker 5 draws, 6 stands; an eight ends it.
        ("commission", "four-cards", "KS KH 5D 7C", "player", "3.6"),
        ("commission", "four-cards", "KS KH 6D 5C", "banker", "3.5"),
        ("commission", "four-cards", "KS KH 6D 6C", "nobody", "3.5"),
        ("commission", "four-cards", "KS KH 5D 8C", "nobody", "3.6"),
        ("insurance", "four-cards", "KS KH 6D 5C", "banker", "3.13"),
        # Banker 3 stands beside an eight alone, 6 draws beside six and seven alone.
        ("ez", "banker-3", "2S KH 3D 3C 8D", "nobody", "3"),
        ("ez", "banker-3", "2S KH 3D 3C 9D", "banker", "3"),
        ("knockout", "banker-6", "2S KH 3D 6C 7D", "banker", "3.7"),
        ("knockout", "banker-6", "2S KH 3D 6C 5D", "nobody", "3.7"),
        ("easy-six", "banker-7", "2S KH 3D 7C 6D", "nobody", "3.6"),
        ("easy-six", "banker-0", "2S KH 3D KC 8D", "banker", "3.6"),
    ],
)
def test_who_draws(book: str, subject: str, cards: str, right: str, clause: str) -> None:
    assert told(asked(book, "draw", subject, cards)) == (right, clause)


@pytest.mark.parametrize("book", NAMES)
def test_every_subject_is_asked_and_right_by_a_second_reading(book: str) -> None:
    compiled = load(book)
    assert draw_subjects(compiled) == ("four-cards", *(f"banker-{points}" for points in range(8)))
    answers = set()
    for subject in draw_subjects(compiled):
        for seed in range(12):
            question = ask_draw(compiled, subject, seeded(seed))
            hands = Deal(text(question.player), text(question.banker))
            answers.add(question.answer)
            assert question.answer == next_by_hand(hands)
            if subject != "four-cards":
                assert (len(hands.player), f"banker-{hands.b}") == (3, subject)
    assert answers == {"player", "banker", "nobody"}


def next_by_hand(hands: Deal) -> str:
    if hands.natural:
        return "nobody"
    if len(hands.player) == 3:
        return "banker" if CHART[hands.b, worth(hands.player[2])] else "nobody"
    if total(hands.player) <= 5:
        return "player"
    return "banker" if hands.b <= 5 else "nobody"
