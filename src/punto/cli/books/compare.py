"""`punto compare`: what differs between two books, and what that does to every bet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import JsonOption, open_book
from punto.cli.options.unseen import DecksOption
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.rules.book import Book


def compare(
    first: Annotated[str, typer.Argument(metavar="BOOK", help="The first book.", show_default=False)],
    second: Annotated[str, typer.Argument(metavar="OTHER", help="The second book.", show_default=False)],
    decks: DecksOption = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Print an HTML page.")] = False,
    json: JsonOption = False,
) -> None:
    """Show what differs between two books, and what it does to bets."""
    if markdown + html + json > 1:
        refuse("--markdown, --html and --json ask for different things; give one of them")
    books = open_book(first), open_book(second)

    from punto.reports.comparison import Comparison, comparison_page, comparison_record

    comparison = Comparison(*books, _decks(*books, decks))
    if json:
        answer_json(comparison_record(comparison))
        return
    page = comparison_page(comparison)
    if markdown:
        from punto.documents.markdown import markdown_lines

        print("\n".join(markdown_lines(page)))
    elif html:
        from punto.documents.html import html_page

        print(html_page(page), end="")
    else:
        from punto.cli.terminal.ink import show_page

        show_page(page)


def _decks(first: Book, second: Book, decks: int | None) -> int:
    """The decks asked for, which both books must allow; by default eight, or the most that both allow."""
    from punto.cli.options.unseen import USUAL_DECKS

    both = sorted({*first.decks.allowed} & {*second.decks.allowed})
    if not both:
        refuse(f"{first.name} and {second.name} allow no number of decks in common")
    if decks is not None and decks not in both:
        allowed = ", ".join(map(str, both))
        refuse(f"--decks must be a number that both books allow: {allowed}")
    return decks or (USUAL_DECKS if USUAL_DECKS in both else both[-1])
