"""The kinds of questions, each with its subjects in a book and the way to ask about one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from punto.cli.play_and_learn.drill import draws, insurances, irregularities, payments
from punto.cli.play_and_learn.drill.question import Question, Topic
from punto.rules.book import Book


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of question."""

    name: str
    what: str
    subjects: Callable[[Book], tuple[str, ...]]
    ask: Callable[[Book, str, Random], Question]


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(draws.DRAW, "who draws", draws.draw_subjects, draws.ask_draw),
        Kind(draws.WINNER, "who won", draws.winner_subjects, draws.ask_winner),
        Kind(payments.PAYS, "what a bet is paid", payments.pays_subjects, payments.ask_pays),
        Kind(
            insurances.INSURANCE,
            "which insurance is offered",
            insurances.insurance_subjects,
            insurances.ask_insurance,
        ),
        Kind(
            irregularities.REMEDY,
            "what is done when something goes wrong",
            irregularities.remedy_subjects,
            irregularities.ask_remedy,
        ),
        Kind(
            irregularities.DECIDES,
            "who decides then",
            irregularities.decides_subjects,
            irregularities.ask_decides,
        ),
        Kind(
            irregularities.OPTION,
            "what the players may choose then",
            irregularities.options_subjects,
            irregularities.ask_options,
        ),
    )
}


def topics_of(book: Book, kinds: tuple[str, ...]) -> dict[str, list[Topic]]:
    """All topics of a book, by kind; a kind that the book has nothing for is left out."""
    found = {}
    for name in kinds:
        topics = [Topic(book.name, name, subject) for subject in KINDS[name].subjects(book)]
        if topics:
            found[name] = topics
    return found
