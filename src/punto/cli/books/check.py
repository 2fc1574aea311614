"""`punto check`: whether a book file can be used, and if not, every place that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import JsonOption, open_file
from punto.cli.terminal.say import REFUSED, answer_json, refuse_lines

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.rules.reading.problem import Problem


def check(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The path of a book's TOML file.", show_default=False)
    ],
    json: JsonOption = False,
) -> None:
    """Check a book file: exit 0, or 2 with every place that is wrong."""
    from punto.rules.reading.problem import BookError

    try:
        book = open_file(file)
    except BookError as error:
        if not json:
            refuse_lines(error.lines)
        # That a book is wrong is the answer to what was asked, so it goes to stdout all the same.
        answer_json(_record(file, error.problems))
        raise typer.Exit(REFUSED) from None
    if json:
        answer_json(_record(file, []))
    else:
        print(f"{file}: {_contents(book)}")


def _record(file: str, problems: list[Problem]) -> dict[str, object]:
    from punto.rules.reading.problem import format_place

    return {
        "file": file,
        "ok": not problems,
        "problems": [
            {
                "place": format_place(problem.place).removesuffix(": "),
                "line": problem.line,
                "problem": problem.sentence,
            }
            for problem in problems
        ],
    }


def _contents(compiled: Book) -> str:
    """What the book holds, in one line."""
    from punto.rules.words import counted

    book = compiled.text
    parts = (
        counted(len(book.bets), "bet"),
        counted(len(book.layouts), "layout"),
        *((counted(len(book.insurance.offers), "insurance offer"),) if book.insurance else ()),
        counted(len(book.declarations), "declaration"),
        counted(len(book.irregularities), "irregularity", "irregularities"),
        counted(len(book.clauses), "clause"),
    )
    return f"{book.title} ({book.name}) is in order: {', '.join(parts)}"
