"""The book that a command is given: a built-in one by its name, or a file; a refusal says what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.completion import complete_book
from punto.cli.terminal.say import refuse, refuse_lines

if TYPE_CHECKING:
    from punto.rules.book import Book

BookArgument = Annotated[
    str,
    typer.Argument(
        metavar="BOOK",
        help="A built-in book, or the path of a TOML file.",
        show_default=False,
        autocompletion=complete_book,
    ),
]

JSON_HELP = "Print JSON, and nothing else."
JsonOption = Annotated[bool, typer.Option("--json", help=JSON_HELP)]


def open_book(name: str) -> Book:
    """The book of this name or file; the command ends if it cannot be used."""
    from punto.books import BookNotFound, load
    from punto.rules.reading.problem import BookError

    try:
        return load(name)
    except BookNotFound as error:
        refuse(str(error))
    except BookError as error:
        refuse_lines(error.lines)


def open_file(name: str) -> Book:
    """The book in a file; `BookError` has the places that are wrong, and what is not a file is refused."""
    from punto.books import BookNotFound, load_file

    if not name.strip():
        refuse("no book was named; punto check takes the path of a TOML file")
    try:
        return load_file(Path(name))
    except BookNotFound as error:
        refuse(str(error))
