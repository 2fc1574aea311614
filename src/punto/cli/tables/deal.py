"""`punto deal`: a shoe, shuffled from a seed and dealt by a book, round by round."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.coup.coup import Coup
    from punto.dealer.dealt_shoe import DealtShoe
    from punto.rules.book import Book

FRESH_BITS = 256
"""Of a seed that nobody chose."""
MOST_ROUNDS = 1_000_000
"""Far more rounds than any shoe has."""


def deal(
    book: BookArgument,
    decks: Annotated[
        int | None,
        typer.Option("--decks", metavar="N", help="Number of decks; default: the most the book allows."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="S", help="A whole number that fixes the shuffle; default: a fresh one."
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", metavar="R", help="Number of rounds; default: the whole shoe."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Deal a shoe and print each round."""
    if rounds is not None and not 1 <= rounds <= MOST_ROUNDS:
        refuse(f"--rounds must be from 1 to {MOST_ROUNDS:,}, not {rounds}")
    rule_book = open_book(book)
    from punto.cards.shuffle import seeded_bytes
    from punto.dealer.dealt_shoe import deal_shoe

    number = decks_of(rule_book, decks)
    chosen = fresh_seed() if seed is None else seed
    shoe = deal_shoe(number, seeded_bytes(chosen))
    coups = list(islice(shoe.rounds(rule_book.play), rounds))
    if json:
        answer_json(shoe_record(rule_book, number, chosen, coups))
        return
    from punto.cli.terminal.ink import tell
    from punto.rules.words import counted

    tell(f"{rule_book.title}, {counted(number, 'deck')}, seed {chosen}, {_burn_words(shoe)}")
    draw_rounds(rule_book, coups)
    print()
    tell(tally(coups))
    if rounds is not None and len(coups) < rounds:
        tell(f"The shoe ended after {len(coups)} of the {rounds} rounds asked for.")


def decks_of(book: Book, decks: int | None) -> int:
    """The number of decks asked for, if the book allows it; by default the most it allows."""
    allowed = book.decks
    if decks is None:
        return max(allowed.allowed)
    if decks not in allowed.allowed:
        from punto.rules.words import counted, numbers

        refuse(
            f"{book.name} is not played with {counted(decks, 'deck')} but with "
            f"{numbers(allowed.allowed)} (clause {allowed.clause})"
        )
    return decks


def fresh_seed() -> int:
    """A seed from the operating system; it is printed, so the shoe can be dealt again."""
    import secrets

    return secrets.randbits(FRESH_BITS)


def shoe_record(book: Book, decks: int, seed: int, coups: list[Coup]) -> dict[str, object]:
    """A dealt shoe for programs."""
    from punto.cli.terminal.faces import round_record
    from punto.rules.digest import digest_of

    rounds = [round_record(book, coup) for coup in coups]
    return {"book": book.name, "digest": digest_of(book), "decks": decks, "seed": seed, "rounds": rounds}


def draw_rounds(book: Book, coups: list[Coup]) -> None:
    """One line for each round."""
    from punto.cli.terminal.faces import WINNERS, called_out, hand_face
    from punto.cli.terminal.ink import lines_of, red_suits
    from punto.documents.page import Grid

    rows = tuple(
        (
            str(number),
            hand_face(coup.player),
            str(coup.player_points),
            hand_face(coup.banker),
            str(coup.banker_points),
            WINNERS[coup.winner],
            ", ".join(called_out(book, coup)),
        )
        for number, coup in enumerate(coups, start=1)
    )
    heads = ("", "Player", "", "Banker", "", "winner", "")
    for line in lines_of(Grid(heads, rows, right=(0, 2, 4), grows=6)):
        print(red_suits(line))


def tally(coups: list[Coup]) -> str:
    """How often each side won."""
    from punto.cli.terminal.faces import WINNERS
    from punto.rules.words import counted

    won = Counter(coup.winner for coup in coups)
    counts = ", ".join(f"{name} {won[winner]}" for winner, name in WINNERS.items())
    return f"{counted(len(coups), 'round')}: {counts}"


def _burn_words(shoe: DealtShoe) -> str:
    return f"{shoe.order[0].symbol} shown and {shoe.burned - 1} more burned"
