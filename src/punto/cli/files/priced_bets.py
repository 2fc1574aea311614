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
from typing import TYPE_CHECKING

import msgspec

from punto import __version__
from punto.books import base_of, load, take_bet
from punto.books.catalogue import CataloguedBet
from punto.rules.book import read_book
from punto.rules.outcome import Result, parse_odds
from punto.rules.text.bet import PayRow

if TYPE_CHECKING:
    from punto.rules.book import Book

BASE = "commission"
"""The book whose table of play the bets are counted with: the standard one."""
USUAL_DECKS = 8
AT_ONCE = 40
"""Bets of one book that counts them: fewer than a book may have."""


@dataclass(frozen=True, slots=True)
class PricedBet:
    """A bet with the number of ways in which each of its rows comes."""

    bet: CataloguedBet
    rows: tuple[tuple[PayRow, int], ...]

    @property
    def total(self) -> int:
        """All ways."""
        return sum(ways for _, ways in self.rows)

    @property
    def edge(self) -> Fraction:
        """What the house keeps of one unit staked, on average."""
        return -sum((_net(row) * ways for row, ways in self.rows), Fraction(0)) / self.total

    @property
    def hit(self) -> Fraction:
        """The chance to win."""
        return Fraction(sum(ways for row, ways in self.rows if row.odds is not None), self.total)


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
        known |= {keys[one.bet.bet]: [ways for _, ways in one.rows] for one in count(missing, decks)}
        _keep(known)
    for bet in bets:
        yield PricedBet(bet, tuple(zip(bet.as_bet.pays, known[keys[bet.bet]], strict=True)))


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
            numbers = (ways.get(id(row), 0) for row in book.pay_tables[bet.bet].rows)
            yield PricedBet(bet, tuple(zip(bet.as_bet.pays, numbers, strict=True)))


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


def _kept() -> dict[str, list[int]]:
    from punto.cli.files.kept_file import kept
    from punto.cli.files.reader import CannotRead

    try:
        content = kept(cache_file())
        found = msgspec.json.decode(content, type=dict[str, list[str]]) if content else {}
        return {key: [int(number) for number in ways] for key, ways in found.items()}
    except (CannotRead, RuntimeError, ValueError, RecursionError, msgspec.MsgspecError):
        return {}


def _keep(known: dict[str, list[int]]) -> None:
    from punto.cli.files.kept_file import keep
    from punto.cli.files.writer import CannotWrite

    # As text: the counts of a large shoe are beyond 64 bits.
    content = {key: [str(number) for number in ways] for key, ways in known.items()}
    with suppress(CannotWrite, RuntimeError):
        keep(cache_file(), msgspec.json.encode(content))
