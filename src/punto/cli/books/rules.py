"""`punto rules`: a rule book for people, as text or Markdown, for programs as JSON, or its digest."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.terminal.say import answer_json, refuse


def rules(
    book: BookArgument,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    digest: Annotated[bool, typer.Option("--digest", help="Print the digest of the book alone.")] = False,
    json: JsonOption = False,
) -> None:
    """Print a rule book with the clause of every rule."""
    if markdown + json + digest > 1:
        refuse("--markdown, --json and --digest ask for different things; give one of them")
    rule_book = open_book(book)
    if digest:
        from punto.rules.digest import digest_of

        print(digest_of(rule_book))
        return
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
