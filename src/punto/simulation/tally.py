"""A tally: what all batches so far came to, and how every bet fared, settled from one histogram."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.rules.book import Book
from punto.rules.facts import NO_PAIR, PAIRS, TOTALS, Facts
from punto.rules.outcome import Outcome
from punto.rules.pay_table import PayTable
from punto.simulation.batch import Batch, Deals
from punto.simulation.kernels.workspace import CODE_RANKS


@dataclass(frozen=True, slots=True)
class BetResult:
    """How one bet fared: mean net of one unit staked, and the standard error of that mean."""

    bet: str
    rounds: int
    mean: float
    deviation: float
    """Of the net of one unit staked on one round."""
    ways: tuple[tuple[Outcome, int], ...]
    """Outcomes with the number of rounds that had them, best first."""

    @property
    def error(self) -> float:
        """Standard error of the mean; rounds of a shoe count as independent, which they nearly are."""
        return self.deviation / sqrt(self.rounds) if self.rounds else 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """All rounds so far, in the order of the shoes."""

    deals: Deals
    rounds: int
    next_shoe: int
    histogram: NDArray[np.int64]
    lengths: NDArray[np.int64]
    """How many whole shoes had 0, 1, 2, … rounds."""

    @classmethod
    def empty(cls, deals: Deals) -> Tally:
        lengths = np.zeros(deals.terms.most_rounds + 1, np.int64)
        return cls(deals, 0, 0, np.zeros(deals.cells, np.int64), lengths)

    @property
    def work(self) -> Deals:
        """What is done with every shoe: its rounds are counted."""
        return self.deals

    @classmethod
    def from_arrays(cls, deals: Deals, arrays: Mapping[str, NDArray[Any]]) -> Tally:
        """A tally out of what `arrays` gave; `ValueError` where that cannot be one."""
        tally = cls(
            deals, int(arrays["rounds"]), int(arrays["next_shoe"]), arrays["histogram"], arrays["lengths"]
        )
        if tally.histogram.shape != (deals.cells,) or tally.rounds != tally.facts_histogram.sum():
            raise ValueError("the histogram does not hold the rounds")
        check_lengths(tally.lengths, deals.terms.most_rounds, tally.rounds, tally.next_shoe)
        return tally

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that was counted, to be kept."""
        return {
            "rounds": np.array(self.rounds),
            "next_shoe": np.array(self.next_shoe),
            "histogram": self.histogram,
            "lengths": self.lengths,
        }

    def plus(self, batch: Batch) -> Tally:
        """The tally with the next shoes."""
        assert batch.first == self.next_shoe, "shoes are added in their order"
        return replace(
            self,
            rounds=self.rounds + batch.rounds,
            next_shoe=self.next_shoe + batch.shoes,
            histogram=self.histogram + batch.histogram,
            lengths=self.lengths + batch.count_lengths(self.deals.terms.most_rounds),
        )

    @property
    def facts_histogram(self) -> NDArray[np.int64]:
        """Rounds by their totals and pairs."""
        return self.histogram[: self.deals.fact_cells]

    @property
    def shoes(self) -> int:
        """Shoes played to their end."""
        return int(self.lengths.sum())

    @property
    def rounds_per_shoe(self) -> tuple[float | None, float | None]:
        """Mean rounds of a whole shoe, and the standard error of that mean, as far as they are known."""
        return mean_length(self.lengths)

    def facts(self) -> Iterator[tuple[Facts, int]]:
        """Every combination of facts that came, with its number of rounds."""
        codes = self.deals.pair_codes
        for cell in np.flatnonzero(self.facts_histogram):
            pairs, totals = divmod(int(cell), TOTALS)
            player, banker = (self._pair(code) for code in divmod(pairs, codes))
            yield Facts(totals, player, banker), int(self.histogram[cell])

    def totals(self) -> NDArray[np.int64]:
        """Rounds by their totals alone."""
        return np.asarray(self.facts_histogram.reshape(-1, TOTALS).sum(axis=0))

    def _pair(self, code: int) -> int:
        """The pair of the facts that a code of the kernel stands for."""
        if code == 0:
            return NO_PAIR
        if self.deals.has_suits:
            return 2 * CODE_RANKS[(code - 1) // 2] - code % 2
        return 2 * CODE_RANKS[code - 1] - 1

    def bets(self, book: Book) -> tuple[BetResult, ...]:
        """How every bet fared that the finished deal alone decides."""
        counts = np.zeros((PAIRS, PAIRS, TOTALS), np.int64)
        for facts, rounds in self.facts():
            counts[facts.player_pair, facts.banker_pair, facts.totals] = rounds
        by_cards = dict(self._by_cards(book))
        return tuple(
            bet_result(area, book.pay_tables[area], by_cards[area])
            if area in by_cards
            else self._bet(area, book.pay_tables[area], counts)
            for area in book.outright_areas
        )

    def _by_cards(self, book: Book) -> Iterator[tuple[str, list[int]]]:
        """Bets on single cards, with how often each of their rows came."""
        start = self.deals.fact_cells
        for reading in self.deals.readings:
            yield from reading.counted(book, self.histogram[start : start + reading.cells])
            start += reading.cells

    def _bet(self, area: str, table: PayTable, counts: NDArray[np.int64]) -> BetResult:
        ways = [0] * len(table.rows)
        for axis, stride in ((2, table.totals_stride), (1, table.banker_stride), (0, table.player_stride)):
            if not stride:
                counts = counts.sum(axis=axis, keepdims=True)
        for place in np.argwhere(counts):
            player, banker, totals = (int(index) for index in place)
            ways[table.row(Facts(totals, player, banker))] += int(counts[player, banker, totals])
        return bet_result(area, table, ways)


def mean_length(lengths: NDArray[np.int64]) -> tuple[float | None, float | None]:
    """Mean rounds of shoes of these lengths, and its standard error: none of either from too few.

    Shoes that are all of one length say nothing about the error.
    """
    shoes = int(lengths.sum())
    if not shoes:
        return None, None
    number = np.arange(len(lengths))
    mean = float(number @ lengths) / shoes
    spread = float((number - mean) ** 2 @ lengths)
    return mean, sqrt(spread / (shoes - 1) / shoes) if spread else None


def check_lengths(lengths: NDArray[Any], longest: int, rounds: int, next_shoe: int) -> None:
    """`ValueError` unless shoes of these lengths are all shoes so far, and have this many rounds in total."""
    if lengths.shape != (longest + 1,) or (lengths < 0).any() or lengths.sum() != next_shoe:
        raise ValueError("the lengths are not those of the shoes")
    if sum(number * int(shoes) for number, shoes in enumerate(lengths)) != rounds:
        raise ValueError("the shoes do not have the rounds")


def bet_result(area: str, table: PayTable, rows: list[int]) -> BetResult:
    """Mean and deviation of a bet from how often each row of its pay table came."""
    rounds = sum(rows)
    if not rounds:
        return BetResult(area, 0, 0.0, 0.0, ())
    ways: dict[Outcome, int] = {}
    for row, count in zip(table.rows, rows, strict=True):
        if count:
            ways[row.outcome] = ways.get(row.outcome, 0) + count
    mean = sum((outcome.net * count for outcome, count in ways.items()), Fraction(0)) / rounds
    square = sum((outcome.net**2 * count for outcome, count in ways.items()), Fraction(0)) / rounds
    ordered = sorted(ways.items(), key=lambda item: (-item[0].net, item[0].clause))
    return BetResult(area, rounds, float(mean), sqrt(square - mean**2), tuple(ordered))
