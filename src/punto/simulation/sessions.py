"""Sessions as work, and what all of them came to: each bet, the end of a session, drawdown and ruin. A session takes
whole shoes, so sessions do not depend on each other and can be played anywhere. Sums are exact whole numbers; ends and
drawdowns are kept as spreads, in memory that does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.rules.book import Book
from punto.rules.outcome import Hand, insurance_area
from punto.simulation import session_kernel as kernel
from punto.simulation.deals import Deals, PlayedShoes, Recorded, record_shoes
from punto.simulation.machine_code import add_number, add_product, compiled, wide_numbers, wide_zeros
from punto.simulation.run import mean_length, require_lengths
from punto.simulation.session_kernel import SessionState, SlipTables
from punto.simulation.strategy import Insuring, Strategy, fresh_progression, progression_number, strategy_too_large

SESSION_SHOES = 4096  # Shoes of a batch, about: their cards are all in memory at once.
EXTRA_ENTRIES = 6
"""After the bets: insurance on two hands at two windows, and each main bet together with its insurance."""


@dataclass(frozen=True, slots=True)
class SessionBatch(PlayedShoes):
    sums: tuple[int, ...]  # By entry: bets made, staked, net, and the products for their error.
    results: NDArray[np.int64]  # By session: net, drawdown, rounds, and how it ended.
    paths: NDArray[np.int64]  # Net after each round of the first sessions, where they were asked for.


@dataclass(frozen=True)
class Sessions:
    """A strategy at a table: everything its sessions depend on."""

    deals: Deals
    book: Book
    strategy: Strategy
    paths: int = 0  # How many sessions of each batch to follow round by round.

    @property
    def batch_shoes(self) -> int:
        """Shoes of a batch: as many whole sessions as come near to `SESSION_SHOES`."""
        return max(1, SESSION_SHOES // self.strategy.shoes) * self.strategy.shoes

    @property
    def together(self) -> int:
        """Shoes that no batch may part: those of a session."""
        return self.strategy.shoes

    @property
    def least_rounds(self) -> int:
        return self.deals.least_rounds

    @property
    def identity(self) -> str:
        """Everything that decides what is staked, by content: stakes, limits, and policies row by row."""
        return msgspec.json.encode(self.strategy).decode()

    @property
    def maximum(self) -> int:
        return kernel.NO_LIMIT if self.strategy.maximum is None else self.strategy.maximum

    @cached_property
    def slip(self) -> SlipTables:
        if problem := self.problem():
            raise ValueError(problem)
        return kernel.slip_tables(self.book, self.strategy)

    def problem(self) -> str | None:
        return self.strategy.problem(self.book) or strategy_too_large(self.book, self.strategy, self.deals.terms)

    @cached_property
    def areas(self) -> list[str]:
        """Betting areas in the order of the sums."""
        return kernel.slip_areas(self.book, self.strategy)

    def play(self, first: int, shoes: int, last_rounds: int | None = None) -> SessionBatch:
        assert first % self.together == 0, "a batch begins with a session"
        recorded = record_shoes(self.deals, first, shoes, last_rounds)
        sessions, is_broken = -(-shoes // self.together), last_rounds is not None
        sums = wide_zeros(len(self.slip.bets) + EXTRA_ENTRIES, kernel.SUMS)
        results = np.zeros((sessions, 4), np.int64)
        longest = self.deals.terms.most_rounds * self.together
        paths = np.zeros((min(self.paths, sessions), longest if self.paths else 0), np.int64)
        self._run(recorded, sums, results, paths)
        if is_broken or shoes % self.together:
            results = results[:-1]  # the run ends in the midst of a session: its bets count, its end does not
        return SessionBatch(first, recorded.lengths, is_broken, wide_numbers(sums), results, paths)

    def _run(self, recorded: Recorded, sums: Any, results: Any, paths: Any) -> None:
        strategy = self.strategy
        memory = fresh_progression(strategy.progression, strategy.line)
        cards = np.array([self.deals.terms.decks * 52, 0], np.int64)
        has_insurance = any(cell.choice is not Insuring.PASS for cell in strategy.insuring)
        state = self.state(recorded, cards, memory, has_insurance, sums)
        kernel.built_in_loop()(recorded, self.slip, state, results, paths)

    def state(
        self, recorded: Recorded, cards: NDArray[np.int64], memory: NDArray[Any], has_insurance: bool, sums: Any
    ) -> SessionState:
        """What the strategy knows before the first session: these cards and memory."""
        strategy, bets = self.strategy, len(self.strategy.stakes)
        return SessionState(
            numbers=self._numbers(has_insurance),
            trigger=strategy.count.trigger if strategy.count else 0.0,
            needs=np.zeros((bets, bets), np.uint8),
            fresh_cards=cards,
            unseen=cards.copy(),
            fresh_memory=memory,
            memory=memory.copy(),
            units=np.ones(bets, np.int64),
            last=np.zeros(6, np.int64),
            winners=np.zeros(recorded.cards.shape[1] + 1, np.int8),
            question=np.zeros(kernel.QUESTION, np.int64),
            fault=np.zeros(3, np.int64),
            codes=np.zeros(6, np.int64),
            facts=np.zeros(kernel.FACTS, np.int64),
            cover=np.zeros((len(Hand), kernel.COVER), np.int64),
            sums=sums,
        )

    def _numbers(self, has_insurance: bool) -> NDArray[np.int64]:
        """The strategy's numbers in the order in which the loop reads them."""
        strategy, ante = self.strategy, self.book.ante
        limits = (strategy.bankroll, strategy.goal, strategy.stop_loss)
        maximum, stakes = self.maximum, list(strategy.stakes.values())
        numbers = [
            progression_number(strategy.progression),
            ante.multiple if ante else 0,
            ante.shown_cards if ante else 0,
            strategy.minimum,
            maximum,
            *(-1 if limit is None else limit for limit in limits),
            strategy.shoes,
            strategy.count is not None,
            has_insurance,
            strategy.first_stakes(self.book),
            maximum // max(stakes),
            -(-maximum // stakes[0]),  # where the maximum is not a whole number of units, rounded up
        ]
        return np.array(numbers, np.int64)


EXACT_BITS = 12
PER_DOUBLING = 1 << EXACT_BITS - 1
LARGEST = (1 << 62) - 1  # No number may be larger than this, nor below its negative.


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile of a spread: it lies from `least` to `most`, and is exact where they are the same."""

    least: int
    most: int

    @property
    def middle(self) -> float:
        return (self.least + self.most) / 2

    @property
    def width(self) -> int:
        return self.most - self.least


@dataclass(frozen=True, slots=True)
class Spread:
    """How whole numbers of any size are distributed, in memory that does not grow with their number: counts by bins,
    those from 0 up in row 0 and the negative ones, by their size, in row 1.

    There is a bin for each number up to 4,095, and beyond that 2,048 for each doubling. So a bin is never wider than
    1/2,048 of the numbers in it, and two spreads are merged by adding their counts: the order of the numbers and how
    they came in batches change nothing. Each bin also keeps the least and the greatest number that fell into it. Where
    these are the same, a quantile is exact; elsewhere it is known to lie between them, and the answer says so.
    """

    counts: NDArray[np.int64]
    least: NDArray[np.int64]
    most: NDArray[np.int64]

    @classmethod
    def empty(cls) -> Spread:
        return cls(*_bins(2 * PER_DOUBLING))

    @classmethod
    def from_array(cls, array: NDArray[Any]) -> Spread:
        """A spread out of what `array` gave; `ValueError` where that cannot be one."""
        if array.ndim != 3 or array.shape[:2] != (3, 2) or array.shape[2] % PER_DOUBLING:
            raise ValueError("the bins of a spread have another shape")
        return cls(*(np.array(part, np.int64) for part in array))

    def array(self) -> NDArray[np.int64]:
        return np.stack((self.counts, self.least, self.most))

    def plus(self, numbers: NDArray[np.int64]) -> Spread:
        if not len(numbers):
            return self
        largest = max(abs(int(numbers.min())), abs(int(numbers.max())))
        assert largest <= LARGEST, "the caller keeps the numbers within bounds"
        bins = max(self.counts.shape[1], (max(0, largest.bit_length() - EXACT_BITS) + 2) * PER_DOUBLING)
        parts = _bins(bins)
        for part, old in zip(parts, (self.counts, self.least, self.most), strict=True):
            part[:, : old.shape[1]] = old
        _count_bins(np.ascontiguousarray(numbers), *parts)
        return Spread(*parts)

    @property
    def number(self) -> int:
        return int(self.counts.sum())

    @property
    def range(self) -> tuple[int, int] | None:
        bins = list(self.bins())
        return (bins[0][0], bins[-1][1]) if bins else None

    def bins(self) -> Iterator[tuple[int, int, int]]:
        """The bins that hold numbers, in order: least number, greatest number, how many."""
        counts, least, most = map(_in_order, (self.counts, self.least, self.most))
        for place in np.flatnonzero(counts):
            yield int(least[place]), int(most[place]), int(counts[place])

    def quantile(self, share: Fraction) -> Quantile | None:
        """The smallest number that at least this share does not exceed; none if there are no numbers."""
        if not self.number:
            return None
        rank = max(1, -(-share.numerator * self.number // share.denominator))
        place = int(np.searchsorted(np.cumsum(_in_order(self.counts)), rank))
        return Quantile(int(_in_order(self.least)[place]), int(_in_order(self.most)[place]))


def _in_order(part: NDArray[np.int64]) -> NDArray[np.int64]:
    """A row of all bins, the most negative first."""
    return np.concatenate((part[1, ::-1], part[0]))


def _bins(number: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    shape = (2, number)
    return np.zeros(shape, np.int64), np.full(shape, LARGEST, np.int64), np.full(shape, -LARGEST, np.int64)


@compiled
def _count_bins(numbers: Any, counts: Any, least: Any, most: Any) -> None:
    for number in numbers:
        row = 1 if number < 0 else 0
        size = abs(number)
        doublings, rest = 0, size >> EXACT_BITS
        while rest:
            doublings += 1
            rest >>= 1
        place = doublings * PER_DOUBLING + (size >> doublings)
        counts[row, place] += 1
        least[row, place] = min(least[row, place], number)
        most[row, place] = max(most[row, place], number)


ENDS = ("to the end", "ruined", "at the goal", "at the stop-loss")
MOMENTS = 3  # Over sessions: the sums of net, of its square, and of drawdown.


@dataclass(frozen=True, slots=True)
class StakeResult:
    bet: str
    made: int
    staked: int
    net: int
    error: float | None  # Standard error of `mean`; none while no two bets differed, for then it is not known.

    @property
    def mean(self) -> float:
        """Net of one unit staked."""
        return self.net / self.staked


@dataclass(frozen=True, slots=True)
class SessionTally:
    """All sessions so far. Sums are exact whatever their size, and nothing depends on how sessions were put together
    into batches. Where a figure is not known, because there were no sessions or too few, there is none."""

    sessions: Sessions
    rounds: int
    next_shoe: int
    lengths: NDArray[np.int64]
    sums: tuple[int, ...]  # For each entry: bets made, staked, net, and three sums of products.
    moments: tuple[int, ...]
    nets: Spread
    drawdowns: Spread
    ends: NDArray[np.int64]  # Sessions by how they ended.

    @classmethod
    def empty(cls, sessions: Sessions) -> SessionTally:
        entries = len(sessions.slip.bets) + EXTRA_ENTRIES
        lengths, ends = np.zeros(sessions.deals.terms.most_rounds + 1, np.int64), np.zeros(len(ENDS), np.int64)
        sums, moments = (0,) * (entries * kernel.SUMS), (0,) * MOMENTS
        return cls(sessions, 0, 0, lengths, sums, moments, Spread.empty(), Spread.empty(), ends)

    @property
    def work(self) -> Sessions:
        return self.sessions

    @classmethod
    def from_arrays(cls, sessions: Sessions, arrays: Mapping[str, NDArray[Any]]) -> SessionTally:
        """A tally out of what `arrays` gave; `ValueError` where that cannot be one."""
        empty = cls.empty(sessions)
        sums, moments = (tuple(int(number) for number in arrays[name]) for name in ("sums", "moments"))
        nets, drawdowns = (Spread.from_array(arrays[name]) for name in ("nets", "drawdowns"))
        rounds, next_shoe = int(arrays["rounds"]), int(arrays["next_shoe"])
        tally = cls(sessions, rounds, next_shoe, arrays["lengths"], sums, moments, nets, drawdowns, arrays["ends"])
        shapes = [(t.lengths.shape, len(t.sums), len(t.moments), t.ends.shape) for t in (tally, empty)]
        if shapes[0] != shapes[1] or not tally.nets.number == tally.drawdowns.number == tally.ends.sum():
            raise ValueError("the arrays are of another strategy")
        require_lengths(tally.lengths, sessions.deals.terms.most_rounds, tally.rounds, tally.next_shoe)
        return tally

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that was counted, to be kept; numbers that may not fit 64 bits are written out."""
        numbers = {"rounds": np.array(self.rounds), "next_shoe": np.array(self.next_shoe), "lengths": self.lengths}
        sums, moments = (np.array([str(number) for number in each]) for each in (self.sums, self.moments))
        spreads = {"nets": self.nets.array(), "drawdowns": self.drawdowns.array()}
        return {**numbers, "sums": sums, "moments": moments, **spreads, "ends": self.ends}

    def plus(self, batch: SessionBatch) -> SessionTally:
        assert batch.first == self.next_shoe, "shoes are added in their order"
        moments = wide_zeros(MOMENTS)
        _add_sessions(batch.results, moments)
        return replace(
            self,
            rounds=self.rounds + batch.rounds,
            next_shoe=self.next_shoe + batch.shoes,
            lengths=self.lengths + batch.count_lengths(self.sessions.deals.terms.most_rounds),
            sums=tuple(map(int.__add__, self.sums, batch.sums)),
            moments=tuple(map(int.__add__, self.moments, wide_numbers(moments))),
            nets=self.nets.plus(batch.results[:, kernel.NET]),
            drawdowns=self.drawdowns.plus(batch.results[:, kernel.DRAWDOWN]),
            ends=self.ends + np.bincount(batch.results[:, kernel.END], minlength=len(ENDS)),
        )

    @property
    def number(self) -> int:
        """Sessions that came to their end."""
        return int(self.ends.sum())

    @property
    def net(self) -> tuple[float | None, float | None]:
        """Mean net of a session in minor units, and its standard error: none of either from too few."""
        number, net, squares, _ = self.number, *self.moments
        if not number:
            return None, None
        spread = number * squares - net**2
        return net / number, sqrt(Fraction(spread, number**2 * (number - 1))) if spread else None

    @property
    def ruined(self) -> int | None:
        """Sessions that were ruined; none where there was no bankroll to lose."""
        return int(self.ends[kernel.RUINED]) if self.sessions.strategy.bankroll is not None else None

    @property
    def drawdown(self) -> tuple[float, int] | None:
        """Mean and greatest drawdown of a session in minor units."""
        reached = self.drawdowns.range
        return (self.moments[2] / self.number, reached[1]) if reached else None

    def quantile(self, share: Fraction) -> Quantile | None:
        """The net that this share of sessions did not exceed; none without sessions."""
        return self.nets.quantile(share)

    @property
    def rounds_per_shoe(self) -> tuple[float | None, float | None]:
        return mean_length(self.lengths)

    def bets(self) -> tuple[StakeResult, ...]:
        """How every kind of stake fared that was laid at all; an ante includes its wager's net."""
        insurance = [insurance_area(hand, cards) for hand, cards in kernel.INSURED_AREAS]
        insured = [f"{self.sessions.book.main_area(hand)}-insured" for hand in Hand]
        names = [*self.sessions.areas, *insurance, *insured]
        rows = [self.sums[i * kernel.SUMS : (i + 1) * kernel.SUMS] for i in range(len(names))]
        has_insurance = any(row[0] for row in rows[len(self.sessions.areas) :][:4])
        laid = len(names) if has_insurance else len(names) - 2
        return tuple(
            StakeResult(name, row[0], row[1], row[2], _standard_error(*row))
            for name, row in zip(names[:laid], rows, strict=False)
            if row[0]
        )


def _standard_error(made: int, staked: int, net: int, square: int, cross: int, stakes: int) -> float | None:
    """Standard error of net to stake, each bet's deviation being what it won beyond the mean of its stake."""
    spread = square * staked**2 - 2 * net * staked * cross + net**2 * stakes
    return sqrt(Fraction(spread * made, (made - 1) * staked**4)) if spread and made > 1 else None


@compiled
def _add_sessions(results: Any, moments: Any) -> None:
    for session in range(len(results)):
        net = results[session, kernel.NET]
        add_number(moments, 0, net)
        add_product(moments, 1, net, net)
        add_number(moments, 2, results[session, kernel.DRAWDOWN])
