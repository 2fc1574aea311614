"""`punto deal`: a shoe, shuffled from a seed and dealt by a book, round by round."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from rich.console import Console

    from punto.cli.rounds import DealtShoe
    from punto.coup.coup import Coup
    from punto.rules.book import Book

FRESH_SEEDS = 10**9
"""A seed that nobody chose is below this, short enough to be typed again."""


def deal(
    book: BookArgument,
    decks: Annotated[
        int | None,
        typer.Option(
            "--decks", metavar="N", help="Number of decks; without it the most that the book allows."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="S", help="A whole number that fixes the shuffle; without it a fresh one."
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", metavar="R", help="Number of rounds; without it the whole shoe."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Deal a shoe and print each round."""
    if rounds is not None and rounds < 1:
        refuse(f"{rounds} rounds cannot be dealt; give at least 1")
    rule_book = open_book(book)
    from punto.cli.rounds import deal_shoe

    number = decks_of(rule_book, decks)
    chosen = fresh_seed() if seed is None else seed
    shoe = deal_shoe(number, chosen)
    coups = list(islice(shoe.rounds(rule_book.play), rounds))
    if json:
        answer_json(shoe_record(rule_book, number, chosen, coups))
        return
    from punto.cli.terminal.console import felt
    from punto.cli.terminal.wording import counted

    console = felt()
    of = counted(number, "deck")
    console.print(f"[bold]{rule_book.title}[/], {of}, seed {chosen}, {_burn_words(shoe)}")
    draw_rounds(console, rule_book, coups)
    ended = ""
    if rounds is not None and len(coups) < rounds:
        ended = f"The shoe ended after {len(coups)} of the {rounds} rounds asked for."
    console.print(f"\n{tally(coups)}\n{ended}".rstrip())


def decks_of(book: Book, decks: int | None) -> int:
    """The number of decks asked for, if the book allows it; the most it allows where none was."""
    allowed = book.decks
    if decks is None:
        return max(allowed.allowed)
    if decks not in allowed.allowed:
        from punto.cli.terminal.wording import counted, numbers

        refuse(
            f"{book.name} is not played with {counted(decks, 'deck')} but with "
            f"{numbers(allowed.allowed)} (clause {allowed.clause})"
        )
    return decks


def fresh_seed() -> int:
    """A seed from the operating system; it is printed, so the shoe can be dealt again."""
    import secrets

    return secrets.randbelow(FRESH_SEEDS)


def shoe_record(book: Book, decks: int, seed: int, coups: list[Coup]) -> dict[str, object]:
    """A dealt shoe for programs."""
    from punto.cli.terminal.faces import round_record

    rounds = [round_record(book, coup) for coup in coups]
    return {"book": book.name, "decks": decks, "seed": seed, "rounds": rounds}


def draw_rounds(console: Console, book: Book, coups: list[Coup]) -> None:
    """One line for each round."""
    from rich.table import Table
    from rich.text import Text

    from punto.cli.terminal.console import print_table
    from punto.cli.terminal.faces import WINNERS, called_out, hand_face

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("", "Player", "", "Banker", "", "winner", ""):
        table.add_column(heading, justify="left" if heading else "right")
    table.columns[-1].justify = "left"
    table.columns[1].min_width = table.columns[3].min_width = 11
    for number, coup in enumerate(coups, start=1):
        table.add_row(
            str(number),
            console.highlighter(hand_face(coup.player)),
            str(coup.player_points),
            console.highlighter(hand_face(coup.banker)),
            str(coup.banker_points),
            Text(WINNERS[coup.winner], style=coup.winner.value),
            Text(", ".join(called_out(book, coup)), style="call"),
        )
    print_table(console, table)


def tally(coups: list[Coup]) -> str:
    """How often each side won."""
    from punto.cli.terminal.faces import WINNERS
    from punto.cli.terminal.wording import counted

    won = Counter(coup.winner for coup in coups)
    counts = ", ".join(f"{name} {won[winner]}" for winner, name in WINNERS.items())
    return f"{counted(len(coups), 'round')}: {counts}"


def _burn_words(shoe: DealtShoe) -> str:
    return f"{shoe.order[0].symbol} shown and {shoe.burned - 1} more burned"
