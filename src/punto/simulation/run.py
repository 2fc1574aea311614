"""A run: batches played by many hands at once, taken in the order of their shoes, to exactly so many
rounds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

from punto.rules.compiled import CompiledBook
from punto.simulation.batch import Batch, Deals, play_batch, shortened
from punto.simulation.play_masks import play_masks
from punto.simulation.shoe_terms import ShoeTerms
from punto.simulation.tally import Tally, asks_suits

BATCH_SHOES = 16_384
"""About a hundredth of a second for one core: Ctrl-C and the progress bar answer soon, and little is lost."""


class Hands(Protocol):
    """Whoever plays batches: threads here, a cluster or a GPU elsewhere."""

    batch_shoes: int
    """Shoes of one batch."""
    ahead: int
    """Batches to keep them busy with."""

    def submit(self, deals: Deals, first: int, shoes: int) -> Future[Batch]:
        """Begin to play a batch."""
        ...


class Threads:
    """So many cores of this machine; kernels run outside Python's lock."""

    batch_shoes = BATCH_SHOES

    def __init__(self, workers: int) -> None:
        self.ahead = 3 * workers
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="shoes")

    def submit(self, deals: Deals, first: int, shoes: int) -> Future[Batch]:
        return self._pool.submit(play_batch, deals, first, shoes)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def deals_of(book: CompiledBook, terms: ShoeTerms, seed: int) -> Deals:
    """What is dealt for a book: its table of play, and suits where one of its bets asks for them."""
    masks = tuple(int(mask) for mask in play_masks(book.play))
    return Deals(masks, terms, seed, asks_suits(book))


def tallies(start: Tally, rounds: int, hands: Hands) -> Iterator[Tally]:
    """The tally after each batch, from `start` on; the last has exactly so many rounds.

    Any tally but the last holds whole shoes only, so that a run can be taken up again from it.
    """
    deals, tally = start.deals, start
    waiting: deque[Future[Batch]] = deque()
    following = start.next_shoe
    while tally.rounds < rounds:
        while len(waiting) < hands.ahead:
            # Every shoe has a round at least: a short run need not play a whole batch.
            shoes = min(hands.batch_shoes, max(1, rounds - tally.rounds))
            waiting.append(hands.submit(deals, following, shoes))
            following += shoes
        batch = waiting.popleft().result()
        if tally.rounds + batch.rounds <= rounds:
            tally = tally.plus(batch)
        else:
            whole, part = shortened(deals, batch, rounds - tally.rounds)
            tally = tally.plus(whole).plus(part, is_whole=False)
        yield tally
    for future in waiting:
        future.cancel()
