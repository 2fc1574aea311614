"""The exact odds of catalogue bets, counted once: what was counted is kept in the user's cache folder.

A bet is counted by a book that takes it, as anybody's book would. The ways of its rows are kept under a
digest of all they depend on: the conditions, the table of play, the decks and the version of Punto. A cache
that cannot be read or written only means that they are counted again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from punto import __version__
from punto.books import base_of, load, take_bet
from punto.books.catalogue import CataloguedBet
from punto.rules.book import read_book
from punto.rules.outcome import Result, parse_odds
from punto.rules.text.bet import PayRow
from punto.rules.wording.condition import say_condition
from punto.rules.wording.english import ENGLISH

if TYPE_CHECKING:
    from punto.rules.book import Book

BASE = "commission"
"""The book whose table of play the bets are counted with: the standard one."""
USUAL_DECKS = 8
AT_ONCE = 40
"""Bets of one book that counts them: fewer than a book may have."""


Counted = tuple[int, bool]
"""The ways of a row, and whether some deal that meets it goes to a row above."""


class PricedRow(NamedTuple):
    """A row of a pay table, the number of ways in which it comes, and whether a row above may take them."""

    row: PayRow
    ways: int
    is_below: bool

    @property
    def when(self) -> str:
        """When the bet is settled by it, in the words of every other page."""
        if self.row.when is None:
            return ENGLISH.otherwise
        return say_condition(self.row.when, ENGLISH, is_below=self.is_below)


@dataclass(frozen=True, slots=True)
class PricedBet:
    """A bet with the number of ways in which each of its rows comes."""

    bet: CataloguedBet
    rows: tuple[PricedRow, ...]
    """In the order of the pay table."""

    @property
    def total(self) -> int:
        """All ways."""
        return sum(row.ways for row in self.rows)

    @property
    def edge(self) -> Fraction:
        """What the house keeps of one unit staked, on average."""
        return -sum((_net(row.row) * row.ways for row in self.rows), Fraction(0)) / self.total

    @property
    def hit(self) -> Fraction:
        """The chance to win."""
        return Fraction(sum(row.ways for row in self.rows if row.row.odds is not None), self.total)


def _net(row: PayRow) -> Fraction:
    if row.odds is not None:
        return parse_odds(row.odds)
    return Fraction(0 if row.result is Result.PUSH else -1)


def priced(bets: Sequence[CataloguedBet], decks: int) -> Iterator[PricedBet]:
    """The bets with their exact odds, from the cache or counted now; what was counted is then kept."""
    play = msgspec.json.encode(load(BASE).text.play)
    keys = {bet.bet: _key(bet, play, decks) for bet in bets}
    known = _kept()
    missing = [bet for bet in bets if len(known.get(keys[bet.bet], ())) != len(bet.as_bet.pays)]
    if missing:
        known |= {keys[one.bet.bet]: [row[1:] for row in one.rows] for one in count(missing, decks)}
        _keep(known)
    for bet in bets:
        yield _priced(bet, known[keys[bet.bet]])


def _priced(bet: CataloguedBet, counted: Sequence[Counted]) -> PricedBet:
    rows = zip(bet.as_bet.pays, counted, strict=True)
    return PricedBet(bet, tuple(PricedRow(row, *of_row) for row, of_row in rows))


def count(bets: Sequence[CataloguedBet], decks: int) -> Iterator[PricedBet]:
    """The bets with their exact odds, counted now."""
    from punto.odds.round_so_far import RoundSoFar
    from punto.odds.undealt import Undealt
    from punto.odds.weighing import Weighing

    left = iter(bets)
    while some := list(islice(left, AT_ONCE)):
        book = book_of(some, decks)
        weighing = Weighing(book, Undealt.of_decks(decks), RoundSoFar.of(book.play, ()))
        for bet in some:
            ways = {id(row): number for row, number in weighing.odds(bet.bet).rows}
            rows = book.pay_tables[bet.bet].rows
            yield _priced(bet, [(ways.get(id(row), 0), row.is_below) for row in rows])


def book_of(bets: Sequence[CataloguedBet], decks: int) -> Book:
    """A book that takes these bets. Some rows never happen with one deck, so eight are allowed too."""
    names = {bet.bet for bet in bets}
    clashing = [f"bets.{bet.area}" for bet in load(BASE).bets if bet.area in names]
    text = f"""
        extends = "{BASE}"
        name = "catalogue"
        remove = {json.dumps(clashing)}
        take = {json.dumps([bet.bet for bet in bets])}
        [decks]
        allowed = {sorted({decks, USUAL_DECKS})}
    """
    return read_book(text, "catalogue", base_of, take_bet)


def _key(bet: CataloguedBet, play: bytes, decks: int) -> str:
    rows = msgspec.json.encode([bet.first_match, [row.when for row in bet.pays]])
    return sha256(b"\n".join((__version__.encode(), str(decks).encode(), rows, play))).hexdigest()


def cache_file() -> Path:
    """Where counted odds are kept, as the XDG base directory specification says."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(named) if Path(named).is_absolute() else Path.home() / ".cache"
    return folder / "punto" / "catalogue-odds.json"


def _kept() -> dict[str, list[Counted]]:
    from punto.cli.files.kept_file import kept
    from punto.cli.files.reader import CannotRead

    try:
        content = kept(cache_file())
        found = msgspec.json.decode(content, type=dict[str, list[tuple[str, bool]]]) if content else {}
        return {key: [(int(ways), below) for ways, below in rows] for key, rows in found.items()}
    except (CannotRead, RuntimeError, ValueError, RecursionError, msgspec.MsgspecError):
        return {}


def _keep(known: dict[str, list[Counted]]) -> None:
    from punto.cli.files.kept_file import keep
    from punto.cli.files.writer import CannotWrite

    # As text: the counts of a large shoe are beyond 64 bits.
    content = {key: [(str(ways), below) for ways, below in rows] for key, rows in known.items()}
    with suppress(CannotWrite, RuntimeError):
        keep(cache_file(), msgspec.json.encode(content))
