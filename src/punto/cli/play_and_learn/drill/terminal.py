"""A sitting with a person: the question over its cards, the answer, the mark with its clause, the summary."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from textwrap import wrap

from rich.text import Text

from punto.cli.play_and_learn.drill.answer import Choice, Unreadable
from punto.cli.play_and_learn.drill.kinds import KINDS
from punto.cli.play_and_learn.drill.question import Question, sense_of
from punto.cli.play_and_learn.drill.score import Score
from punto.cli.play_and_learn.drill.sitting import SKIP, Mark, Sitting
from punto.cli.terminal.console import felt
from punto.cli.terminal.dialogue import Dialogue, Left
from punto.cli.terminal.hands import Names, draw_hands
from punto.cli.terminal.page import Table
from punto.cli.terminal.page_text import table_lines

PROMPT = "answer> "
HELP = "skip passes a question, which counts as wrong; quit ends the sitting."


class Terminal:
    """Asks a person."""

    def __init__(self, sitting: Sitting, dialogue: Dialogue) -> None:
        self.sitting, self.dialogue, self.console = sitting, dialogue, felt()

    def hold(self, number: int, kept: Callable[[Score], None]) -> None:
        """So many questions, or until the person leaves."""
        for n in range(1, number + 1):
            question = self.sitting.next_question()
            self._show(n, number, question)
            self._tell(self._ask(question))
            kept(self.sitting.score)

    def _say(self, text: str | Text, style: str = "") -> None:
        if isinstance(text, Text):
            self.console.print(text, highlight=False)
            return
        margin = text[: len(text) - len(text.lstrip())]
        for line in wrap(text, self.console.width, subsequent_indent=margin, break_on_hyphens=False) or [""]:
            self.console.print(line, style=style, highlight=False, markup=False)

    def _show(self, n: int, number: int, question: Question) -> None:
        book = self.sitting.books[question.topic.book]
        self._say("")
        self._say(f"Question {n} of {number} · {KINDS[question.topic.kind].what} · {book.name}", "bold")
        if question.player or question.banker:
            encoding = self.console.encoding
            names = Names.of(book, encoding)
            hands = draw_hands(
                names, question.player, question.banker, self.console.width, encoding, has_points=False
            )
            for line in hands:
                self._say(line)
        self._say(f"  {question.text}")
        if isinstance(question.form, Choice) and question.form.phrases:
            for place, phrase in enumerate(question.form.phrases, start=1):
                self._say(f"    {place}  {phrase}")
        else:
            self._say(f"  ({question.form.hint})", "dim")

    def _ask(self, question: Question) -> Mark:
        began = time.monotonic()
        while True:
            line = self.dialogue.ask(PROMPT)
            if line.lower() in ("quit", "q", "exit"):
                raise Left
            if line.lower() in ("?", "help"):
                self._say(f"  Answer with {question.form.hint}. {HELP}")
                continue
            given = "" if line.lower() == SKIP else line
            if not line:
                continue
            try:
                return self.sitting.mark(question, given, time.monotonic() - began)
            except Unreadable as problem:
                self._say(f"  That is no answer here: {problem}; ? for help.")

    def _tell(self, mark: Mark) -> None:
        question = mark.question
        clause = f" (clause {question.clause})" if question.clause else ""
        if mark.is_right:
            self._say(f"  Right, in {mark.seconds:.1f} s: {question.why}{clause}.", "win")
            return
        it_is = "Wrong." if question.why.startswith(question.right) else f"Wrong, it is {question.right}."
        self._say(f"  {it_is} {_capital(question.why)}{clause}.", "lose")
        sense = sense_of(self.sitting.books[question.topic.book], question.clause)
        if sense:
            self._say(f"  {question.clause}: {sense}", "dim")


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def summary_lines(sitting: Sitting, score: Score) -> Iterator[str]:
    """How the sitting went, what is to come again, and all sittings together."""
    if not sitting.marks:
        return
    rows = []
    for kind, marks in sitting.by_kind().items():
        right = sum(mark.is_right for mark in marks)
        each = sum(mark.seconds for mark in marks) / len(marks)
        rows.append((KINDS[kind].what, str(len(marks)), str(right), f"{each:.1f} s"))
    right = sum(mark.is_right for mark in sitting.marks)
    each = sum(mark.seconds for mark in sitting.marks) / len(sitting.marks)
    rows.append(("in all", str(len(sitting.marks)), str(right), f"{each:.1f} s"))
    yield ""
    yield from table_lines(Table(("", "asked", "right", "time each"), tuple(rows), right=(1, 2, 3)))
    to_come = sitting.to_come()
    if to_come:
        yield from wrap(f"To come again: {', '.join(to_come)}.", 80, break_on_hyphens=False)
    if len(score.sittings) > 1:
        asked, won = (sum(getattr(sat, name) for sat in score.sittings) for name in ("asked", "right"))
        yield f"Over {len(score.sittings)} sittings {won} of {asked} were right."
