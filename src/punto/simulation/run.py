"""A run: batches played by workers side by side, taken in the order of their shoes.

What is done with the shoes is the work's affair: every round counted by its facts, or sessions of a strategy.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from punto.rules.book import Book
from punto.simulation.batch import Deals, PlayedShoes
from punto.simulation.card_reading import card_readings
from punto.simulation.kernels.play_masks import play_masks
from punto.simulation.shoe_terms import ShoeTerms

BATCH_SHOES = 16_384
"""About a hundredth of a second for one core: Ctrl-C and the progress bar answer soon, and little is lost."""

PlayedT = TypeVar("PlayedT", bound=PlayedShoes)
PlayedOut = TypeVar("PlayedOut", bound=PlayedShoes, covariant=True)


class Work(Protocol[PlayedOut]):
    """What is done with shoes: it can be sent to another thread or machine."""

    @property
    def least_rounds(self) -> int:
        """The minimum rounds per shoe."""
        ...

    @property
    def together(self) -> int:
        """Shoes that no batch may part."""
        ...

    def play(self, first: int, shoes: int, last_rounds: int | None = None) -> PlayedOut:
        """Play shoes; `last_rounds` ends the last of them after that many rounds."""
        ...


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
    """A batch that is being played."""

    def result(self) -> PlayedOut: ...

    def cancel(self) -> object: ...


class Workers(Protocol):
    """What plays batches: threads here, a cluster or a GPU elsewhere.

    A batch may come back without the rounds of its single shoes.
    """

    batch_shoes: int
    """Shoes of one batch."""
    ahead: int
    """Batches to keep them busy with."""

    def submit(self, work: Work[PlayedT], first: int, shoes: int) -> Pending[PlayedT]:
        """Begin to play a batch."""
        ...

    def play(self, work: Work[PlayedT], first: int, shoes: int, last_rounds: int | None = None) -> PlayedT:
        """Play shoes now, and say how many rounds each of them had."""
        ...

    def close(self) -> None:
        """Give up what has not begun."""
        ...


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
        """Give up what has not begun, and wait for the rest."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def deals_of(book: Book, terms: ShoeTerms, seed: int) -> Deals:
    """What is dealt for a book: its table of play, with suits and single cards where bets ask for them.

    `ValueError` says what is wrong with terms that no shoe can be dealt by.
    """
    if problem := terms.problem():
        raise ValueError(problem)
    masks = tuple(int(mask) for mask in play_masks(book.play))
    has_suits = any(book.pay_tables[area].reads_suits for area in book.outright_areas)
    return Deals(masks, terms, seed, has_suits, card_readings(book, has_suits=has_suits))


SumT = TypeVar("SumT", bound=Sum[Any])


def sums(start: SumT, rounds: int, workers: Workers) -> Iterator[SumT]:
    """The sum after each batch, from `start` on; the last has exactly this number of rounds.

    Any sum but the last holds whole shoes only, so that a run can be taken up again from it.
    """
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
            batch = _shortened(workers, work, batch, rounds - total.rounds)
        total = total.plus(batch)
        yield total
    for future in waiting:
        future.cancel()


def _shortened(workers: Workers, work: Work[PlayedShoes], batch: PlayedShoes, rounds: int) -> PlayedShoes:
    """The first rounds of a batch: whole shoes, and part of one more unless it comes out even."""
    lengths = batch.lengths if len(batch.lengths) else workers.play(work, batch.first, batch.shoes).lengths
    played = np.cumsum(lengths, dtype=np.int64)
    whole = int(np.searchsorted(played, rounds, side="right"))
    left = rounds - (int(played[whole - 1]) if whole else 0)
    return workers.play(work, batch.first, whole + (left > 0), left or None)
