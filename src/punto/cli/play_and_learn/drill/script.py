"""A sitting with a script: questions, marks and the summary as lines of JSON, answers as lines of text.

docs/guides/drill.md describes the fields.
"""

from __future__ import annotations

import sys
import time

import msgspec

from punto.cards.card import Card
from punto.cli.files.reader import CannotRead, read_line
from punto.cli.terminal.dialogue import LONGEST_PIPED, Left
from punto.cli.terminal.say import refuse
from punto.drill.answer import UnreadableAnswer, WordAnswer
from punto.drill.question import Question, sense_of
from punto.drill.score import Score
from punto.drill.sitting import SKIP, AnswerTotals, MarkedAnswer, Sitting
from punto.drill.syllabus import KINDS
from punto.money import format_amount
from punto.rules.book import Book


class Script:
    """Asks a program."""

    def __init__(self, seed: int, target: float | None = None) -> None:
        self.seed, self.target = seed, target

    def ask(self, sitting: Sitting, question: Question, number: int, questions: int) -> Sitting:
        """The sitting after this question; raises `Left` at the end of input."""
        extra = {"seed": self.seed, "questions": questions, "what": KINDS[question.topic.kind].what}
        _write(question_record(number, question) | extra)
        began = time.monotonic()
        while line := _next_line():
            given = "" if line.strip().lower() == SKIP else line.strip()
            try:
                sitting = sitting.marked(question, given, time.monotonic() - began)
            except UnreadableAnswer as problem:
                _write({"type": "again", "number": number, "problem": str(problem)})
                continue
            book = sitting.books[question.topic.book]
            _write(mark_record(number, sitting.answers[-1], book, self.target))
            return sitting
        raise Left

    def sum_up(self, sitting: Sitting, final: Score) -> None:
        """Write the summary."""
        _write(summary_record(sitting, final, self.target) | {"seed": self.seed})


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
    if isinstance(form, WordAnswer):
        record["choices"] = list(form.words)
        if form.phrases:
            record["phrases"] = list(form.phrases)
    return record


def mark_record(
    number: int, answer: MarkedAnswer, book: Book, target: float | None = None
) -> dict[str, object]:
    """An answer, marked and explained."""
    question = answer.question
    within = {} if target is None else {"within_target": answer.seconds <= target}
    return {
        "type": "mark",
        "number": number,
        "given": answer.given,
        "right": answer.is_right,
        "answer": answer.question.answer,
        "why": answer.question.why,
        "clause": answer.question.clause,
        "seconds": round(answer.seconds, 3),
        "shown": question.right,
        "sense": sense_of(book, question.clause),
        "house_term": question.clause is None,
        **within,
    }


def summary_record(sitting: Sitting, final: Score, target: float | None = None) -> dict[str, object]:
    """The sitting as a whole, and all sittings together."""
    past = final.sittings
    within = {} if target is None else {"target": target, "within_target": sitting.within(target)}
    return {
        "type": "summary",
        **_totals(sitting.totals),
        "kinds": {kind: _totals(totals) for kind, totals in sitting.totals_by_kind().items()},
        "missed": list(sitting.missed()),
        "to_come": [name for name in sitting.score.missed() if name in sitting.topics()],
        "sittings": {
            "number": len(past),
            "asked": sum(one.asked for one in past),
            "right": sum(one.right for one in past),
        },
        **within,
    }


def _totals(totals: AnswerTotals) -> dict[str, object]:
    return {"asked": totals.asked, "right": totals.right, "seconds": totals.seconds}


def _cards(cards: tuple[Card | None, ...]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]


def _next_line() -> str:
    try:
        return read_line(LONGEST_PIPED)
    except CannotRead as error:
        refuse(str(error))


def _write(record: dict[str, object]) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(msgspec.json.encode(record) + b"\n")
    sys.stdout.buffer.flush()
