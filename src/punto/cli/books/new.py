"""`punto new`: a short book file to begin with, which extends another book."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.files.new_book import NewBook
from punto.cli.options.book import JsonOption, open_book
from punto.cli.terminal.say import answer_json


def new(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The book file to write.", show_default=False)],
    base: Annotated[
        str, typer.Option("--from", metavar="BOOK", help="The book to build on: a built-in name or a file.")
    ] = "commission",
    json: JsonOption = False,
) -> None:
    """Write a short, commented book file that builds on another book."""
    from punto.books.beginning import first_book

    target = NewBook.at(file)
    found = open_book(base)
    extends = target.beside(base)
    target.write(first_book(found, extends, file, target.name))
    if json:
        answer_json({"file": file, "name": target.name, "extends": extends})
    else:
        from punto.cli.terminal.ink import note

        note(f"{file} is a new book, {target.name}, which extends {extends}. Next: punto check {file}")
