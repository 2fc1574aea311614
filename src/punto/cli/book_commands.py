"""`punto books`, `rules`, `check` and `schema`: which rule books there are, what one says, whether a file is
one, and the format of such files. They start fast, so books are loaded inside the functions that use them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.ink import note, show, show_page, tell
from punto.cli.options import BookArgument, JsonOption, argument, open_book, option
from punto.cli.output import PREPARING, REFUSED, answer_json, one_line, refuse, say_progress, say_waiting
from punto.documents.page import Grid, Page, Style

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.rules.validation import Problem
    from punto.studies.card_counting import Countability
    from punto.studies.examination import BookWarning, Examination

    Located = tuple[BookWarning, Problem]

SHOES, CUT, SEED = 2_000, 14, 1  # What --count plays: the shoes, the cut card and the seed of punto count.


def books(json: JsonOption = False) -> None:
    """List the built-in rule books."""
    from punto.books import NAMES, load

    books = [load(name) for name in NAMES]
    if json:
        from punto.rules.book import BookSummary

        answer_json([BookSummary.of(book) for book in books])
        return
    from punto.rules.wording import number_words

    rows = []
    for book in books:
        decks = number_words(book.text.decks.allowed)
        rows.append((book.name, book.title, book.effective or "undated", decks, str(len(book.areas))))
    show(Grid(("book", "title", "in effect", "decks", "bets"), tuple(rows), right=(4,), grows=1))
    print()
    tell("punto rules BOOK prints one; the path of your own TOML file works as well.", Style.QUIET)


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
        from punto.rules.book import digest_of

        print(digest_of(rule_book))
    elif toml:
        from punto.rules.book_file import book_toml

        print(book_toml(rule_book.text), end="")
    elif json:
        answer_json(rule_book.text)
    else:
        from punto.reports.rule_book import rule_book_page

        print_page(rule_book_page(rule_book), markdown=markdown)


def print_page(page: Page, *, markdown: bool = False, html: bool = False) -> None:
    """A page as text for this terminal, as Markdown or as HTML."""
    if markdown:
        from punto.documents.text import markdown_lines

        print("\n".join(markdown_lines(page)))
    elif html:
        from punto.documents.typesetting import html_page

        print(html_page(page), end="")
    else:
        show_page(page)


def check(
    file: Annotated[str, argument("FILE", "A book's TOML file, or a built-in book.")],
    chip: Annotated[
        str, option("--chip", "AMOUNT", "The smallest chip, where stakes are whole units.", show_default=True)
    ] = "1",
    count: Annotated[
        bool, typer.Option("--count", help="Also find the bets that a card counter beats (some seconds).")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with status 2 if there is a warning not acknowledged.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Check a book: errors, the edge of every bet, and warnings."""
    from punto.books import built_in, resolve
    from punto.rules.book import read_resolved
    from punto.rules.validation import BookError, Problem

    smallest = _chip(chip)
    if not file.strip():
        refuse("no book was named; punto check takes the path of a TOML file, or a built-in book")
    try:
        resolved = resolve(file)
        book = read_resolved(resolved)
    except BookError as error:
        if not json:
            raise
        # That a book is wrong is the answer to what was asked, so it goes to stdout all the same.
        from punto.studies.examination import CheckedBook

        answer_json(CheckedBook.wrong(file, error.problems))
        raise typer.Exit(REFUSED) from None

    from punto.studies.examination import CheckedBook, Examination

    is_slow = any(table.cards is not None for table in book.pay_tables.values())
    heard = partial(say_progress, "exact odds, numbers of decks")
    examination = Examination(book, smallest, *((heard,) if is_slow else ()), namesake=built_in(book.name))
    study = _study(book) if count else None
    warnings = (*examination.warnings, *(examination.counted(study) if study else ()))
    places = ((one, resolved.locate(Problem(one.place, one.sentence))) for one in warnings)
    located = sorted(places, key=lambda item: item[1].line or 0)
    reasons = {entry.warning: entry.reason for entry in book.text.acknowledged}
    if json:
        answer_json(CheckedBook.of(file, examination, located, study))
    else:
        note(f"{file}: {_contents(book)}")
        _draw_check(examination, located, reasons, file)
        if study is not None and study.not_followed:
            tell(f"--count has not examined every bet. {study.not_followed_words}")
    if strict and any(warning.name not in reasons for warning in warnings):
        raise typer.Exit(REFUSED)


def _chip(text: str) -> Fraction:
    try:
        amount = Fraction(text) if text.isascii() and len(text) < 20 and "e" not in text.lower() else None
    except (ValueError, ZeroDivisionError):
        amount = None
    if amount is None or amount <= 0:
        refuse(f"--chip takes the amount of the smallest chip, such as 1 or 0.05, and {text!r} is not one")
    return amount


def _study(book: Book) -> Countability:
    from punto.cli.shoe_options import allowed_decks
    from punto.studies.card_counting import countability
    from punto.studies.expectations import Shoes

    say_waiting(PREPARING)
    return countability(book, Shoes(book.play, allowed_decks(book), CUT), SHOES, SEED, say_progress)


def _draw_check(examination: Examination, located: list[Located], reasons: dict[str, str], file: str) -> None:
    from punto.rules.wording import counted

    print()
    show(examination.table)
    print()
    open_ones = [item for item in located if item[0].name not in reasons]
    for warning, problem in open_ones:
        # Not wrapped: an editor finds the line by it, as with errors.
        note(one_line(f"{problem.file or file}: {problem} [{warning.name}]"), Style.NOTICE)
    names = dict.fromkeys(warning.name for warning, _ in located if warning.name in reasons)
    for name in names:
        tell(f"acknowledged: {name}: {reasons[name]}", Style.QUIET)
    if not open_ones:
        tell("No warnings." if not names else "No other warnings.", Style.GOOD)
    else:
        tell(f"{counted(len(open_ones), 'warning')}. A book can acknowledge one by its name in brackets.")


def _contents(compiled: Book) -> str:
    from punto.rules.wording import counted

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


def schema(json: JsonOption = False) -> None:  # noqa: ARG001
    """Print a JSON Schema of book files, for editors."""
    from punto.books.schema import book_schema

    answer_json(book_schema())
