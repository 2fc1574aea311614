"""`punto rules`: a rule book for people, in the terminal or as Markdown, or for programs as JSON."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.terminal.say import answer_json, refuse


def rules(
    book: BookArgument,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    json: JsonOption = False,
) -> None:
    """Print a rule book with the clause of every rule."""
    if markdown and json:
        refuse("--markdown and --json ask for two different things; give one of them")
    rule_book = open_book(book)
    if json:
        answer_json(rule_book.text)
        return
    from punto.reports.rule_book import rule_book_page

    page = rule_book_page(rule_book)
    if markdown:
        from punto.documents.markdown import markdown_lines

        print("\n".join(markdown_lines(page)))
    else:
        from punto.cli.terminal.ink import show_page

        show_page(page)
