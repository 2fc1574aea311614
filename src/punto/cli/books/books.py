"""`punto books`: the built-in rule books."""

from __future__ import annotations

from typing import TYPE_CHECKING

from punto.cli.options.book import JsonOption
from punto.cli.terminal.say import answer_json

if TYPE_CHECKING:
    from punto.rules.book import Book


def books(json: JsonOption = False) -> None:
    """List the built-in rule books."""
    from punto.books import NAMES, load

    found = [load(name) for name in NAMES]
    if json:
        answer_json([_record(book) for book in found])
    else:
        _draw(found)


def _record(compiled: Book) -> dict[str, object]:
    book = compiled.text
    return {
        "name": book.name,
        "title": book.title,
        "source": book.source,
        "effective": book.effective,
        "decks": list(book.decks.allowed),
        "layouts": [{"name": layout.name, "boxes": layout.boxes} for layout in book.layouts],
        "areas": list(compiled.areas),
        "clauses": len(book.clauses),
    }


def _draw(found: list[Book]) -> None:
    from punto.cli.terminal.ink import show, tell
    from punto.documents.page import Grid, Style
    from punto.rules.words import numbers

    rows = tuple(
        (
            book.name,
            book.title,
            book.effective or "undated",
            numbers(book.text.decks.allowed),
            str(len(book.areas)),
        )
        for book in found
    )
    show(Grid(("book", "title", "in effect", "decks", "bets"), rows, right=(4,), grows=1))
    print()
    tell("punto rules BOOK prints one; the path of your own TOML file works as well.", Style.QUIET)
