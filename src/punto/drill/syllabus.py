"""Everything that is asked, by kind. A new kind of question is a module and a line of this list."""

from __future__ import annotations

from punto.drill.question import QuestionKind, Topic
from punto.drill.questions import boxes, calls, chips, draw, insurance, payment, winner
from punto.drill.questions.irregularity import clause, decider, options, remedy
from punto.rules.book import Book

KINDS: dict[str, QuestionKind] = {
    kind.name: kind
    for kind in (
        draw.KIND,
        winner.KIND,
        payment.KIND,
        boxes.KIND,
        chips.KIND,
        calls.KIND,
        insurance.KIND,
        clause.KIND,
        remedy.KIND,
        decider.KIND,
        options.KIND,
    )
}


def topics_of(book: Book, kinds: tuple[str, ...]) -> list[Topic]:
    """All topics that a book has of these kinds."""
    return [Topic(book.name, kind, subject) for kind in kinds for subject in KINDS[kind].subjects(book)]
