"""`punto play`: a person at a table in the terminal, against the house, by the book.

The game goes through the same table engine as everything else: what can be bet, drawn, insured or decided is
what the table allows, and every payment has its clause.
"""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import open_book


def play(
    book: Annotated[
        str | None,
        typer.Argument(
            metavar="[BOOK]",
            help="A built-in book, or the path of a TOML file; without it you are asked.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="S", help="A whole number that fixes the shoes; without it fresh ones."
        ),
    ] = None,
    decks: Annotated[
        int | None, typer.Option("--decks", metavar="N", help="Number of decks; without it the most allowed.")
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option("--layout", metavar="NAME", help="The table's layout; punto rules lists them."),
    ] = None,
    box: Annotated[int | None, typer.Option("--box", metavar="N", help="The betting box to sit at.")] = None,
    bankroll: Annotated[
        str, typer.Option("--bankroll", metavar="AMOUNT", help="Money to begin with.")
    ] = "5000",
    minimum: Annotated[str, typer.Option("--minimum", metavar="AMOUNT", help="The least bet.")] = "10",
    maximum: Annotated[
        str,
        typer.Option(
            "--maximum", metavar="AMOUNT", help="The greatest bet, or differential where the book goes by it."
        ),
    ] = "10000",
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE", help="Keep the game here, and go on with it if it is there."),
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="Begin a new game, whatever was kept.")] = False,
    pace: Annotated[
        float | None,
        typer.Option(
            "--pace", metavar="SECONDS", help="Time between cards; 0 deals at once.", show_default=False
        ),
    ] = None,
) -> None:
    """Play at a table in the terminal, against the house."""
    from punto.cli.play_and_learn.play.arrival import Wishes, arrive

    rule_book = open_book(book) if book is not None else None
    wishes = Wishes(book, rule_book, seed, decks, layout, box, bankroll, minimum, maximum)
    raise typer.Exit(arrive(wishes, save, is_new=new, pace=pace))
