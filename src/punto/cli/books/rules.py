"""`punto rules`: a rule book for people, as text or Markdown, for programs as JSON or TOML, or its digest."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.terminal.say import answer_json, refuse


def rules(
    book: BookArgument,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    digest: Annotated[bool, typer.Option("--digest", help="Print the digest of the book alone.")] = False,
    toml: Annotated[
        bool, typer.Option("--toml", help="Print the whole book as TOML, with all that it extends.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Print a rule book with the clause of every rule."""
    if markdown + json + digest + toml > 1:
        refuse("--markdown, --toml, --json and --digest ask for different things; give one of them")
    rule_book = open_book(book)
    if digest:
        from punto.rules.digest import digest_of

        print(digest_of(rule_book))
        return
    if toml:
        from punto.rules.book_toml import book_toml

        print(book_toml(rule_book.text), end="")
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
