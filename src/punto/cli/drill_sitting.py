"""A sitting of `punto drill`: the examiner draws the random numbers, asks a person in the terminal or a
script by lines of JSON, and keeps the score in a file between sittings.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from random import Random

import msgspec
from rich.text import Text

from punto.cli.files import CannotRead, CannotWrite, data_file, kept_form, named_file, read_kept, read_line, write_kept
from punto.cli.game_terminal import LONGEST_PIPED, Dialogue, HandNames, PersonLeft, draw_hands, open_console, wrapped
from punto.cli.ink import columns, lines_of
from punto.cli.main import INTERRUPTED
from punto.cli.output import answer_lines, complain, refuse
from punto.documents.page import Grid
from punto.drill.quiz import CHANCE_BITS, Chance, Question, UnreadableAnswer, WordAnswer, sense_of
from punto.drill.scripted_sitting import AnswerMark, AskedAgain, DrillQuestion, SittingSummary
from punto.drill.training import KINDS, SCORE_TYPE, SCORE_VERSION, SKIP, MarkedAnswer, Score, Sitting
from punto.rules.book import Book, digest_of
from punto.rules.wording import counted


class WrongScore(Exception):
    """A file that is not a score of ours; the sentence says what is wrong with it."""


class ScoreFile:
    """Keeps the score after every answer; a failure to write is reported once."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def read(self) -> Score:
        """The score that was kept, a fresh one if there is none; raises `WrongScore` for another file."""
        try:
            content = read_kept(self.path) if self.path is not None else None
        except CannotRead as error:
            raise WrongScore(str(error)) from None
        if content is None:
            return Score()
        version = kept_form(content, SCORE_TYPE)
        if version not in (None, SCORE_VERSION):
            raise WrongScore(f"{self.path} has a score of version {version}; this punto reads version {SCORE_VERSION}")
        try:
            if version is None:
                raise msgspec.ValidationError
            return msgspec.json.decode(content, type=Score)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise WrongScore(f"{self.path} is not a score of punto drill; name another file with --score") from None

    def keep(self, score: Score) -> None:
        if self.path is None:
            return
        try:
            write_kept(self.path, msgspec.json.encode(score) + b"\n")
        except CannotWrite as error:
            complain(f"the score is not kept: {error}")
            self.path = None


class Script:
    """Asks a program; its `ask` raises `PersonLeft` at the end of input."""

    def __init__(self, seed: int, target: float | None = None) -> None:
        self.seed, self.target = seed, target

    def ask(self, sitting: Sitting, question: Question, number: int, questions: int) -> Sitting:
        answer_lines([DrillQuestion.of(number, question, seed=self.seed, questions=questions)])
        began = time.monotonic()
        while line := read_line(LONGEST_PIPED):
            typed = "" if line.strip().lower() == SKIP else line.strip()
            try:
                sitting = sitting.marked(question, typed, time.monotonic() - began)
            except UnreadableAnswer as problem:
                answer_lines([AskedAgain(number, str(problem))])
                continue
            book = sitting.books[question.topic.book]
            answer_lines([AnswerMark.of(number, sitting.answers[-1], book, self.target)])
            return sitting
        raise PersonLeft

    def sum_up(self, sitting: Sitting, final: Score) -> None:
        answer_lines([SittingSummary.of(sitting, final, self.target, self.seed)])


DRILL_PROMPT = "answer> "
HOUSE_TERM = "a term of the house, not of the document"
DRILL_HELP = "skip passes a question, which counts as wrong; quit ends the sitting."


class Conversation:
    """Asks a person; its `ask` raises `PersonLeft` when the person leaves."""

    def __init__(self, dialogue: Dialogue, target: float | None = None) -> None:
        self.dialogue, self.console, self.target = dialogue, open_console(), target

    def ask(self, sitting: Sitting, question: Question, number: int, questions: int) -> Sitting:
        book = sitting.books[question.topic.book]
        self._show(f"Question {number} of {questions}", question, book)
        sitting = self._marked(sitting, question)
        self._explain(sitting.answers[-1], book)
        return sitting

    def sum_up(self, sitting: Sitting, final: Score) -> None:
        for line in sitting_lines(sitting, final, self.target):
            print(line)

    def _say(self, text: str | Text, style: str = "") -> None:
        for line in wrapped(text, self.console.width) if isinstance(text, str) else (text,):
            self.console.print(line, style=style, highlight=False, markup=False)

    def _show(self, title: str, question: Question, book: Book) -> None:
        if title.startswith("Question 1 of"):
            self._say(f"{DRILL_HELP[:1].upper()}{DRILL_HELP[1:]} ? shows how to answer.", "dim")
        self._say("")
        self._say(f"{title} · {KINDS[question.topic.kind].what} · {book.name}", "bold")
        if question.player or question.banker:
            width, encoding = self.console.width, self.console.encoding
            names = HandNames.of(book, encoding)
            for line in draw_hands(names, question.player, question.banker, width, encoding, has_points=False):
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
            line = self.dialogue.ask(DRILL_PROMPT)
            if line.lower() in ("quit", "q", "exit"):
                raise PersonLeft
            if line.lower() in ("?", "help"):
                self._say(f"  Answer with {question.form.hint}. {DRILL_HELP}")
            elif line:
                try:
                    return sitting.marked(question, "" if line.lower() == SKIP else line, time.monotonic() - began)
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
        if sense := sense_of(book, question.clause):
            self._say(f"  {question.clause}: {sense}", "dim")


def sitting_lines(sitting: Sitting, final: Score, target: float | None = None) -> Iterator[str]:
    """How the sitting went, what is to come again, and all sittings together."""
    if not sitting.answers:
        return
    by_kind = [(KINDS[kind].what, totals) for kind, totals in sitting.totals_by_kind().items()]
    rows = tuple(
        (what, str(totals.asked), str(totals.right), f"{totals.seconds / totals.asked:.1f} s")
        for what, totals in (*by_kind, ("in all", sitting.totals))
    )
    yield ""
    yield from lines_of(Grid(("", "asked", "right", "time each"), rows, right=(1, 2, 3)))
    if target is not None:
        yield f"Right within {target:g} s: {sitting.within(target)} of {sitting.totals.asked}."
    if to_come := sitting.to_come():
        yield from wrapped(f"These come again: {'; '.join(to_come)}.", columns())
    if len(final.sittings) > 1:
        asked, right = (sum(getattr(past, name) for past in final.sittings) for name in ("asked", "right"))
        yield f"Over {len(final.sittings)} sittings {right} of {asked} were right."


SCORE_FILE = "drill.json"
FRESH_SEEDS = 10**9


def seeded_chance(seed: int) -> Chance:
    return Chance(iter(partial(Random(seed).getrandbits, CHANCE_BITS), None))


def show_mastery(books: Sequence[Book], scores: Sequence[str], output: str | None, *, is_json: bool) -> None:
    """Show what the kept score says, or several beside each other, or write it as a page."""
    from punto.cli.files import check_result_format, write_whole
    from punto.cli.ink import note, show_page
    from punto.cli.output import answer_json
    from punto.documents.typesetting import html_page
    from punto.drill.training import Mastery, class_page, mastery_page

    path = check_result_format(output, (".html",)) if output is not None else None
    all_scores = _read_scores(scores) if scores else {"": ScoreFile(data_file(SCORE_FILE)).read()}
    named = {book.name: book for book in books}
    first = next(iter(all_scores.values()))
    page = mastery_page(first, named) if len(all_scores) == 1 else class_page(all_scores, named)
    if path is not None:
        write_whole(path, html_page(page).encode())
    if is_json:
        records = {name: Mastery.of(score, named) for name, score in all_scores.items()}
        answer_json(Mastery.of(first, named) if len(all_scores) == 1 else {"scores": records})
    elif path is not None:
        questions = counted(sum(score.asked for score in all_scores.values()), "question")
        note(f"{path}: the mastery report of {questions}")
    else:
        show_page(page)


def _read_scores(files: Sequence[str]) -> dict[str, Score]:
    """The scores of these files, each by the name of its file; one that is not there is refused."""
    by_name: dict[str, Score] = {}
    stems = [Path(file).stem for file in files]
    for file, stem in zip(files, stems, strict=True):
        path = named_file("--score", file)
        if len(files) > 1 and not path.exists():
            raise WrongScore(f"there is no score {file}")
        name = stem if stems.count(stem) == 1 else file
        if name in by_name:
            raise WrongScore(f"--score {file} is given more than once")
        by_name[name] = ScoreFile(path).read()
    return by_name


def hold_sitting(
    sitting: Sitting, questions: int, seed: int | None, score: str | None, target: float | None, *, is_script: bool
) -> int:
    """Hold a sitting, with the score that was kept; the exit status."""
    books = sitting.books
    if not sitting.topics():
        refuse(f"{', '.join(books)} has no questions of the kind {', '.join(sitting.kinds)}")
    dialogue = Dialogue()
    path = named_file("--score", score) if score is not None else None
    if path is None and dialogue.is_live and not is_script:
        path = data_file(SCORE_FILE)  # a script keeps no score unless it names a file
    file, digests = ScoreFile(path), {name: digest_of(book) for name, book in books.items()}
    before = file.read()
    for name in before.changed(digests):
        complain(f"the book {name} has changed since its score was kept: what was right may be wrong now")
    sitting = replace(sitting, score=before.about(digests))
    chosen = seed if seed is not None else secrets.randbelow(FRESH_SEEDS)
    chance, status = seeded_chance(chosen), 0
    host = Script(chosen, target) if is_script else Conversation(dialogue, target)
    try:
        for number in range(1, questions + 1):
            sitting = host.ask(sitting, sitting.next_question(chance), number, questions)
            file.keep(sitting.score)
    except PersonLeft:
        pass
    except KeyboardInterrupt:
        status = INTERRUPTED
        if not is_script:
            print()
    final = sitting.final_score(date.today().isoformat())
    host.sum_up(sitting, final)
    if sitting.answers:
        file.keep(final)
    return status
