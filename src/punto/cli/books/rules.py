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
    from punto.cli.terminal.book_page import book_page
    from punto.cli.terminal.page_markdown import markdown_lines
    from punto.cli.terminal.page_text import page_lines

    page = book_page(rule_book)
    for line in markdown_lines(page) if markdown else page_lines(page):
        print(line)
