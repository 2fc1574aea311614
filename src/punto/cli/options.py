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


def complete_book(incomplete: str) -> list[str]:
    """Built-in books that begin so, and TOML files and folders."""
    from punto.books import NAMES

    names = [name for name in NAMES if name.startswith(incomplete)]
    folder, begun = Path(incomplete).parent, Path(incomplete).name
    if incomplete.endswith("/"):
        folder, begun = Path(incomplete), ""
    try:
        paths = sorted(path for path in folder.iterdir() if path.name.startswith(begun) and begun != ".")
    except OSError:
        return names
    files = [str(path) for path in paths if path.suffix == ".toml"]
    folders = [f"{path}/" for path in paths if path.is_dir() and begun]
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


def open_book(name: str, folder: Path | None = None, place: str = "") -> Book:
    """The book of this name or file, seen from a folder; the command ends if it cannot be used.

    `place` is where the book is named, if not on the command line: a refusal begins with it.
    """
    from punto.books import BookNotFound, load
    from punto.rules.validation import BookError

    try:
        return load(name, folder or Path())
    except BookNotFound as error:
        refuse(f"{place}{error}")
    except BookError as error:
        refuse_lines([f"{place}{line}" for line in error.lines])
