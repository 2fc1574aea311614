"""A run: batches played by workers side by side and taken in the order of their shoes, the tally of all of
them with every bet settled from one histogram, and checkpoints, so that a run goes on where it was killed.
A checkpoint is known by the content of everything that decides the result, and begins with a checksum.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any, Protocol, Self, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.rules.book import Book, digest_of
from punto.rules.book_text import BookText
from punto.rules.outcome import NO_PAIR, PAIRS, TOTALS, Facts, Outcome
from punto.rules.pay_table import PayTable
from punto.simulation.deals import Batch, Deals, PlayedShoes, ShoeTerms, card_readings
from punto.simulation.machine_code import CODE_RANKS, play_masks

BATCH_SHOES = 16_384
"""About a hundredth of a second for one core: Ctrl-C and the progress bar answer soon, and little is lost."""

PlayedT = TypeVar("PlayedT", bound=PlayedShoes)
PlayedOut = TypeVar("PlayedOut", bound=PlayedShoes, covariant=True)


class Work(Protocol[PlayedOut]):
    """What is done with shoes: it can be sent to another thread or machine."""

    @property
    def least_rounds(self) -> int: ...  # In a shoe.

    @property
    def together(self) -> int: ...  # Shoes that no batch may part.

    def play(self, first: int, shoes: int, last_rounds: int | None = None) -> PlayedOut:
        """Play shoes; `last_rounds` ends the last of them after that many rounds."""


class Sum(Protocol[PlayedT]):
    """What all shoes so far came to."""

    @property
    def rounds(self) -> int: ...
    @property
    def next_shoe(self) -> int: ...
    @property
    def work(self) -> Work[PlayedT]: ...
    def plus(self, batch: PlayedT) -> Self: ...
    def arrays(self) -> dict[str, NDArray[Any]]: ...


class Pending(Protocol[PlayedOut]):
    def result(self) -> PlayedOut: ...
    def cancel(self) -> object: ...


class Workers(Protocol):
    """What plays batches: threads here, a cluster or a GPU elsewhere."""

    batch_shoes: int  # Shoes of one batch.
    ahead: int  # Batches to keep them busy with.

    def submit(self, work: Work[PlayedT], first: int, shoes: int) -> Pending[PlayedT]:
        """Begin to play a batch, which may come back without the rounds of its single shoes."""

    def play(self, work: Work[PlayedT], first: int, shoes: int, last_rounds: int | None = None) -> PlayedT:
        """Play shoes now, and say how many rounds each of them had."""

    def close(self) -> None:
        """Give up what has not begun, and wait for the rest."""


class Threads:
    """Cores of this machine; kernels run outside Python's lock."""

    batch_shoes = BATCH_SHOES

    def __init__(self, workers: int) -> None:
        self.ahead = 3 * workers
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="shoes")

    def submit(self, work: Work[PlayedT], first: int, shoes: int) -> Future[PlayedT]:
        return self._pool.submit(work.play, first, shoes)

    def play(self, work: Work[PlayedT], first: int, shoes: int, last_rounds: int | None = None) -> PlayedT:
        return work.play(first, shoes, last_rounds)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def deals_of(book: Book, terms: ShoeTerms, seed: int) -> Deals:
    """What is dealt for a book: its table of play, with suits and single cards where bets ask for them; `ValueError`
    says what is wrong with terms that no shoe can be dealt by."""
    if problem := terms.problem():
        raise ValueError(problem)
    masks = tuple(int(mask) for mask in play_masks(book.play))
    has_suits = any(book.pay_tables[area].reads_suits for area in book.outright_areas)
    return Deals(masks, terms, seed, has_suits, card_readings(book, has_suits=has_suits))


SumT = TypeVar("SumT", bound=Sum[Any])


def sums(start: SumT, rounds: int, workers: Workers) -> Iterator[SumT]:
    """The sum after each batch, from `start` on; the last has exactly this number of rounds, and any other holds whole
    shoes only, so that a run can be taken up again from it."""
    work, total = start.work, start
    waiting: deque[Pending[PlayedShoes]] = deque()
    following = start.next_shoe
    # A short run need not play whole batches, and none more than it can need.
    most = -(-rounds // work.least_rounds)
    shoes = min(max(1, workers.batch_shoes // work.together) * work.together, most)
    while total.rounds < rounds:
        while len(waiting) < workers.ahead and following < most:
            waiting.append(workers.submit(work, following, shoes))
            following += shoes
        batch = waiting.popleft().result()
        if total.rounds + batch.rounds > rounds:
            for future in waiting:
                future.cancel()
            total, batch = _up_to_last(total, rounds, batch, workers)
            batch = _shortened(workers, work, batch, rounds - total.rounds)
        total = total.plus(batch)
        yield total
    for future in waiting:
        future.cancel()


PARTS = 16  # In which the last batch of a run is played again, where it came back without the rounds of its shoes.


def _up_to_last(total: SumT, rounds: int, batch: PlayedShoes, workers: Workers) -> tuple[SumT, PlayedShoes]:
    """The sum before the part of a batch in which the run ends, and that part. A batch that came back with the rounds
    of its single shoes is one part; to fetch them for a large one would take longer than to play it in parts."""
    if len(batch.lengths):
        return total, batch
    together = total.work.together
    part = -(-batch.shoes // (PARTS * together)) * together
    while True:
        played = workers.submit(total.work, total.next_shoe, part).result()
        if total.rounds + played.rounds >= rounds:
            return total, played
        total = total.plus(played)


def _shortened(workers: Workers, work: Work[PlayedShoes], batch: PlayedShoes, rounds: int) -> PlayedShoes:
    """The first rounds of a batch: whole shoes, and part of one more unless it comes out even."""
    lengths = batch.lengths if len(batch.lengths) else workers.play(work, batch.first, batch.shoes).lengths
    played = np.cumsum(lengths, dtype=np.int64)
    whole = int(np.searchsorted(played, rounds, side="right"))
    left = rounds - (int(played[whole - 1]) if whole else 0)
    return workers.play(work, batch.first, whole + (left > 0), left or None)


@dataclass(frozen=True, slots=True)
class BetResult:
    """How one bet fared: mean net of one unit staked, and the standard error of that mean."""

    bet: str
    rounds: int
    mean: float
    deviation: float  # Of the net of one unit staked on one round.
    ways: tuple[tuple[Outcome, int], ...]  # Outcomes with the number of rounds that had them, best first.

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
    lengths: NDArray[np.int64]  # How many whole shoes had 0, 1, 2, … rounds.

    @classmethod
    def empty(cls, deals: Deals) -> Tally:
        lengths = np.zeros(deals.terms.most_rounds + 1, np.int64)
        return cls(deals, 0, 0, np.zeros(deals.cells, np.int64), lengths)

    @property
    def work(self) -> Deals:
        return self.deals

    @classmethod
    def from_arrays(cls, deals: Deals, arrays: Mapping[str, NDArray[Any]]) -> Tally:
        """A tally out of what `arrays` gave; `ValueError` where that cannot be one."""
        tally = cls(deals, int(arrays["rounds"]), int(arrays["next_shoe"]), arrays["histogram"], arrays["lengths"])
        if tally.histogram.shape != (deals.cells,) or tally.rounds != tally.facts_histogram.sum():
            raise ValueError("the histogram does not hold the rounds")
        require_lengths(tally.lengths, deals.terms.most_rounds, tally.rounds, tally.next_shoe)
        return tally

    def arrays(self) -> dict[str, NDArray[Any]]:
        numbers = {"rounds": np.array(self.rounds), "next_shoe": np.array(self.next_shoe)}
        return {**numbers, "histogram": self.histogram, "lengths": self.lengths}

    def plus(self, batch: Batch) -> Tally:
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
        by_row: dict[str, list[int]] = {}
        start = self.deals.fact_cells
        for reading in self.deals.readings:
            by_row |= reading.counted(book, self.histogram[start : start + reading.cells])
            start += reading.cells
        tables = {area: book.pay_tables[area] for area in book.outright_areas}
        return tuple(bet_result(a, t, by_row.get(a) or self._by_row(t, counts)) for a, t in tables.items())

    def _by_row(self, table: PayTable, counts: NDArray[np.int64]) -> list[int]:
        ways = [0] * len(table.rows)
        for axis, stride in zip((2, 0, 1), table.strides, strict=True):
            if not stride:
                counts = counts.sum(axis=axis, keepdims=True)
        for place in np.argwhere(counts):
            player, banker, totals = (int(index) for index in place)
            ways[table.row(Facts(totals, player, banker))] += int(counts[player, banker, totals])
        return ways


def mean_length(lengths: NDArray[np.int64]) -> tuple[float | None, float | None]:
    """Mean rounds of shoes of these lengths, and its standard error: none of either from too few. Shoes that are all of
    one length say nothing about the error."""
    if not (shoes := int(lengths.sum())):
        return None, None
    number = np.arange(len(lengths))
    mean = float(number @ lengths) / shoes
    spread = float((number - mean) ** 2 @ lengths)
    return mean, sqrt(spread / (shoes - 1) / shoes) if spread else None


def require_lengths(lengths: NDArray[Any], longest: int, rounds: int, next_shoe: int) -> None:
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


CHECKPOINT_VERSION = 2
_CHECKPOINT_HEAD = b"punto checkpoint\n"
_CHECKSUM_SIZE = hashlib.sha256().digest_size


class WrongCheckpoint(ValueError):
    """Bytes that are not a checkpoint of this run, in one sentence."""


class Run(msgspec.Struct, frozen=True):
    """What a run is known by: two runs with the same of these come to the same numbers."""

    book: str
    digest: str  # Of the whole book, since a file may change under its name.
    deals: Deals
    rounds: int
    strategy: str = ""  # The strategy by its content; empty where bets are only counted.
    version: int = CHECKPOINT_VERSION

    @classmethod
    def of(cls, book: BookText, deals: Deals, rounds: int, strategy: str = "") -> Run:
        return cls(book.name, digest_of(book), deals, rounds, strategy)


def to_checkpoint(run: Run, arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """A checkpoint of a run after whole shoes. A shoe depends on the seed and its number only, so the numbers at the
    end are those of a run that nobody disturbed. It begins with a checksum of the rest, to notice what was altered."""
    with io.BytesIO() as file:
        np.savez_compressed(file, allow_pickle=False, run=np.frombuffer(msgspec.json.encode(run), np.uint8), **arrays)
        content = file.getvalue()
    return _CHECKPOINT_HEAD + hashlib.sha256(content).digest() + content


def from_checkpoint(run: Run, content: bytes) -> dict[str, NDArray[Any]]:
    """What a checkpoint of this run holds; `WrongCheckpoint` if it is none."""
    start = len(_CHECKPOINT_HEAD) + _CHECKSUM_SIZE
    if not content.startswith(_CHECKPOINT_HEAD) or len(content) <= start:
        raise WrongCheckpoint("is not a checkpoint of this version of Punto")
    checksum, content = content[len(_CHECKPOINT_HEAD) : start], content[start:]
    if hashlib.sha256(content).digest() != checksum:
        raise WrongCheckpoint("is a damaged checkpoint: its content does not match its checksum")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        other = msgspec.json.decode(arrays.pop("run").tobytes(), type=Run)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, msgspec.MsgspecError):
        raise WrongCheckpoint("is not a checkpoint") from None
    if other != run:
        raise WrongCheckpoint(f"is a checkpoint of another run: {_difference(run, other)}")
    return arrays


def _difference(run: Run, other: Run) -> str:
    """The first thing in which they differ, in words."""
    here, there = run.deals, other.deals
    if run.book != other.book:
        return f"of {other.book}, not of {run.book}"
    if run.rounds != other.rounds:
        return f"to {other.rounds} rounds, not to {run.rounds}"
    if here.seed != there.seed:
        return f"with seed {there.seed}, not {here.seed}"
    if here.terms != there.terms:
        return "with other decks, burn or cut card"
    if run.strategy != other.strategy:
        return "with another strategy, or its file has changed since"
    return "the book or the program has changed since"
