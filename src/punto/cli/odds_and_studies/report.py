"""`punto report`: the PAR sheet of a game, as a file whose ending says of which kind."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.files.result_file import check_format, put
from punto.cli.odds_and_studies.count import SeedOption, say, say_progress
from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.options.unseen import DecksOption, allowed_decks
from punto.cli.terminal.say import answer_json

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


def report(
    book: BookArgument,
    output: OutputOption,
    decks: DecksOption = None,
    shoes: ShoesOption = 2_000,
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """Write the PAR sheet of a game: every figure, with charts and how to reproduce it."""
    from punto.reports.formats import FORMATS

    path = check_format(output, tuple(FORMATS))
    rule_book = open_book(book)
    decks = allowed_decks(rule_book, decks)

    from punto.reports.par_sheet import par_sheet

    if shoes:
        say("preparing the kernels (compiled once, some seconds, then kept)")
    sheet = par_sheet(rule_book, decks, shoes, seed, lambda done: say_progress(done, shoes))
    content = FORMATS[path.suffix.lower()](sheet)
    put(path, content)
    if json:
        answer_json({"book": rule_book.name, "decks": decks, "file": str(path), "bytes": len(content)})
    else:
        print(f"{path}: PAR sheet of {rule_book.title}, {decks} decks, {len(content):,} bytes")
