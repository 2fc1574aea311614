"""A sitting carried out: at a terminal with a person, or by lines with a script, and the score kept."""

from __future__ import annotations

import secrets
import sys
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random

import msgspec

from punto.cli.files.kept_file import CannotKeep, data_file, named_file
from punto.cli.play_and_learn.drill.answer import Unreadable
from punto.cli.play_and_learn.drill.kinds import topics_of
from punto.cli.play_and_learn.drill.paper import mark_record, question_record, summary_record
from punto.cli.play_and_learn.drill.score import Score, WrongScore, keep_score, read_score
from punto.cli.play_and_learn.drill.sitting import SKIP, Sitting
from punto.cli.terminal.dialogue import Dialogue, Left
from punto.cli.terminal.say import complain, refuse
from punto.rules.book import Book

FILE = "drill.json"
INTERRUPTED = 130
FRESH_SEEDS = 10**9


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asks for."""

    books: list[Book]
    kinds: tuple[str, ...]
    questions: int
    seed: int | None
    score: str | None
    json: bool


def sit(wishes: Wishes) -> int:
    """Hold a sitting; the exit status."""
    if not any(topics_of(book, wishes.kinds) for book in wishes.books):
        names = ", ".join(book.name for book in wishes.books)
        refuse(f"{names} has nothing to ask of the kind {', '.join(wishes.kinds)}")
    dialogue = Dialogue()
    file = named_file("--score", wishes.score) if wishes.score is not None else None
    if file is None and dialogue.is_live and not wishes.json:
        file = data_file(FILE)  # a script keeps no score unless it names a file
    try:
        score = read_score(file) if file is not None else Score()
    except WrongScore as error:
        refuse(str(error))
    seed = wishes.seed if wishes.seed is not None else secrets.randbelow(FRESH_SEEDS)
    books = {book.name: book for book in wishes.books}
    sitting = Sitting(books, wishes.kinds, Random(seed), score)
    kept = _Keeping(file)
    status = 0
    try:
        if wishes.json:
            _script(sitting, wishes.questions, kept)
        else:
            from punto.cli.play_and_learn.drill.terminal import Terminal

            Terminal(sitting, dialogue).hold(wishes.questions, kept)
    except Left:
        pass
    except KeyboardInterrupt:
        status = INTERRUPTED
        if not wishes.json:
            print()
    _end(sitting, kept, json=wishes.json)
    return status


class _Keeping:
    """Keeps the score after every mark; that it cannot be kept is said once."""

    def __init__(self, file: Path | None) -> None:
        self.file = file

    def __call__(self, score: Score) -> None:
        if self.file is None:
            return
        try:
            keep_score(self.file, score)
        except CannotKeep as error:
            complain(f"the score is not kept: {error}")
            self.file = None


def _end(sitting: Sitting, kept: _Keeping, *, json: bool) -> None:
    score = sitting.end(date.today().isoformat())
    if json:
        _write(summary_record(sitting))
    else:
        from punto.cli.play_and_learn.drill.terminal import summary_lines

        for line in summary_lines(sitting, score):
            print(line)
    if sitting.marks:
        kept(score)


def _script(sitting: Sitting, number: int, kept: _Keeping) -> None:
    """Each question as a line of JSON, its answer as a line of text, its mark as a line of JSON."""
    for n in range(1, number + 1):
        question = sitting.next_question()
        _write(question_record(n, question))
        began = time.monotonic()
        while True:
            line = sys.stdin.readline()
            if not line:
                return
            given = "" if line.strip().lower() == SKIP else line.strip()
            try:
                mark = sitting.mark(question, given, time.monotonic() - began)
            except Unreadable as problem:
                _write({"type": "again", "number": n, "problem": str(problem)})
                continue
            _write(mark_record(n, mark))
            kept(sitting.score)
            break


def _write(record: dict[str, object]) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(msgspec.json.encode(record) + b"\n")
    sys.stdout.buffer.flush()
