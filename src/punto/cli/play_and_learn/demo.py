"""`punto demo`: the first rounds of a shoe of every book, and the most eventful of them settled.

What `make play` shows where there is no terminal. The seeds are fixed, so everybody sees the same cards.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from punto.cli.options.book import JsonOption
from punto.cli.tables.deal import decks_of, draw_rounds, shoe_record, tally
from punto.cli.terminal.say import answer_json

if TYPE_CHECKING:
    from punto.coup.coup import Coup
    from punto.rules.book import Book
    from punto.table.settlement.line import SettlementLine

FIRST_SEED = 1272
"""Seed of the first book's shoe; each further book takes the next."""

ROUNDS = 6
STAKE = 100_00
"""On every area, in cents."""


def demo(json: JsonOption = False) -> None:
    """Deal a few rounds by every built-in book."""
    from punto.books import NAMES, load
    from punto.cards.shuffle import seeded_bytes
    from punto.dealer.dealt_shoe import deal_shoe
    from punto.rules.words import counted

    shoes = []
    for seed, name in enumerate(NAMES, start=FIRST_SEED):
        book = load(name)
        decks = decks_of(book, None)
        shoe = deal_shoe(decks, seeded_bytes(seed))
        shoes.append((book, decks, seed, list(islice(shoe.rounds(book.play), ROUNDS))))
    if json:
        answer_json({"shoes": [shoe_record(*shoe) for shoe in shoes]})
        return
    from punto.cli.terminal.ink import tell
    from punto.documents.page import Style

    for book, decks, seed, coups in shoes:
        tell(book.title, Style.TITLE)
        tell(f"{counted(decks, 'deck')}, seed {seed}. The first {tally(coups)}", Style.QUIET)
        draw_rounds(book, coups)
        print()
        _draw_settlement(book, coups)
        print()
    tell("Next: punto rules BOOK, punto deal BOOK, punto settle BOOK ..., punto --help", Style.QUIET)


def demo_slip(book: Book, coup: Coup) -> dict[str, int]:
    """A stake on every area, a wager for each ante, and the first insurance offered on each hand."""
    from punto.rules.text.bet import Area
    from punto.table.settlement.slip import offers_of

    multiple = book.ante.multiple if book.ante else 1
    slip = {bet.area: STAKE * (multiple if bet.kind is Area.WAGER else 1) for bet in book.bets}
    insured = set()
    for area, offer in offers_of(book, coup).items():
        if offer.hand not in insured:
            insured.add(offer.hand)
            slip[area] = int(STAKE / offer.odds)
    return slip


def demo_settlement(book: Book, coup: Coup) -> list[SettlementLine]:
    """The demonstration slip, settled."""
    from punto.refusal import Refusal
    from punto.table.settlement.slip import settle_slip

    lines = settle_slip(book, coup, demo_slip(book, coup))
    assert not isinstance(lines, Refusal), "no book refuses a bet on each of its areas"
    return lines


def _draw_settlement(book: Book, coups: list[Coup]) -> None:
    """The round that paid the longest odds: it says the most about the book."""
    from punto.cli.tables.settle import settlement_grid
    from punto.cli.terminal.ink import show

    settled = [demo_settlement(book, coup) for coup in coups]
    number, lines = max(
        enumerate(settled, start=1), key=lambda each: max(line.outcome.odds or 0 for line in each[1])
    )
    print(f"Round {number}, settled:")
    show(settlement_grid(lines))
