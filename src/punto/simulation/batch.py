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
from punto.simulation.card_reading import CardReading, plan_of
from punto.simulation.kernels.workspace import PAIR_CODES, SUITED_CODES
from punto.simulation.shoe_terms import ShoeTerms

MOST_SEED = (1 << 64) - 1


class Deals(msgspec.Struct, frozen=True):
    """Which shoes are dealt: everything that their rounds depend on."""

    masks: tuple[int, ...]
    """The table of play, from `play_masks`."""
    terms: ShoeTerms
    seed: int
    has_suits: bool = False
    """Whether the suits of pairs are drawn too: only where a bet asks for them, since it costs time."""
    readings: tuple[CardReading, ...] = ()
    """What is looked up for bets on single cards; with suits, all cards then have one."""

    @property
    def pair_codes(self) -> int:
        """How many pairs are told apart in each hand, none among them."""
        return SUITED_CODES if self.has_suits else PAIR_CODES

    @property
    def fact_cells(self) -> int:
        """Cells of the histogram of facts: pair of Player, pair of Banker, totals."""
        return self.pair_codes**2 * TOTALS

    @property
    def cells(self) -> int:
        """Cells of the whole histogram: that of facts, then those of the readings."""
        return self.fact_cells + sum(reading.cells for reading in self.readings)

    @property
    def least_rounds(self) -> int:
        """The minimum rounds per shoe."""
        return self.terms.least_rounds

    @property
    def together(self) -> int:
        """Shoes that no batch may part: each stands alone."""
        return 1

    def play(self, first: int, shoes: int, last_rounds: int | None = None) -> Batch:
        """Play shoes on this processor; `last_rounds` ends the last of them after that many rounds."""
        if last_rounds is None:
            return self._play(first, shoes, None)
        whole, part = self._play(first, shoes - 1, None), self._play(first + shoes - 1, 1, last_rounds)
        lengths = np.concatenate((whole.lengths, part.lengths))
        return Batch(first, lengths, True, whole.histogram + part.histogram)

    def _play(self, first: int, shoes: int, most_rounds: int | None) -> Batch:
        from punto.simulation.kernels.kernel import COUNT, COUNT_SUITS, play_shoes

        if self.readings:
            return self._play_cards(first, shoes, most_rounds)
        histogram = np.zeros(self.cells, np.uint32)
        lengths, shown = np.zeros(shoes, np.uint16), np.zeros(shoes, np.int8)
        play_shoes(
            np.uint64(first),
            shoes,
            np.uint64(self.seed),
            self.terms.for_kernel(most_rounds),
            np.array(self.masks, np.uint16),
            COUNT_SUITS if self.has_suits else COUNT,
            histogram,
            np.zeros((1, 1), np.uint32),
            shown,
            lengths,
        )
        return Batch(first, lengths, False, histogram)

    def _play_cards(self, first: int, shoes: int, most_rounds: int | None) -> Batch:
        from punto.simulation.kernels.card_kernel import play_cards

        histogram, lengths = np.zeros(self.cells, np.uint32), np.zeros(shoes, np.uint16)
        play_cards(
            np.uint64(first),
            shoes,
            np.uint64(self.seed),
            self.terms.for_kernel(most_rounds),
            np.array(self.masks, np.uint16),
            self.has_suits,
            *plan_of(self.readings, self.fact_cells),
            histogram,
            lengths,
        )
        return Batch(first, lengths, False, histogram)


@dataclass(frozen=True, slots=True)
class PlayedShoes:
    """A number of consecutive shoes, played."""

    first: int
    """Number of the first shoe."""
    lengths: NDArray[np.uint16]
    """Rounds of each shoe."""
    is_broken: bool
    """Whether the last shoe was broken off before its end."""

    @property
    def shoes(self) -> int:
        return len(self.lengths)

    @property
    def rounds(self) -> int:
        return int(self.lengths.sum(dtype=np.int64))

    def count_lengths(self, longest: int) -> NDArray[np.int64]:
        """How many whole shoes had 0, 1, 2, … rounds."""
        whole = self.lengths[:-1] if self.is_broken else self.lengths
        return np.bincount(whole, minlength=longest + 1)


@dataclass(frozen=True, slots=True)
class Batch(PlayedShoes):
    """Shoes of which every round is counted by its facts."""

    histogram: NDArray[Any]
