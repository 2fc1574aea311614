"""The examiner: draws the random numbers, holds a sitting with a person or a script, and keeps the score."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from punto.cli.files.kept_file import data_file, named_file
from punto.cli.play_and_learn.drill.score_file import ScoreFile, WrongScore
from punto.cli.play_and_learn.drill.script import Script
from punto.cli.terminal.dialogue import Dialogue, Left
from punto.cli.terminal.say import complain, refuse
from punto.drill.chance import BITS, Chance
from punto.drill.rehearsal import CannotRehearse
from punto.drill.score import Score
from punto.drill.sitting import Sitting
from punto.drill.syllabus import topics_of
from punto.rules.book import Book
from punto.rules.digest import digest_of
from punto.rules.words import counted

if TYPE_CHECKING:
    from punto.cli.play_and_learn.drill.conversation import Conversation

FILE = "drill.json"
INTERRUPTED = 130
FRESH_SEEDS = 10**9


def seeded_chance(seed: int) -> Chance:
    """The random choices that a seed fixes."""
    return Chance(iter(partial(Random(seed).getrandbits, BITS), None))


def show_mastery(books: Sequence[Book], scores: Sequence[str], output: str | None, *, is_json: bool) -> None:
    """Show what the kept score says, or several beside each other, or write it as a page."""
    from punto.cli.files.result_file import check_format, put
    from punto.cli.terminal.ink import note, show_page
    from punto.cli.terminal.say import answer_json
    from punto.documents.html import html_page
    from punto.drill.mastery import class_page, class_record, mastery_page, mastery_record

    path = check_format(output, (".html",)) if output is not None else None
    try:
        kept = _several(scores) if scores else {"": ScoreFile(data_file(FILE)).read()}
    except WrongScore as error:
        refuse(str(error))
    named = {book.name: book for book in books}
    first = next(iter(kept.values()))
    page = mastery_page(first, named) if len(kept) == 1 else class_page(kept, named)
    if path is not None:
        put(path, html_page(page).encode())
    if is_json:
        answer_json(mastery_record(first, named) if len(kept) == 1 else class_record(kept, named))
    elif path is not None:
        asked = counted(sum(one.asked for one in kept.values()), "question")
        note(f"{path}: the mastery report of {asked}")
    else:
        show_page(page)


def _several(files: Sequence[str]) -> dict[str, Score]:
    """The scores of these files, each by the name of its file; one that is not there is refused."""
    found: dict[str, Score] = {}
    stems = [Path(file).stem for file in files]
    for file, stem in zip(files, stems, strict=True):
        path = named_file("--score", file)
        if len(files) > 1 and not path.exists():
            raise WrongScore(f"there is no score {file}")
        name = stem if stems.count(stem) == 1 else file
        if name in found:
            raise WrongScore(f"--score {file} is given more than once")
        found[name] = ScoreFile(path).read()
    return found


def hold_sitting(
    books: Sequence[Book],
    kinds: tuple[str, ...],
    *,
    weights: Mapping[str, int],
    questions: int,
    seed: int | None,
    score: str | None,
    target: float | None,
    is_script: bool,
) -> int:
    """Hold a sitting; the exit status."""
    if not any(topics_of(book, kinds) for book in books):
        refuse(f"{', '.join(book.name for book in books)} has no questions of the kind {', '.join(kinds)}")
    dialogue = Dialogue()
    path = named_file("--score", score) if score is not None else None
    if path is None and dialogue.is_live and not is_script:
        path = data_file(FILE)  # a script keeps no score unless it names a file
    file = ScoreFile(path)
    try:
        sitting = Sitting({book.name: book for book in books}, kinds, _score(file, books), weights=weights)
    except WrongScore as error:
        refuse(str(error))
    chosen = seed if seed is not None else secrets.randbelow(FRESH_SEEDS)
    chance = seeded_chance(chosen)
    host = _host(dialogue, chosen, target, is_script=is_script)
    status = 0
    try:
        for number in range(1, questions + 1):
            sitting = host.ask(sitting, sitting.next_question(chance), number, questions)
            file.keep(sitting.score)
    except Left:
        pass
    except CannotRehearse as error:
        refuse(str(error))
    except KeyboardInterrupt:
        status = INTERRUPTED
        if not is_script:
            print()
    final = sitting.final_score(date.today().isoformat())
    host.sum_up(sitting, final)
    if sitting.answers:
        file.keep(final)
    return status


def _score(file: ScoreFile, books: Sequence[Book]) -> Score:
    """The score that was kept; whoever learns is told which books have changed since."""
    score = file.read()
    digests = {book.name: digest_of(book) for book in books}
    for name in score.changed(digests):
        complain(f"the book {name} has changed since its score was kept: what was right may be wrong now")
    return score.about(digests)


def _host(dialogue: Dialogue, seed: int, target: float | None, *, is_script: bool) -> Script | Conversation:
    if is_script:
        return Script(seed, target)
    from punto.cli.play_and_learn.drill.conversation import Conversation  # it loads Rich

    return Conversation(dialogue, target)
