"""`punto play`: a person at a table in the terminal, against the house, by the book.

The game goes through the same table engine as everything else: what can be bet, drawn, insured or decided is
what the table allows, and every payment has its clause.
"""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import open_book
from punto.cli.options.completion import complete_book


def play(
    book: Annotated[
        str | None,
        typer.Argument(
            metavar="[BOOK]",
            help="A built-in book, or the path of a TOML file; without it you are asked.",
            show_default=False,
            autocompletion=complete_book,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="S", help="A whole number that fixes the shoes; default: fresh ones."),
    ] = None,
    decks: Annotated[
        int | None,
        typer.Option("--decks", metavar="N", help="Number of decks; default: the most the book allows."),
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option("--layout", metavar="NAME", help="The table's layout; punto rules lists them."),
    ] = None,
    box: Annotated[
        list[int] | None,
        typer.Option("--box", metavar="N", help="The betting box to sit at; again for a second box."),
    ] = None,
    bots: Annotated[int, typer.Option("--bots", metavar="N", help="Bots at the other boxes.", min=0)] = 0,
    squeeze: Annotated[
        bool, typer.Option("--squeeze", help="Deal face down, and peel your cards, where the book allows it.")
    ] = False,
    bankroll: Annotated[
        str, typer.Option("--bankroll", metavar="AMOUNT", help="Money to begin with.")
    ] = "5000",
    minimum: Annotated[str, typer.Option("--minimum", metavar="AMOUNT", help="The minimum bet.")] = "10",
    maximum: Annotated[
        str,
        typer.Option(
            "--maximum", metavar="AMOUNT", help="The maximum bet, or differential in a book that has one."
        ),
    ] = "10000",
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE", help="Save the game in this file, or resume the one in it."),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="NAME",
            help="Name the game, or resume the one of this name.",
            show_default=False,
        ),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the saved games, and do not play.")] = False,
    delete: Annotated[
        str | None,
        typer.Option(
            "--delete", metavar="NAME", help="Delete a saved game, and do not play.", show_default=False
        ),
    ] = None,
    export: Annotated[
        str | None,
        typer.Option(
            "--export",
            metavar="FILE",
            help="Write the game of --game or --save to FILE.punto for punto run, and do not play.",
            show_default=False,
        ),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin a new game without asking; saved ones are kept.")
    ] = False,
    pace: Annotated[
        float | None,
        typer.Option(
            "--pace", metavar="SECONDS", help="Time between cards; 0 deals at once.", show_default=False
        ),
    ] = None,
) -> None:
    """Play at a table in the terminal, against the house."""
    if list_ or delete is not None or export is not None:
        _tend(is_listed=list_, delete=delete, export=export, game=game, save=save)
        return
    from punto.cli.play_and_learn.play.arrival import NewGame, arrive

    rule_book = open_book(book) if book is not None else None
    asked = NewGame(
        rule_book,
        seed,
        decks,
        layout,
        tuple(dict.fromkeys(box or ())),
        bots,
        squeeze,
        bankroll,
        minimum,
        maximum,
    )
    raise typer.Exit(arrive(asked, save, name=game, is_new=new, pace=pace))


def _tend(
    *, is_listed: bool, delete: str | None, export: str | None, game: str | None, save: str | None
) -> None:
    """What can be done with saved games without playing; one thing at a time."""
    from punto.cli.files.kept_file import named_file
    from punto.cli.play_and_learn.play.kept_games import delete_game, export_game, list_games
    from punto.cli.terminal.say import refuse

    if is_listed + (delete is not None) + (export is not None) > 1:
        refuse("give one of --list, --delete and --export")
    if is_listed:
        list_games()
    elif delete is not None:
        delete_game(delete)
    elif export is not None:
        export_game(game, named_file("--save", save) if save is not None else None, export)
