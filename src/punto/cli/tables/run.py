"""`punto run`: plays a session from a file and tells what happens, to people or to programs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.terminal.say import complain, refuse, refuse_lines

if TYPE_CHECKING:
    from punto.refusal import Refusal
    from punto.rules.book import Book
    from punto.table.notation.lines import Session
    from punto.table.notation.session import Played

UNMET = 1
"""Exit status of a session that did not go as it expected to."""

LARGEST = 16 * 1024 * 1024
"""Bytes: far more than a year of one table."""


def run(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A session in round notation; - for stdin.", show_default=False),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print JSON Lines of events and refusals.")] = False,
) -> None:
    """Play a session and tell what happens."""
    from punto.table.notation.session import NoTable, play_session, unmet

    session = _read(file)
    folder = Path() if file == "-" else Path(file).parent
    steps: list[Played] = []
    printed = _print_json if json else session_printer()
    try:
        for step in play_session(
            session, lambda book: _book(book, folder, f"{file}: line {_opened(session, book)}")
        ):
            printed(step)
            steps.append(step)
    except NoTable as error:
        refuse(f"{file}: {error}")
    sys.stdout.flush()
    wrong = unmet(session, steps)
    for missed in wrong:
        complain(f"{file}: line {missed.number}: {missed.sentence}")
    if wrong:
        raise typer.Exit(UNMET)


def _read(file: str) -> Session:
    from punto.table.notation.lines import WrongLines, parse_session

    try:
        return parse_session(read_session_text(file))
    except WrongLines as error:
        refuse_lines([f"{file}: line {number}: {sentence}" for number, sentence in error.problems])


def read_session_text(file: str) -> str:
    """The text of a session from a file or stdin; the command ends if there is none."""
    if not file.strip():
        refuse("no session was named; give the path of a file, or - for stdin")
    try:
        raw = sys.stdin.buffer.read(LARGEST + 1) if file == "-" else _bytes(Path(file))
        text = raw.decode("utf-8-sig")
    except FileNotFoundError:
        refuse(f"there is no file {file}")
    except OSError as error:
        refuse(f"{file} cannot be read: {error.strerror}")
    except ValueError:
        refuse(f"{file} cannot be read: it is not UTF-8 text")
    if len(raw) > LARGEST:
        refuse(f"{file} cannot be read: it is larger than {LARGEST // 1024 // 1024} MiB")
    if not text.strip():
        refuse(f"{file} is empty: there is no session in it")
    return text


def _bytes(path: Path) -> bytes:
    from punto.cli.files.reader import opened_file

    with opened_file(path) as stream:
        return stream.read(LARGEST + 1)


def _book(name: str, folder: Path, line: str) -> Book:
    """A built-in book, or a file beside the session; a refusal begins with the line that names it."""
    from punto.books import BookNotFound, load
    from punto.rules.reading.problem import BookError

    try:
        return load(name, folder)
    except BookNotFound as error:
        refuse(f"{line}: {error}")
    except BookError as error:
        refuse_lines([f"{line}: {problem}" for problem in error.lines])


def _opened(session: Session, book: str) -> int:
    """The first line that opens a table by this book: a session ends where a book cannot be loaded."""
    from punto.table.command import OpenTable
    from punto.table.notation.lines import CommandGiven

    return next(
        number
        for number, line in enumerate(session, start=1)
        if isinstance(line, CommandGiven)
        and isinstance(line.command, OpenTable)
        and line.command.terms.book == book
    )


def _print_json(step: Played) -> None:
    """One line of JSON for each event, or for the refusal; docs/reference/table.md describes them."""
    import msgspec

    from punto.refusal import Refusal

    outcome = step.outcome
    if isinstance(outcome, Refusal):
        lines = [msgspec.json.encode({"line": step.number, "refusal": refusal_record(outcome)})]
    else:
        lines = [msgspec.json.encode({"line": step.number, "event": event}) for event in outcome]
    sys.stdout.flush()
    sys.stdout.buffer.write(b"".join(line + b"\n" for line in lines))
    sys.stdout.buffer.flush()


def refusal_record(refusal: Refusal) -> dict[str, object]:
    """A refusal for programs."""
    return {
        "reason": refusal.reason,
        "params": refusal.params,
        "sentence": refusal.sentence,
        "clause": refusal.clause,
    }


def session_printer() -> Callable[[Played], None]:
    """Prints steps for people."""
    from punto.cli.terminal.session_page import SessionPage

    page = SessionPage()

    def printed(step: Played) -> None:
        for line in page.lines(step):
            print(line)

    return printed
