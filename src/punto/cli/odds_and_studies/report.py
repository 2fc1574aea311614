"""`punto report`: the PAR sheet of a game, as a file whose ending says of which kind."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.files.result_file import check_format, put
from punto.cli.odds_and_studies.count import SeedOption, say, say_progress
from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.options.unseen import DecksOption, allowed_decks
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.reports.signing import TableLimits
    from punto.rules.book import Book

OutputOption = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Ends in .html, .pdf, .csv, .parquet or .json.",
        show_default=False,
    ),
]
ShoesOption = Annotated[
    int, typer.Option("--shoes", metavar="N", min=0, help="Shoes to play for countability; 0 for none.")
]

DateOption = Annotated[
    str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="Date of the sheet; none without it.")
]
RevisionOption = Annotated[str | None, typer.Option("--revision", metavar="TEXT", help="Its revision.")]
PreparedOption = Annotated[str | None, typer.Option("--prepared-by", metavar="NAME", help="Who prepared it.")]
ApprovedOption = Annotated[str | None, typer.Option("--approved-by", metavar="NAME", help="Who approved it.")]
MaximumOption = Annotated[
    str | None,
    typer.Option("--max", metavar="AMOUNT", help="Greatest stake on a bet, for the exposure of the house."),
]
DifferentialOption = Annotated[
    str | None,
    typer.Option("--differential", metavar="AMOUNT", help="Greatest differential of a box, likewise."),
]
AverageOption = Annotated[
    str | None,
    typer.Option(
        "--average-bet",
        metavar="AMOUNT",
        help="Stake for the bounds of hold by handle; default: the minimum.",
    ),
]


def report(
    book: BookArgument,
    output: OutputOption,
    decks: DecksOption = None,
    shoes: ShoesOption = 2_000,
    seed: SeedOption = 1,
    maximum: MaximumOption = None,
    differential: DifferentialOption = None,
    average_bet: AverageOption = None,
    date: DateOption = None,
    revision: RevisionOption = None,
    prepared_by: PreparedOption = None,
    approved_by: ApprovedOption = None,
    json: JsonOption = False,
) -> None:
    """Write the PAR sheet of a game: every figure, with charts and how to reproduce it."""
    from punto.reports.formats import FORMATS
    from punto.rules.words import counted

    path = check_format(output, tuple(FORMATS))
    rule_book = open_book(book)
    decks = allowed_decks(rule_book, decks)

    limits = table_limits(rule_book, _amount(maximum), _amount(differential), _amount(average_bet))
    _check_date(date)

    from punto.reports.par_sheet import par_sheet
    from punto.reports.signing import Signing

    if shoes:
        say("preparing the kernels (compiled once, some seconds, then kept)")
    signing = Signing(date, revision, prepared_by, approved_by)
    given = {
        "--max": maximum,
        "--differential": differential,
        "--average-bet": average_bet,
        "--date": date,
        "--revision": revision,
        "--prepared-by": prepared_by,
        "--approved-by": approved_by,
    }
    sheet = par_sheet(
        rule_book,
        decks,
        shoes,
        seed,
        lambda what, done, of: say_progress(done, of, what),
        limits=limits,
        signing=signing,
        argument=shlex.quote(book),
        options=shlex.join(text for item in given.items() if item[1] is not None for text in map(str, item)),
    )
    say("drawing the sheet")
    content = FORMATS[path.suffix.lower()](sheet)
    put(path, content)
    if json:
        answer_json(
            {
                "book": rule_book.name,
                "digest": sheet.digest,
                "decks": decks,
                "file": str(path),
                "bytes": len(content),
            }
        )
    else:
        from punto.cli.terminal.ink import note

        note(f"{path}: PAR sheet of {rule_book.title}, {counted(decks, 'deck')}, {len(content):,} bytes")


def table_limits(
    book: Book, maximum: int | None = None, differential: int | None = None, average: int | None = None
) -> TableLimits:
    """The limits that a sheet states exposure for: those given, or else those of a table as it is opened."""
    from punto.money import format_money
    from punto.reports.signing import TableLimits
    from punto.table.terms import boxes_of, default_terms

    terms = default_terms(book)
    measured = terms.differential is not None
    if differential is not None and not measured:
        refuse(f"{book.name} limits each bet, not the differential of a box; give --max")
    greatest = maximum if maximum is not None else terms.maximum
    bound = differential if differential is not None else terms.differential
    words = f"a maximum of {format_money(greatest)} for each bet" if greatest is not None else ""
    if bound is not None:
        words = f"a differential of {format_money(bound)} in each box" + (f" and {words}" if words else "")
    stake = average if average is not None else terms.minimum
    return TableLimits(terms.minimum, greatest, bound, boxes_of(book, terms), stake, words)


def _amount(text: str | None) -> int | None:
    from punto.money import parse_amount

    if text is None:
        return None
    try:
        amount = parse_amount(text)
    except ValueError as error:
        refuse(str(error))
    if amount <= 0:
        refuse("an amount must be positive")
    return amount


def _check_date(text: str | None) -> None:
    from datetime import date

    try:
        if text is not None and date.fromisoformat(text).isoformat() != text:
            raise ValueError
    except ValueError:
        refuse(f"{text!r} is not a date; write it as 2026-01-31")
