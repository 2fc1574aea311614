"""A batch of shoes: the unit of work that a thread, another machine or a GPU plays.

Shoes are numbered from 0, and what a shoe holds depends on the seed and its number only. So it does not
matter how shoes are put together into batches, who plays them, or in what order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.rules.facts import TOTALS
from punto.simulation.shoe_terms import ShoeTerms
from punto.simulation.workspace import PAIR_CODES, SUITED_CODES

MOST_SEED = (1 << 64) - 1


class Deals(msgspec.Struct, frozen=True):
    """Which shoes are dealt: everything that their rounds depend on."""

    masks: tuple[int, ...]
    """The table of play, from `play_masks`."""
    terms: ShoeTerms
    seed: int
    has_suits: bool = False
    """Whether the suits of pairs are drawn too: only where a bet asks for them, since it costs time."""

    @property
    def pair_codes(self) -> int:
        """How many pairs are told apart in each hand, none among them."""
        return SUITED_CODES if self.has_suits else PAIR_CODES

    @property
    def cells(self) -> int:
        """Cells of the histogram: pair of Player, pair of Banker, totals."""
        return self.pair_codes**2 * TOTALS


@dataclass(frozen=True, slots=True)
class Batch:
    """What a number of consecutive shoes came to."""

    first: int
    """Number of the first shoe."""
    histogram: NDArray[Any]
    lengths: NDArray[np.uint16]
    """Rounds of each shoe."""

    @property
    def shoes(self) -> int:
        return len(self.lengths)

    @property
    def rounds(self) -> int:
        return int(self.lengths.sum(dtype=np.int64))


def play_batch(deals: Deals, first: int, shoes: int, most_rounds: int | None = None) -> Batch:
    """Play shoes on this processor; `most_rounds` ends each of them sooner."""
    from punto.simulation.kernel import COUNT, COUNT_SUITS, play_shoes

    histogram = np.zeros(deals.cells, np.uint32)
    lengths, shown = np.zeros(shoes, np.uint16), np.zeros(shoes, np.int8)
    play_shoes(
        np.uint64(first),
        shoes,
        np.uint64(deals.seed),
        deals.terms.for_kernel(most_rounds),
        np.array(deals.masks, np.uint16),
        COUNT_SUITS if deals.has_suits else COUNT,
        histogram,
        np.zeros((1, 1), np.uint32),
        shown,
        lengths,
    )
    return Batch(first, histogram, lengths)


def shortened(deals: Deals, batch: Batch, rounds: int) -> tuple[Batch, Batch]:
    """The first so many rounds of a batch: its whole shoes, and the one in which the last round falls.

    The second is empty of rounds where a shoe ends just there.
    """
    assert rounds <= batch.rounds
    played = np.cumsum(batch.lengths, dtype=np.int64)
    whole = int(np.searchsorted(played, rounds, side="right"))
    left = rounds - (int(played[whole - 1]) if whole else 0)
    part = play_batch(deals, batch.first + whole, 1, left) if left else _nothing(deals, batch.first + whole)
    return (play_batch(deals, batch.first, whole) if whole else _nothing(deals, batch.first)), part


def _nothing(deals: Deals, first: int) -> Batch:
    return Batch(first, np.zeros(deals.cells, np.uint32), np.zeros(0, np.uint16))
