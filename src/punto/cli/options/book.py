"""The book that a command is given: a built-in one by its name, or a file; a refusal says what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.completion import complete_book
from punto.cli.terminal.say import refuse, refuse_lines

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.rules.reading.resolve import Resolved

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


def resolve_book(name: str) -> Resolved:
    """The values of the book in a file, or of a built-in one; what is neither is refused.

    `BookError` has what keeps the files from being read as one book.
    """
    from punto.books import BookNotFound, built_in_name, resolve_built_in, resolve_file

    if not name.strip():
        refuse("no book was named; punto check takes the path of a TOML file, or a built-in book")
    path, built_in = Path(name), built_in_name(name)
    try:
        # A file is meant even where it is called like a built-in book.
        return resolve_built_in(built_in) if built_in and not path.is_file() else resolve_file(path)
    except BookNotFound as error:
        refuse(str(error))
