"""The catalogue of published bets with exact odds, for whoever browses it on a page or at a terminal. Each bet is
counted in a book that takes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from punto.books import base_of, load, take_bet
from punto.books.catalogue import CataloguedBet, source_words
from punto.odds.odds_answer import ExactFigure
from punto.rules.book import Book, read_book
from punto.rules.book_text import PayRow
from punto.rules.outcome import Result, parse_odds
from punto.rules.wording import condition_words

PRICED_BASE = "commission"  # The book whose table of play the bets are counted with: the standard one.
PRICED_DECKS = 8
COUNTED_AT_ONCE = 40  # Bets of one book that counts them: fewer than a book may have.

WaysOfRow = tuple[int, bool]  # The ways of a row, and whether some deal that meets it goes to a row above.


class PricedRow(NamedTuple):
    """A row of a pay table, the number of ways in which it comes, and whether a row above may take them."""

    row: PayRow
    ways: int
    is_overlapped: bool

    @property
    def when(self) -> str:
        return condition_words(self.row.when, is_overlapped=self.is_overlapped)


@dataclass(frozen=True, slots=True)
class PricedBet:
    bet: CataloguedBet
    rows: tuple[PricedRow, ...]  # In the order of the pay table.

    @property
    def total(self) -> int:
        return sum(row.ways for row in self.rows)

    @property
    def edge(self) -> Fraction:
        """What the house keeps of one unit staked, on average."""
        return -sum((_net(row.row) * row.ways for row in self.rows), Fraction(0)) / self.total

    @property
    def hit(self) -> Fraction:
        """The chance to win."""
        return Fraction(sum(row.ways for row in self.rows if row.row.odds is not None), self.total)


class PayChance(msgspec.Struct, frozen=True):
    when: str
    pays: str
    chance: ExactFigure


class BetRecord(msgspec.Struct, frozen=True):
    """A bet of the catalogue for programs; docs/reference/command-line.md describes it."""

    bet: str
    name: str
    pays: tuple[PayChance, ...]
    source: str
    published: tuple[dict[str, Any], ...]  # What sources say of the bet, also where they say nothing.
    edge: ExactFigure
    hit: ExactFigure
    first_match: bool
    needs: tuple[str, ...]
    note: str | None

    @classmethod
    def of(cls, priced: PricedBet) -> BetRecord:
        bet, total = priced.bet, priced.total
        return cls(
            bet.bet,
            bet.labels.en,
            tuple(PayChance(r.when, pays_words(r.row), ExactFigure.of(Fraction(r.ways, total))) for r in priced.rows),
            source_words(bet),
            tuple(map(msgspec.structs.asdict, bet.published)),
            ExactFigure.of(priced.edge),
            ExactFigure.of(priced.hit),
            bet.first_match,
            tuple(bet.needs),
            bet.note,
        )


def _net(row: PayRow) -> Fraction:
    if row.odds is not None:
        return parse_odds(row.odds)
    return Fraction(0 if row.result is Result.PUSH else -1)


def priced_bet(bet: CataloguedBet, ways_of_rows: Sequence[WaysOfRow]) -> PricedBet:
    rows = zip(bet.as_bet.pays, ways_of_rows, strict=True)
    return PricedBet(bet, tuple(PricedRow(row, *ways) for row, ways in rows))


def count_bets(bets: Sequence[CataloguedBet], decks: int) -> Iterator[PricedBet]:
    """The bets with their exact odds, counted now."""
    from punto.odds.bet_odds import Weighing
    from punto.odds.known_cards import RoundSoFar, Undealt

    left = iter(bets)
    while some := list(islice(left, COUNTED_AT_ONCE)):
        book = book_of(some, decks)
        weighing = Weighing(book, Undealt.of_decks(decks), RoundSoFar.of(book.play, ()))
        for bet in some:
            ways = {id(row): number for row, number in weighing.odds(bet.bet).rows}
            rows = book.pay_tables[bet.bet].rows
            yield priced_bet(bet, [(ways.get(id(row), 0), row.is_overlapped) for row in rows])


def book_of(bets: Sequence[CataloguedBet], decks: int) -> Book:
    """A book that takes these bets. Some rows never happen with one deck, so eight are allowed too."""
    names = {bet.bet for bet in bets}
    clashing = [f"bets.{bet.area}" for bet in load(PRICED_BASE).bets if bet.area in names]
    text = f"""
        extends = "{PRICED_BASE}"
        name = "catalogue"
        remove = {json.dumps(clashing)}
        take = {json.dumps([bet.bet for bet in bets])}
        [decks]
        allowed = {sorted({decks, PRICED_DECKS})}
    """
    return read_book(text, "catalogue", base_of, take_bet)


def pays_words(row: PayRow) -> str:
    assert row.odds or row.result, "a row has odds or a result"
    return row.odds or (row.result.value if row.result else "")
