"""Options that nearly every command takes, a book and --json, and what a shell completes behind `punto`.
Every command loads this module, so it loads nothing but Typer.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import refuse, refuse_lines

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.rules.book_file import Resolved


def complete_book(incomplete: str) -> list[str]:
    """Built-in books that begin so, and TOML files and folders."""
    from punto.books import NAMES

    names = [name for name in NAMES if name.startswith(incomplete)]
    folder, begun = Path(incomplete).parent, Path(incomplete).name
    if incomplete.endswith("/"):
        folder, begun = Path(incomplete), ""
    try:
        found = sorted(path for path in folder.iterdir() if path.name.startswith(begun) and begun != ".")
    except OSError:
        return names
    files = [str(path) for path in found if path.suffix == ".toml"]
    folders = [f"{path}/" for path in found if path.is_dir() and begun]
    return [*names, *files, *folders]


def complete_strategy(incomplete: str) -> list[str]:
    """Strategies that begin so."""
    from punto.cli.simulation_options import strategy_names

    return [name for name in strategy_names() if name.startswith(incomplete)]


def complete_policy(incomplete: str) -> list[str]:
    """Policies that begin so."""
    from punto.cli.simulation_options import POLICIES

    return [name for name in POLICIES if name.startswith(incomplete)]


def complete_kind(incomplete: str) -> list[str]:
    """Kinds of questions that begin so."""
    from punto.drill.training import KINDS

    return [name for name in KINDS if name.startswith(incomplete)]


def complete_bet(incomplete: str) -> list[str]:
    """Bets and sections of the catalogue that begin so."""
    from punto.books.catalogue import SECTIONS, bet_names

    return [name for name in (*SECTIONS, *bet_names()) if name.startswith(incomplete)]


def complete_table(incomplete: str) -> list[str]:
    """Tables of the database that begin so."""
    return [name for name in _stored_names("tables", "id") if name.startswith(incomplete)]


def complete_account(incomplete: str) -> list[str]:
    """Accounts of the database that begin so."""
    return [name for name in _stored_names("accounts", "handle") if name.startswith(incomplete)]


def complete_person(incomplete: str) -> list[str]:
    """A name with the roles that it can have."""
    from punto.rules.authority import Role

    name, colon, role = incomplete.partition(":")
    return [f"{name}:{known.value}" for known in Role if known.value.startswith(role)] if colon else []


def _stored_names(what: str, field: str) -> list[str]:
    """Names in the database that a command line without `--database` works on."""
    from punto.cli.files import data_file
    from punto.store.errors import StoreError
    from punto.store.store import open_store

    url = os.environ.get("PUNTO_DATABASE") or str(data_file("house.db"))
    try:
        with open_store(url, create=False) as store, store.read() as reader:
            return [getattr(stored, field) for stored in getattr(reader, what)()]
    except StoreError:
        return []  # a shell that completes says nothing about what is wrong


# The book that a command is given: a built-in one by its name, or a file; a refusal says what is wrong.


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
    from punto.rules.validation import BookError

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
