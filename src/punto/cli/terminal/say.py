"""What a command says beside its answer: refusals on stderr, and answers for programs as JSON."""

from __future__ import annotations

import shutil
import sys
from typing import NoReturn

import typer

from punto.cli.terminal.streams import hush

REFUSED = 2
"""Exit status of a refusal and of a wrong command line."""


def typed_name() -> str:
    """How `punto` can be typed here: by name where the shell finds it, else by the path it was called by."""
    called = sys.argv[0]
    return called if "/" in called and shutil.which("punto") is None else "punto"


def complain(sentence: str) -> None:
    """One line on stderr."""
    _tell(f"punto: {one_line(sentence)}")


def refuse(sentence: str) -> NoReturn:
    """End the command with one sentence on stderr; stdout stays empty."""
    complain(sentence)
    raise typer.Exit(REFUSED)


def refuse_lines(lines: list[str]) -> NoReturn:
    """End the command with every problem of a book, one to a line."""
    for line in lines:
        _tell(one_line(line))
    raise typer.Exit(REFUSED)


def _tell(line: str) -> None:
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        hush(sys.stderr)  # a full disk: the exit status has to say it all


def answer_json(value: object) -> None:
    """The whole answer as one JSON document, in UTF-8 whatever the terminal reads."""
    import msgspec

    document = msgspec.json.format(msgspec.json.encode(value), indent=2)
    sys.stdout.flush()
    sys.stdout.buffer.write(document + b"\n")
    sys.stdout.buffer.flush()


def one_line(text: str) -> str:
    """The text without line breaks or other control characters, which a user's input may carry."""
    return "".join(character if character.isprintable() else " " for character in text)
