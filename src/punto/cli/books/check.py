"""`punto check`: whether a book can be used, what its bets are worth, and what its writer should know."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import JsonOption, resolve_book
from punto.cli.terminal.say import REFUSED, answer_json, one_line, refuse, refuse_lines

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.rules.reading.problem import Problem
    from punto.rules.reading.resolve import Resolved
    from punto.studies.counting.countability import Countability
    from punto.studies.workshop.examination import BookWarning, Examination

    Located = tuple[BookWarning, Problem]

SHOES, CUT, SEED = 2_000, 14, 1
"""What --count plays: the shoes, the cut card and the seed of punto count."""

ChipOption = Annotated[
    str, typer.Option("--chip", metavar="AMOUNT", help="The smallest chip, where stakes are whole units.")
]
CountOption = Annotated[
    bool, typer.Option("--count", help="Also find the bets that a card counter beats (some seconds).")
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Exit with status 2 if there is a warning not acknowledged.")
]


def check(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A book's TOML file, or a built-in book.", show_default=False),
    ],
    chip: ChipOption = "1",
    count: CountOption = False,
    strict: StrictOption = False,
    json: JsonOption = False,
) -> None:
    """Check a book: errors, the edge of every bet, and warnings."""
    from punto.rules.book import read_resolved
    from punto.rules.reading.problem import BookError

    smallest = _chip(chip)
    try:
        resolved = resolve_book(file)
        book = read_resolved(resolved)
    except BookError as error:
        if not json:
            refuse_lines(error.lines)
        # That a book is wrong is the answer to what was asked, so it goes to stdout all the same.
        answer_json(_record(file, error.problems))
        raise typer.Exit(REFUSED) from None

    from punto.studies.workshop.examination import Examination

    examination = Examination(book, smallest)
    study = _study(book) if count else None
    warnings = (*examination.warnings, *(examination.counted(study) if study else ()))
    found = sorted(((w, _located(w, resolved)) for w in warnings), key=lambda item: item[1].line or 0)
    reasons = {entry.warning: entry.reason for entry in book.text.acknowledged}
    if json:
        answer_json({**_record(file, []), **_examined(file, examination, found, reasons, study)})
    else:
        from punto.cli.terminal.ink import note

        note(f"{file}: {_contents(book)}")
        _draw(examination, found, reasons, file)
        if study is not None and study.not_followed:
            from punto.cli.terminal.ink import tell

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
    from punto.cli.options.unseen import allowed_decks
    from punto.studies.counting.countability import countability
    from punto.studies.shoes import Shoes

    return countability(book, Shoes(book.play, allowed_decks(book, None), CUT), SHOES, SEED)


def _record(file: str, problems: list[Problem]) -> dict[str, object]:
    return {
        "file": file,
        "ok": not problems,
        "problems": [{**_place(problem, file), "problem": problem.sentence} for problem in problems],
    }


def _place(problem: Problem, file: str) -> dict[str, object]:
    from punto.rules.reading.problem import format_place

    return {
        "place": format_place(problem.place).removesuffix(": "),
        "line": problem.line,
        "file": problem.file or file,
    }


def _located(warning: BookWarning, resolved: Resolved) -> Problem:
    from punto.rules.reading.problem import Problem

    return resolved.locate(Problem(warning.place, warning.sentence))


def _examined(
    file: str,
    examination: Examination,
    found: list[Located],
    reasons: dict[str, str],
    study: Countability | None,
) -> dict[str, object]:
    """The answer for programs; docs/reference/command-line.md describes it."""
    from punto.documents.number import fraction
    from punto.rules.digest import digest_of

    return {
        "book": examination.book.name,
        "digest": digest_of(examination.book),
        "bets": [
            {
                "bet": one.area,
                "edges": [
                    {"decks": decks, "edge": float(edge), "ev": fraction(-edge)}
                    for decks, edge in one.edges.items()
                ],
            }
            for one in examination.bets
        ],
        "warnings": [
            {
                "warning": warning.name,
                **_place(problem, file),
                "sentence": warning.sentence,
                "acknowledged": reasons.get(warning.name),
            }
            for warning, problem in found
        ],
        **({"not_counted": list(study.not_followed)} if study is not None else {}),
    }


def _draw(examination: Examination, found: list[Located], reasons: dict[str, str], file: str) -> None:
    from punto.cli.terminal.ink import note, show, tell
    from punto.documents.page import Style
    from punto.rules.words import counted

    print()
    show(examination.table)
    print()
    open_ones = [item for item in found if item[0].name not in reasons]
    for warning, problem in open_ones:
        # Not wrapped: an editor finds the line by it, as with errors.
        note(one_line(f"{problem.file or file}: {problem} [{warning.name}]"), Style.NOTICE)
    names = dict.fromkeys(warning.name for warning, _ in found if warning.name in reasons)
    for name in names:
        tell(f"acknowledged: {name}: {reasons[name]}", Style.QUIET)
    if not open_ones:
        tell("No warnings." if not names else "No other warnings.", Style.GOOD)
    else:
        tell(f"{counted(len(open_ones), 'warning')}. A book can acknowledge one by its name in brackets.")


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
