from __future__ import annotations

import pytest

from punto.books import NAMES, load
from punto.drill.questions.irregularity import (
    ask_decides,
    ask_options,
    ask_remedy,
    decides_subjects,
    options_subjects,
    remedy_subjects,
)
from tests.drill.chosen import asked, seeded, told


@pytest.mark.parametrize(
    ("book", "kind", "remedy", "clause", "rank"),
    [
        ("commission", "foreign-card", "void", "5.1.1", "pit-supervisor"),
        ("easy-six", "wrong-number", "void-unless-reconstructed", "5.1.2", "pit-supervisor"),
        ("ez", "cards-run-out", "void", None, "pit-supervisor"),
        ("ez", "other", "ruling", None, "shift-manager"),
        ("insurance", "drawn-together", "order-cards", "5.10", "pit-supervisor"),
        ("insurance", "wrong-side", "reconstruct", "5.8", "pit-supervisor"),
        ("insurance", "insurance-neglected", "return-bets", "5.13", "pit-manager"),
        ("insurance", "other", "ruling", "5.18", "shift-manager"),
        ("knockout", "cards-run-out", "void", "5.1.3", "pit-supervisor"),
    ],
)
def test_what_is_done_and_who_decides(
    book: str, kind: str, remedy: str, clause: str | None, rank: str
) -> None:
    for seed in range(3):
        assert told(ask_remedy(load(book), kind, seeded(seed))) == (remedy, clause)
        assert told(ask_decides(load(book), kind, seeded(seed))) == (rank, clause)


def test_what_follows_from_the_report_alone_is_nobodys_decision() -> None:
    book = load("insurance")
    left_out = set(remedy_subjects(book)) - set(decides_subjects(book))
    assert left_out == {"face-up", "found-late", "interruption"}


@pytest.mark.parametrize("book", NAMES)
def test_the_right_remedy_is_among_several(book: str) -> None:
    compiled = load(book)
    for subject in remedy_subjects(compiled):
        question = ask_remedy(compiled, subject, seeded(1))
        choices = getattr(question.form, "words", ())
        assert question.answer in choices
        assert len(choices) == len(set(choices)) >= 4
        assert question.is_right(str(choices.index(question.answer) + 1))


@pytest.mark.parametrize(
    ("kind", "cards", "number", "right"),
    [
        # Once Player's second card lies open, Player Pair has won or lost: an outcome is established.
        ("interruption", "KS KH", 2, "void"),
        ("interruption", "KS KH 5D", 3, "completed"),
        ("excess-or-exposed", "KS KH", 2, "yes"),
        ("excess-or-exposed", "KS KH 5D", 3, "no"),
        ("wrong-side", "KS", 1, "yes"),
        ("wrong-side", "KS KH 5D 2C", 4, "no"),
        ("wrong-number", "KS KH 5D 2C", 4, "yes"),
        ("drawn-together", "KS KH 5D 2C", 3, "yes"),
    ],
)
def test_what_the_players_may_choose(kind: str, cards: str, number: int, right: str) -> None:
    assert asked("insurance", "options", kind, cards, number).answer == right


def test_a_face_up_card_gives_a_choice_while_nothing_is_decided() -> None:
    book, seen = load("insurance"), set()
    for seed in range(40):
        question = ask_options(book, "face-up", seeded(seed))
        exposed = (question.player[:2], question.banker[:2])
        # Both first cards of a hand decide its pair.
        decided = any(len(hand) == 2 and None not in hand for hand in exposed)
        assert question.answer == ("no" if decided else "yes")
        seen.add(question.answer)
    assert seen == {"yes", "no"}


def test_options_are_asked_only_where_a_book_gives_them() -> None:
    assert {name for name in NAMES if options_subjects(load(name))} == {"insurance"}
    assert set(options_subjects(load("insurance"))) == {
        "wrong-number",
        "excess-or-exposed",
        "wrong-side",
        "face-up",
        "drawn-together",
        "interruption",
    }
