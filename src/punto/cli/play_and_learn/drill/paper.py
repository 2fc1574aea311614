"""A sitting for programs: questions, marks and the summary as JSON objects.

docs/guides/drill.md describes their fields.
"""

from __future__ import annotations

from punto.cards.card import Card
from punto.cli.play_and_learn.drill.answer import Choice
from punto.cli.play_and_learn.drill.question import Question
from punto.cli.play_and_learn.drill.sitting import Mark, Sitting
from punto.money import format_amount


def question_record(number: int, question: Question) -> dict[str, object]:
    """A question, without what would give its answer away."""
    topic, form = question.topic, question.form
    record: dict[str, object] = {
        "type": "question",
        "number": number,
        "book": topic.book,
        "kind": topic.kind,
        "subject": topic.subject,
        "text": question.text,
        "player": _cards(question.player),
        "banker": _cards(question.banker),
        "bets": {area: format_amount(stake) for area, stake in question.stakes},
        "answer_with": form.hint,
    }
    if isinstance(form, Choice):
        record["choices"] = list(form.words)
        if form.phrases:
            record["phrases"] = list(form.phrases)
    return record


def mark_record(number: int, mark: Mark) -> dict[str, object]:
    """An answer, marked and explained."""
    return {
        "type": "mark",
        "number": number,
        "given": mark.given,
        "right": mark.is_right,
        "answer": mark.question.answer,
        "why": mark.question.why,
        "clause": mark.question.clause,
        "seconds": round(mark.seconds, 3),
    }


def summary_record(sitting: Sitting) -> dict[str, object]:
    """The sitting as a whole."""
    return {
        "type": "summary",
        "asked": len(sitting.marks),
        "right": sum(mark.is_right for mark in sitting.marks),
        "seconds": round(sum(mark.seconds for mark in sitting.marks), 3),
        "kinds": {
            kind: {
                "asked": len(marks),
                "right": sum(mark.is_right for mark in marks),
                "seconds": round(sum(mark.seconds for mark in marks), 3),
            }
            for kind, marks in sitting.by_kind().items()
        },
        "missed": list(sitting.missed()),
    }


def _cards(cards: tuple[Card | None, ...]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]
