"""`punto new`: a short book file to begin with, which extends another book."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated

import typer

from punto.cli.options.book import JsonOption, open_book
from punto.cli.terminal.say import answer_json, refuse


def new(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The book file to write.", show_default=False)],
    base: Annotated[
        str, typer.Option("--from", metavar="BOOK", help="The book to build on: a built-in name or a file.")
    ] = "commission",
    json: JsonOption = False,
) -> None:
    """Write a short, commented book file that builds on another book."""
    from punto.books import NAMES
    from punto.books.beginning import first_book

    path = Path(file)
    if path.suffix != ".toml":
        refuse(
            f"the name of a book file ends in .toml, and {file!r} does not; write {path.name or 'mine'}.toml"
        )
    name = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")
    if not name or not file.isprintable():
        refuse(f"{file!r} leaves no name for the book; use letters or digits of ASCII")
    found = open_book(base)
    extends = base if base in NAMES else _beside(Path(base), path)
    _write_new(path, first_book(found, extends, file, name).encode())
    if json:
        answer_json({"file": file, "name": name, "extends": extends})
    else:
        print(f"{file} is a new book, {name}, which extends {extends}. Next: punto check {file}")


def _beside(base: Path, path: Path) -> str:
    """The base as seen from the folder of the new file."""
    return Path(os.path.relpath(base.resolve(), path.resolve().parent)).as_posix()


def _write_new(path: Path, content: bytes) -> None:
    """Write the file whole, and never over another one."""
    from punto.cli.files.writer import CannotWrite, write_whole

    try:
        if path.exists() or path.is_symlink():
            refuse(f"{path} is there already, and is left as it is; choose another name")
        write_whole(path, content)
    except CannotWrite as error:
        refuse(str(error))
    except OSError as error:
        refuse(f"{path} cannot be written: {error.strerror}")
