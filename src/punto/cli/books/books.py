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

    shelf = [load(name) for name in NAMES]
    if json:
        answer_json([_record(book) for book in shelf])
    else:
        _draw(shelf)


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


def _draw(shelf: list[Book]) -> None:
    from rich.table import Table

    from punto.cli.terminal.console import felt, print_table
    from punto.cli.terminal.wording import numbers

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("book", "title", "in effect", "decks", "bets"):
        table.add_column(heading, justify="right" if heading == "bets" else "left", overflow="fold")
    for compiled in shelf:
        book = compiled.text
        table.add_row(
            f"[bold]{book.name}[/]",
            book.title,
            book.effective or "undated",
            numbers(book.decks.allowed),
            str(len(compiled.areas)),
        )
    console = felt()
    print_table(console, table)
    console.print("\n[dim]punto rules BOOK prints one; a path of your own TOML file works as well.[/]")
