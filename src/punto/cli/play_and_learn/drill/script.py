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
from punto.drill.question import Question
from punto.drill.score import Score
from punto.drill.sitting import SKIP, AnswerTotals, MarkedAnswer, Sitting
from punto.money import format_amount


class Script:
    """Asks a program."""

    def ask(self, sitting: Sitting, question: Question, number: int, _: int) -> Sitting:
        """The sitting after this question; raises `Left` at the end of input."""
        _write(question_record(number, question))
        began = time.monotonic()
        while line := _next_line():
            given = "" if line.strip().lower() == SKIP else line.strip()
            try:
                sitting = sitting.marked(question, given, time.monotonic() - began)
            except UnreadableAnswer as problem:
                _write({"type": "again", "number": number, "problem": str(problem)})
                continue
            _write(mark_record(number, sitting.answers[-1]))
            return sitting
        raise Left

    def sum_up(self, sitting: Sitting, _: Score) -> None:
        """Write the summary."""
        _write(summary_record(sitting))


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


def mark_record(number: int, answer: MarkedAnswer) -> dict[str, object]:
    """An answer, marked and explained."""
    return {
        "type": "mark",
        "number": number,
        "given": answer.given,
        "right": answer.is_right,
        "answer": answer.question.answer,
        "why": answer.question.why,
        "clause": answer.question.clause,
        "seconds": round(answer.seconds, 3),
    }


def summary_record(sitting: Sitting) -> dict[str, object]:
    """The sitting as a whole."""
    return {
        "type": "summary",
        **_totals(sitting.totals),
        "kinds": {kind: _totals(totals) for kind, totals in sitting.totals_by_kind().items()},
        "missed": list(sitting.missed()),
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
