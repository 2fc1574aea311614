"""How commands declare what they take, the options that nearly every command has, a book and --json, and what a
shell completes behind `punto`. Every command loads this module, so it loads nothing but Typer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from punto.cli.output import answer_json, refuse, refuse_lines
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.words import Language

_T = TypeVar("_T")
_Given = TypeVar("_Given")
Completion = Callable[[str], list[str]]


def argument(metavar: str, help: str, complete: Completion | None = None) -> Any:
    """An argument whose default, where it has one, is told in its help."""
    return typer.Argument(metavar=metavar, help=help, show_default=False, autocompletion=complete)


def option(names: str, metavar: str | None, help: str, *, show_default: bool = False, **settings: Any) -> Any:
    """An option with a value; `names` are divided by blanks."""
    return typer.Option(*names.split(), metavar=metavar, help=help, show_default=show_default, **settings)


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


def _complete_from(module: str, *lists: str) -> Completion:
    """Completes the names in lists of a module, which is loaded when a shell asks."""

    def complete(incomplete: str) -> list[str]:
        sources = (getattr(import_module(module), name) for name in lists)
        names = (name for source in sources for name in (source() if callable(source) else source))
        return [name for name in names if name.startswith(incomplete)]

    return complete


complete_strategy = _complete_from("punto.studies.chosen_strategy", "STRATEGIES")
complete_policy = _complete_from("punto.studies.chosen_strategy", "POLICIES")
complete_kind = _complete_from("punto.drill.training", "KINDS")
complete_bet = _complete_from("punto.books.catalogue", "SECTIONS", "bet_names")


def complete_person(incomplete: str) -> list[str]:
    """A name with the roles that it can have."""
    from punto.rules.authority import Role

    name, colon, role = incomplete.partition(":")
    return [f"{name}:{known.value}" for known in Role if known.value.startswith(role)] if colon else []


BookArgument = Annotated[str, argument("BOOK", "A built-in book, or the path of a TOML file.", complete_book)]

JSON_HELP = "Print JSON, and nothing else."
JsonOption = Annotated[bool, typer.Option("--json", help=JSON_HELP)]


LanguageOption = Annotated[str, option("--language", "TAG", "The language of what is found; default: en.")]


def language_of(tag: str) -> Language:
    """The language of a tag such as zh-Hans; the command ends where there is none."""
    from punto.words import languages, read_words

    tags = {read_words(language, "language.json")["tag"]: language for language in languages()}
    check_one_of("language", tag, list(tags))
    return tags[tag]


def answer(value: object, sentence: str, *, json: bool) -> None:
    """The answer of a command that has one line to say: JSON where it was asked for, else a sentence."""
    if json:
        answer_json(value)
    else:
        print(sentence)


def read_as(parse: Callable[[_Given], _T], given: _Given, place: str = "") -> _T:
    """What something on the command line stands for; the command ends with the `ValueError` of its parser."""
    try:
        return parse(given)
    except ValueError as error:
        refuse(f"{place}{error}")


def check_one_of(what: str, text: str, names: Sequence[str]) -> None:
    """End the command if a text is not one of the names that there are."""
    if text not in names:
        refuse(f"{text!r} is not a {what}{did_you_mean(text, names)}; {what}s are {', '.join(names)}")


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
