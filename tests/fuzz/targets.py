"""What is fuzzed: each target takes a mutant and answers in one word; anything else it does is a fault.

A reader may accept or refuse. What it accepts is then used, as its command would use it: an accepted book
goes through every command, an accepted session is played, an accepted game is played on.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random

from punto.cli.main import run
from tests.fuzz.corpus import Corpus
from tests.fuzz.mutation import mutated, mutated_words

STATUSES = {0: "accepted", 1: "unmet", 2: "refused"}
ANSWERS = "\n".join(("1", "", "banker 100", "deal", "", "insure 10", "odds", "why", "quit")) + "\n"
"""Lines for a game or a drill: whatever is asked, something follows."""


class Fault(AssertionError):
    """A command that ended as no command may."""


def called(*arguments: str, lines: str = "") -> str:
    """Run a command line as the script would: its status in a word; a fault where it has another one."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err), _stdin(lines):
        status = run(arguments)
        err.flush()
    told = bytes(err.buffer.getvalue()).decode()
    if status not in STATUSES or "Traceback" in told:
        raise Fault(f"punto {arguments!r} ended with {status}: {told[-300:]}")
    if status == 2 and not told.strip() and "--json" not in arguments:
        raise Fault(f"punto {arguments!r} was refused without a word")
    return STATUSES[status]


@contextmanager
def _stdin(lines: str) -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(lines.encode()), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def book(random: Random, corpus: Corpus) -> str:
    """A book with changes; one that `check` accepts then goes through every command."""
    file = _written("book.toml", mutated(random, random.choice(corpus.books)))
    answer = called("check", file)
    if answer == "accepted":
        area = _first_area(file)
        for arguments in (
            ("rules", file),
            ("rules", file, "--markdown"),
            ("deal", file, "--seed", "1", "--rounds", "20"),
            ("settle", file, "--cards", "KS 9H KD KC", "--bet", f"{area}=100"),
            ("odds", file),
            ("insurance", file),
            ("advise", file),
            ("compare", file, "ez"),
            ("simulate", file, "--rounds", "1000", "--seed", "1", "--workers", "1"),
        ):
            called(*arguments)
        called("play", file, "--seed", "1", lines=ANSWERS.replace("banker", area))
        called("drill", file, "--seed", "1", "--json", lines=ANSWERS * 3)
    return answer


def session(random: Random, corpus: Corpus) -> str:
    """A session with changes, played."""
    return called("run", _written("s.punto", mutated(random, random.choice(corpus.sessions))))


def game(random: Random, corpus: Corpus) -> str:
    """A saved game with changes, played on."""
    file = _written("game.json", mutated(random, random.choice(corpus.games)))
    return called("play", "--save", file, lines=ANSWERS)


def score(random: Random, corpus: Corpus) -> str:
    """A kept score with changes, and some questions more."""
    file = _written("score.json", mutated(random, random.choice(corpus.scores)))
    return called("drill", "ez", "--seed", "1", "--json", "--score", file, lines=ANSWERS)


def checkpoint(random: Random, corpus: Corpus) -> str:
    """A checkpoint with changes, gone on from."""
    file = _written("checkpoint", mutated(random, random.choice(corpus.checkpoints)))
    return called(*corpus.simulation, "--checkpoint", file)


def arguments(random: Random, corpus: Corpus) -> str:
    """A command line with changes."""
    others = [word for line in corpus.lines for word in line]
    words = mutated_words(random, random.choice(corpus.lines), others)
    if "simulate" in words or "count" in words or "report" in words:
        return "left out"  # a changed number of rounds may be a long one
    return called(*words, lines=ANSWERS)


def composition(random: Random, corpus: Corpus) -> str:
    """Counts of a shoe with changes."""
    return called("odds", "ez", "--composition", _written("c.json", mutated(random, corpus.composition)))


def exported(random: Random, corpus: Corpus) -> str:
    """An exported table with changes, in one of its forms: imported, and replayed."""
    form = random.choice(("export", "parquet", "session"))
    file = _written(f"t.{form}", mutated(random, getattr(corpus.house, form)))
    answer = called("replay", file)
    if form != "session":
        with _new_database() as database:
            imported = called("table", "import", file, "--as-table", "t1", "--database", database)
            if imported == "accepted":
                called("table", "show", "t1", "--database", database)
                called("audit", "verify", "--database", database)
            elif Path(database).exists():
                raise Fault("an import that was refused left a database behind")
            answer = "unmet" if answer != imported else answer
    return answer


def backed_up(random: Random, corpus: Corpus) -> str:
    """A backup with changes, restored; what is taken is looked at."""
    file = _written("kept.db", mutated(random, corpus.house.backup))
    with _new_database() as database:
        answer = called("restore", file, "--database", database)
        if answer == "accepted":
            called("audit", "verify", "--database", database)
            called("table", "list", "--database", database)
            called("account", "list", "--database", database)
        elif Path(database).exists():
            raise Fault("a backup that was refused left a database behind")
    return answer


def anchor(random: Random, corpus: Corpus) -> str:
    """An anchor with changes, against the house that it is of."""
    file = _written("anchor.json", mutated(random, corpus.house.anchor))
    house = Path("anchored.db")
    if not house.exists():
        house.write_bytes(corpus.house.backup)
    words = ("--anchor", file, "--public-key", corpus.house.key, "--database", str(house))
    return called("audit", "verify", *words)


def shoe(random: Random, corpus: Corpus) -> str:
    """What was published of a shoe, with changes."""
    file = _written("shoe.jsonl", mutated(random, corpus.house.shoe))
    return called("audit", "shoe", f"./{file}", "--shoe", "1")


def settings(random: Random, corpus: Corpus) -> str:
    """A file with settings of a floor, with changes; nothing is served."""
    from punto.server.settings import WrongSetting, read_settings

    file = _written("floor.toml", mutated(random, corpus.settings))
    try:
        read_settings({}, {}, Path(file), "house.db")
    except WrongSetting as error:
        if "\n" in str(error):
            raise Fault(f"more than a sentence: {error}") from None
        return "refused"
    return "accepted"


@contextmanager
def _new_database() -> Iterator[str]:
    """The name of a database that is not there; it is gone afterwards."""
    path = Path("new.db")
    try:
        yield str(path)
    finally:
        for end in ("", "-wal", "-shm", "-journal", ".lock"):
            Path(f"{path}{end}").unlink(missing_ok=True)


TARGETS: dict[str, Callable[[Random, Corpus], str]] = {
    one.__name__: one
    for one in (
        *(book, session, game, score, checkpoint, arguments, composition),
        *(exported, backed_up, anchor, shoe, settings),
    )
}


def _written(name: str, content: bytes) -> str:
    Path(name).write_bytes(content)
    return os.fspath(name)


def _first_area(file: str) -> str:
    from punto import books

    return books.load(file).opening_areas[0]
