"""Pay tables for a bet: all odds of its rows, within bounds, that give a house edge in a range.

The expectation of a bet is linear in its odds. So the deals are weighed once, exactly, and what remains is a search
over whole numbers: all rows but one are gone through, and for the last one the odds that fit are an interval. The
arithmetic is in whole numbers, so that a table at the very end of the range is neither missed nor let in. What the
tables are ranked by, deviation and effects of removal, is computed for all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import gcd, lcm, prod, sqrt
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from punto.documents.page import fraction
from punto.odds.bet_odds import Weighing
from punto.odds.known_cards import RoundSoFar, Undealt
from punto.rules.book import Book, digest_of
from punto.rules.outcome import Result, format_odds
from punto.rules.wording import row_words
from punto.studies.card_counting import cards_to_remove

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = 1 << 18  # Pay tables that are looked at in one go.
MOST_STEPS = 1 << 28  # Steps beyond which a search is refused: it would take minutes.
_SAFE = 1 << 62  # Sums below this are exact in 64 bits.


class RankedBy(Enum):
    """What makes one pay table better than another."""

    NEARNESS = "nearness"  # How near the house edge is to the middle of the range.
    DEVIATION = "deviation"  # A low standard deviation: a steady bet.
    COUNTING = "counting"  # Small effects of removal: a bet that is hard to count.


class TooManyTables(Exception):
    """A search that would take too long; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class TunedRow:
    """A row of the pay table that wins, and the odds to try."""

    number: int  # Its place in the pay table, counted from 1.
    chance: Fraction
    odds: range  # In units: whole odds, or halves; one unit of its own odds where the row is kept.
    unit: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class TunedTable:
    """Odds for the rows that win, and what the bet is worth with them."""

    odds: tuple[Fraction, ...]
    edge: Fraction
    sd: float
    removal: float  # Root mean square of what the expectation changes when one card of a full shoe is gone.


@dataclass(frozen=True, slots=True)
class Tuning:
    """The pay tables that were found, best first, and how many there are in all."""

    area: str
    decks: int
    rows: tuple[TunedRow, ...]
    hit: Fraction  # The chance to win: the same for all odds.
    candidates: int  # Pay tables within the bounds.
    found: int
    tables: tuple[TunedTable, ...]


@dataclass(frozen=True, slots=True)
class TuningTerms:
    low: Fraction
    high: Fraction  # The range of the house edge, both ends included.
    unit: Fraction = Fraction(1)  # 1 for whole odds, 1/2 for halves.
    least: Fraction = Fraction(1)
    most: Fraction = Fraction(50)
    keep: tuple[tuple[int, Fraction], ...] = ()  # Rows whose odds stay, by number, with those odds.
    by: RankedBy = RankedBy.NEARNESS
    show: int = 20


class RowChance(msgspec.Struct, frozen=True):
    row: int
    when: str
    chance: str


class TableFigures(msgspec.Struct, frozen=True):
    odds: tuple[str, ...]
    edge: float
    ev: str
    sd: float
    removal: float


class TuningRecord(msgspec.Struct, frozen=True):
    book: str
    digest: str
    bet: str
    decks: int
    edge: tuple[float, float]  # The range that was asked for.
    hit: float
    rows: tuple[RowChance, ...]
    candidates: int
    found: int
    tables: tuple[TableFigures, ...]

    @classmethod
    def of(cls, book: Book, tuning: Tuning, terms: TuningTerms) -> TuningRecord:
        rows = book.pay_tables[tuning.area].rows
        chances = (RowChance(row.number, row_words(rows[row.number - 1]), fraction(row.chance)) for row in tuning.rows)
        tables = (
            TableFigures(tuple(map(format_odds, t.odds)), float(t.edge), fraction(-t.edge), t.sd, t.removal)
            for t in tuning.tables
        )
        return cls(
            *(book.name, digest_of(book), tuning.area, tuning.decks, (float(terms.low), float(terms.high))),
            *(float(tuning.hit), tuple(chances), tuning.candidates, tuning.found, tuple(tables)),
        )


def tune(book: Book, area: str, decks: int, terms: TuningTerms) -> Tuning:
    """Every pay table that gives an edge in the range; the best are listed, all are counted."""
    weighed = _Weighed(book, area, decks)
    fixed = dict(terms.keep)
    odds = range(int(-(-terms.least // terms.unit)), int(terms.most // terms.unit) + 1)
    rows = tuple(
        TunedRow(n, Fraction(ways, weighed.total), range(1, 2) if n in fixed else odds, fixed.get(n, terms.unit))
        for n, ways in weighed.ways.items()
        if weighed.results[n - 1] is Result.WIN
    )
    search = _Search(weighed, rows, terms)
    hit = sum((row.chance for row in rows), Fraction(0))
    tables = search.best()
    return Tuning(area, decks, rows, hit, prod(len(row.odds) for row in rows), search.found, tables)


class _Weighed:
    """In how many draws each row comes: with a full shoe, and with one card gone, by rank or by card."""

    def __init__(self, book: Book, area: str, decks: int) -> None:
        table = book.pay_tables[area]
        self.results = [row.outcome.result for row in table.rows]
        full = Undealt.of_decks(decks)
        self.ways, self.total = self._ways(book, area, full)
        cards = cards_to_remove(book, area)
        less = {card: self._ways(book, area, full.less([card])) for card in dict.fromkeys(cards)}
        self.without = [less[card] for card in cards]

    def _ways(self, book: Book, area: str, undealt: Undealt) -> tuple[dict[int, int], int]:
        """Draws by row, all rows in their order, and of all rows together."""
        numbers = {id(row): n for n, row in enumerate(book.pay_tables[area].rows, start=1)}
        odds = Weighing(book, undealt, RoundSoFar()).odds(area)
        return dict.fromkeys(numbers.values(), 0) | {numbers[id(row)]: draws for row, draws in odds.rows}, odds.total

    def lost(self, ways: dict[int, int]) -> int:
        """Draws in which the stake is lost."""
        return sum(ways[n] for n, result in enumerate(self.results, start=1) if result is Result.LOSE)


class _Search:
    """The search itself, over odds in units: `low <= sum of odds times weight <= high`."""

    def __init__(self, weighed: _Weighed, rows: Sequence[TunedRow], terms: TuningTerms) -> None:
        self.weighed, self.terms, self.rows = weighed, terms, rows
        self.found = 0
        total, lost = weighed.total, weighed.lost(weighed.ways)
        # A row that is kept at odds such as 0.95 has a unit of its own; a finer one makes all whole numbers.
        finest = lcm(*(row.unit.denominator for row in rows))
        weights = [int(weighed.ways[row.number] * row.unit * finest) for row in rows]
        # edge = (lost - sum(k * weight) / finest) / total, so the sum lies between these two.
        low, high = (lost - terms.high * total) * finest, (lost - terms.low * total) * finest
        shared = gcd(*weights) or 1
        self.weights = [weight // shared for weight in weights]
        self.low, self.high = -((-low) // shared), high // shared
        self.middle = (low + high) / shared
        """Twice the middle of the range; the sum of a table lies so far from it as its edge does."""
        # The row with the most odds to choose from is solved for; the others are gone through.
        self.order = sorted(range(len(rows)), key=lambda i: len(rows[i].odds))
        self.dtype: Any = np.int64 if self._greatest() < _SAFE else object
        self.removals = [self._removal(*ways) for ways in weighed.without]

    def _greatest(self) -> int:
        reach = sum(w * max(abs(row.odds.stop), 1) for w, row in zip(self.weights, self.rows, strict=True))
        return 16 * (reach + abs(int(self.low)) + abs(int(self.high)))

    def _removal(self, ways: dict[int, int], total: int) -> tuple[NDArray[np.float64], float]:
        """The change of the expectation when a card is gone: a slope for each row, and a constant."""
        full, of = self.weighed.ways, self.weighed.total
        slopes = [
            float(row.unit * (Fraction(ways[row.number], total) - Fraction(full[row.number], of))) for row in self.rows
        ]
        lost = Fraction(self.weighed.lost(ways), total) - Fraction(self.weighed.lost(full), of)
        return np.array(slopes), float(-lost)

    def best(self) -> tuple[TunedTable, ...]:
        steps = prod(len(self.rows[i].odds) for i in self.order[:-1])
        if steps > MOST_STEPS:
            raise TooManyTables(f"there are {steps:.1e} combinations to go through; keep a row, or lower --most")
        best = np.empty((0, len(self.rows)), dtype=np.int64)
        for tables in self._tables():
            self.found += len(tables)
            pool = np.concatenate([best, tables])
            best = pool[self._ranking(pool)[: self.terms.show]]
        return tuple(self._table(odds) for odds in best)

    def _tables(self) -> Iterator[NDArray[np.int64]]:
        """All pay tables in the range, in blocks; a row of an array is a table."""
        *before, last = self.order
        sizes = [len(self.rows[i].odds) for i in before]
        steps, weight, odds = prod(sizes), self.weights[last], self.rows[last].odds
        for start in range(0, steps, BLOCK):
            index = np.arange(start, min(start + BLOCK, steps))
            tables = np.empty((len(index), len(self.rows)), dtype=np.int64)
            for i, size in zip(before, sizes, strict=True):
                index, digit = np.divmod(index, size)
                tables[:, i] = digit + self.rows[i].odds.start
            sums = self._sums(tables, before)
            if weight == 0:  # a row that never comes: its odds change nothing
                fits = (sums >= self.low) & (sums <= self.high)
                first, beyond = np.where(fits, odds.start, 1), np.where(fits, odds.stop, 1)
            else:
                first = np.maximum(-((sums - int(self.low)) // weight), odds.start)
                beyond = np.minimum((int(self.high) - sums) // weight + 1, odds.stop)
            numbers = np.maximum(beyond - first, 0).astype(np.int64)
            for part in _parts(numbers) if numbers.any() else ():
                repeated = np.repeat(tables[part], numbers[part], axis=0)
                starts = np.repeat(np.cumsum(numbers[part]) - numbers[part], numbers[part])
                offset = np.arange(len(repeated)) - starts
                repeated[:, last] = np.repeat(first[part].astype(np.int64), numbers[part]) + offset
                yield repeated

    def _sums(self, tables: NDArray[np.int64], rows: Iterable[int]) -> NDArray[Any]:
        sums = np.zeros(len(tables), dtype=self.dtype)
        for i in rows:
            sums = sums + tables[:, i].astype(self.dtype) * self.weights[i]
        return sums

    def _ranking(self, tables: NDArray[np.int64]) -> NDArray[np.intp]:
        """The tables in order; equal ones by the other figures, and last by their odds."""
        distance = self._distances(2 * self._sums(tables, range(len(self.weights))))
        if self.dtype is object:  # nearness to 15 digits is enough to rank by
            distance = distance.astype(np.float64)
        figures = {
            RankedBy.NEARNESS: distance,
            RankedBy.DEVIATION: self._deviations(tables),
            RankedBy.COUNTING: self._countings(tables),
        }
        first = figures.pop(self.terms.by)
        return np.lexsort((*tables.T[::-1], *reversed(figures.values()), first))

    def _distances(self, doubled: NDArray[Any]) -> NDArray[Any]:
        """Whole numbers in the order of the distances from the middle, which need not be a whole number."""
        below = self.middle // 1
        rest = self.middle - below
        step = 0 if rest == 0 else 1 if rest < Fraction(1, 2) else 2 if rest == Fraction(1, 2) else 3
        apart = doubled - int(below)
        return np.where(apart > 0, 4 * apart - step, -4 * apart + step)

    def _deviations(self, tables: NDArray[np.int64]) -> NDArray[np.float64]:
        odds = tables * np.array([float(row.unit) for row in self.rows])
        chances = np.array([float(row.chance) for row in self.rows])
        lost = self.weighed.lost(self.weighed.ways) / self.weighed.total
        mean = odds @ chances - lost
        return np.asarray(np.sqrt((odds**2) @ chances + lost - mean**2))

    def _countings(self, tables: NDArray[np.int64]) -> NDArray[np.float64]:
        squares = sum((tables @ slopes + constant) ** 2 for slopes, constant in self.removals)
        return np.asarray(np.sqrt(squares / len(self.removals)))

    def _table(self, units: NDArray[np.int64]) -> TunedTable:
        """The figures of one table again, exactly."""
        odds = tuple(row.unit * int(k) for row, k in zip(self.rows, units, strict=True))
        won = [row.chance * one for row, one in zip(self.rows, odds, strict=True)]
        lost = Fraction(self.weighed.lost(self.weighed.ways), self.weighed.total)
        edge = lost - sum(won, Fraction(0))
        square = sum((one * share for one, share in zip(odds, won, strict=True)), lost)
        removal = float(self._countings(units.reshape(1, -1))[0])
        return TunedTable(odds, edge, sqrt(square - edge**2), removal)


def _parts(numbers: NDArray[np.int64]) -> Iterator[slice]:
    """Stretches of a block that grow into about a block of tables each."""
    start, grown = 0, np.cumsum(numbers)
    while start < len(numbers):
        done = int(grown[start - 1]) if start else 0
        stop = max(int(np.searchsorted(grown, done + BLOCK, side="right")), start + 1)
        yield slice(start, stop)
        start = stop
