"""The catalogue: published bets of casinos, each as data that a book can take by name.

A file of `bets/` is a section of it. An entry says what its source says: the pay table, and the figures that
were published, to the last printed digit. What is taken becomes a piece of the book: the bet, and a clause
that names the source. Edges are not written here; they are counted, and tests compare them.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import msgspec

from punto.rules.book_file import BetNotFound, BookSource, entry_toml
from punto.rules.book_text import Area, Bet, Clause, ClauseKind, PayRow
from punto.rules.condition import When
from punto.rules.entry import Entry, Labels, Line, Name, NumberOfDecks, Text
from punto.rules.outcome import Result
from punto.rules.told import meant, told
from punto.rules.wording import condition_words
from punto.words import ENGLISH, Language, phrases

Printed = Annotated[str, msgspec.Meta(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
"""A figure in per cent with the digits that were printed."""

FOLDER = Path(__file__).with_name("bets")
SECTIONS: tuple[str, ...] = ("totals", "each-total", "pairs", "places", "hands", "ranks")
"""The sections, in the order in which they are listed; each is a file."""


class CataloguedRow(Entry, frozen=True):
    """A row of a pay table that wins or pushes; everything else loses."""

    when: When | tuple[When, ...]
    odds: str | None = None
    result: Result | None = None


class PublishedFigures(Entry, frozen=True):
    """What a source says of a bet with some number of decks, in per cent."""

    decks: NumberOfDecks = 8
    edge: Printed | None = None
    hit: Printed | None = None
    differs: Text | None = None
    """Where our exact figure is another one: why, worked out."""


class CataloguedBet(Entry, frozen=True):
    bet: Name
    """Its name in the catalogue, and its betting area in a book that takes it."""
    labels: Labels
    pays: tuple[CataloguedRow, ...]
    source: tuple[Line, ...]
    """Keys of sources.toml."""
    first_match: bool = False
    """Rows are tried from the top, so they may overlap."""
    published: tuple[PublishedFigures, ...] = ()
    needs: tuple[Name, ...] = ()
    """Betting areas of which the same player must hold at least one."""
    note: Text | None = None
    """How we read the source where it leaves room, or what of it cannot be said here."""

    @property
    def clause(self) -> str:
        """The clause that stands for it in a book."""
        return f"catalogue/{self.bet}"

    @property
    def as_bet(self) -> Bet:
        """The bet as a book has it: its clause is in every row, and the last row loses."""
        rows = tuple(PayRow(self.clause, row.when, False, row.odds, row.result) for row in self.pays)
        pays = (*rows, PayRow(self.clause, otherwise=True, result=Result.LOSE))
        needs_clause = self.clause if self.needs else None
        return Bet(
            self.bet, Area.SIDE, self.labels, self.clause, pays, self.first_match, None, self.needs, needs_clause
        )

    @property
    def as_clause(self) -> Clause:
        """What the bet says in words, and where that was published."""
        return Clause(self.clause, ClauseKind.BEHAVIOUR, self.sense_in(ENGLISH, self.labels.en))

    def sense_in(self, language: Language, name: str) -> str:
        """The clause in a language, in which the bet has this name."""
        say = phrases(language, "conditions.toml")

        def row_in(row: CataloguedRow) -> str:
            way = "catalogued.wins" if row.odds else "catalogued.pushes"
            won, _, staked = (row.odds or "").partition(":")
            return say[way].format(won=won, staked=staked, when=condition_words(row.when, language))

        rows = say["catalogued.next"].join(map(row_in, self.pays))
        first = say["catalogued.first"] if self.first_match else ""
        return say["catalogued.sense"].format(name=name, rows=rows, first=first, source=source_words(self))


class CatalogueSection(Entry, frozen=True):
    title: Line
    bets: tuple[CataloguedBet, ...]


@lru_cache(maxsize=len(SECTIONS))
def section(name: str) -> CatalogueSection:
    return msgspec.convert(tomllib.loads(_text(name)), CatalogueSection)


def catalogue() -> dict[str, CataloguedBet]:
    """Every bet by its name, section after section."""
    return {bet.bet: bet for name in SECTIONS for bet in section(name).bets}


def taken(name: str) -> BookSource:
    """A bet as a piece of a book: the bet and its clause. `BetNotFound` where the catalogue has none."""
    home = _homes().get(name)
    if home is None:
        raise BetNotFound(told("no-such-bet", name=name, meant=meant(name, _homes())))
    bet = next(bet for bet in section(home).bets if bet.bet == name)
    return BookSource(f"catalogue/{name}", piece_toml(bet), f"catalogue: {name}")


def piece_toml(bet: CataloguedBet) -> str:
    """What a book gets by taking a bet, as TOML."""
    return f"{entry_toml('bets', bet.as_bet)}\n{entry_toml('clauses', bet.as_clause)}"


def bet_names() -> tuple[str, ...]:
    return tuple(_homes())


@lru_cache(maxsize=1)
def _homes() -> dict[str, str]:
    """The section of every bet, found without reading what the bets say."""
    names = re.compile(r'^bet = "([^"]+)"', re.MULTILINE)
    return {bet: name for name in SECTIONS for bet in names.findall(_text(name))}


@lru_cache(maxsize=1)
def sources() -> dict[str, str]:
    """Where bets and figures were published, by key."""
    return msgspec.convert(tomllib.loads(_text("sources")), dict[str, str])


def source_words(bet: CataloguedBet) -> str:
    return "; ".join(sources()[key] for key in bet.source)


def _text(name: str) -> str:
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
