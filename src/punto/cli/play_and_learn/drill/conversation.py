"""A sitting with a person: the question with its cards, the answer, its mark and clause, the summary."""

from __future__ import annotations

import time
from collections.abc import Iterator
from textwrap import wrap

from rich.text import Text

from punto.cli.terminal.console import open_console
from punto.cli.terminal.dialogue import Dialogue, Left
from punto.cli.terminal.hands import Names, draw_hands
from punto.cli.terminal.ink import columns, lines_of
from punto.documents.page import Grid
from punto.drill.answer import UnreadableAnswer, WordAnswer
from punto.drill.question import Question, sense_of
from punto.drill.score import Score
from punto.drill.sitting import SKIP, AnswerTotals, MarkedAnswer, Sitting
from punto.drill.syllabus import KINDS
from punto.rules.book import Book

PROMPT = "answer> "
HOUSE_TERM = "a term of the house, not of the document"
HELP = "skip passes a question, which counts as wrong; quit ends the sitting."


class Conversation:
    """Asks a person."""

    def __init__(self, dialogue: Dialogue, target: float | None = None) -> None:
        self.dialogue, self.console, self.target = dialogue, open_console(), target

    def ask(self, sitting: Sitting, question: Question, number: int, questions: int) -> Sitting:
        """The sitting after this question; raises `Left` when the person leaves."""
        book = sitting.books[question.topic.book]
        self._show(f"Question {number} of {questions}", question, book)
        sitting = self._marked(sitting, question)
        self._explain(sitting.answers[-1], book)
        return sitting

    def sum_up(self, sitting: Sitting, final: Score) -> None:
        """Print the summary."""
        for line in summary_lines(sitting, final, self.target):
            print(line)

    def _say(self, text: str | Text, style: str = "") -> None:
        if isinstance(text, Text):
            self.console.print(text, highlight=False)
            return
        margin = text[: len(text) - len(text.lstrip())]
        for line in wrap(text, self.console.width, subsequent_indent=margin, break_on_hyphens=False) or [""]:
            self.console.print(line, style=style, highlight=False, markup=False)

    def _show(self, title: str, question: Question, book: Book) -> None:
        if title.startswith("Question 1 of"):
            self._say(f"{HELP[:1].upper()}{HELP[1:]} ? shows how to answer.", "dim")
        self._say("")
        self._say(f"{title} · {KINDS[question.topic.kind].what} · {book.name}", "bold")
        if question.player or question.banker:
            encoding = self.console.encoding
            names = Names.of(book, encoding)
            hands = draw_hands(
                names, question.player, question.banker, self.console.width, encoding, has_points=False
            )
            for line in hands:
                self._say(line)
        self._say(f"  {question.text}")
        if isinstance(question.form, WordAnswer) and question.form.phrases:
            for place, phrase in enumerate(question.form.phrases, start=1):
                self._say(f"    {place}  {phrase}")
        else:
            self._say(f"  ({question.form.hint})", "dim")

    def _marked(self, sitting: Sitting, question: Question) -> Sitting:
        began = time.monotonic()
        while True:
            line = self.dialogue.ask(PROMPT)
            if line.lower() in ("quit", "q", "exit"):
                raise Left
            if line.lower() in ("?", "help"):
                self._say(f"  Answer with {question.form.hint}. {HELP}")
                continue
            if not line:
                continue
            given = "" if line.lower() == SKIP else line
            try:
                return sitting.marked(question, given, time.monotonic() - began)
            except UnreadableAnswer as problem:
                self._say(f"  That is not an answer here: {problem}; ? for help.")

    def _explain(self, answer: MarkedAnswer, book: Book) -> None:
        question = answer.question
        # An answer about who decides names the house term itself, with the reason for it.
        ours = "" if "house term" in question.why else f" ({HOUSE_TERM})"
        clause = f" (clause {question.clause})" if question.clause else ours
        if answer.is_right:
            late = self.target is not None and answer.seconds > self.target
            slow = f", over the target of {self.target:g} s" if late else ""
            self._say(f"  Right, in {answer.seconds:.1f} s{slow}: {question.why}{clause}.", "win")
            return
        it_is = "Wrong." if question.why.startswith(question.right) else f"Wrong, it is {question.right}."
        self._say(f"  {it_is} {question.why[:1].upper()}{question.why[1:]}{clause}.", "lose")
        sense = sense_of(book, question.clause)
        if sense:
            self._say(f"  {question.clause}: {sense}", "dim")


def summary_lines(sitting: Sitting, final: Score, target: float | None = None) -> Iterator[str]:
    """How the sitting went, what is to come again, and all sittings together."""
    if not sitting.answers:
        return
    rows = [_row(KINDS[kind].what, totals) for kind, totals in sitting.totals_by_kind().items()]
    rows.append(_row("in all", sitting.totals))
    yield ""
    yield from lines_of(Grid(("", "asked", "right", "time each"), tuple(rows), right=(1, 2, 3)))
    if target is not None:
        yield f"Right within {target:g} s: {sitting.within(target)} of {sitting.totals.asked}."
    to_come = sitting.to_come()
    if to_come:
        yield from wrap(f"To come again: {'; '.join(to_come)}.", columns(), break_on_hyphens=False)
    if len(final.sittings) > 1:
        asked, right = (sum(getattr(past, name) for past in final.sittings) for name in ("asked", "right"))
        yield f"Over {len(final.sittings)} sittings {right} of {asked} were right."


def _row(what: str, totals: AnswerTotals) -> tuple[str, ...]:
    return what, str(totals.asked), str(totals.right), f"{totals.seconds / totals.asked:.1f} s"
