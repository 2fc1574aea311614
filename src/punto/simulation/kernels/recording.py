"""Recording: every card of every round of some shoes, for whatever must look at more than the facts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from punto.cards.card import Rank
from punto.simulation.batch import Deals
from punto.simulation.kernels.workspace import CODE_RANKS


class Recorded(NamedTuple):
    """Shoes as they were dealt, a row for each."""

    cards: NDArray[np.uint32]
    """Of each round: six codes of four bits in dealing order, then whether Player drew and whether Banker
    drew."""
    shown: NDArray[np.int8]
    """Code of the card that was shown before the burn, -1 for none."""
    lengths: NDArray[np.uint16]

    def round_ranks(self, shoe: int, number: int) -> tuple[Rank, ...]:
        """The ranks of a round's cards in dealing order."""
        codes = int(self.cards[shoe, number])
        count = 4 + (codes >> 24 & 1) + (codes >> 25 & 1)
        return tuple(CODE_RANKS[codes >> 4 * i & 15] for i in range(count))

    def shown_rank(self, shoe: int) -> Rank | None:
        """The rank of the shown card of the burn."""
        return CODE_RANKS[self.shown[shoe]] if self.shown[shoe] >= 0 else None


def record(deals: Deals, first: int, shoes: int, last_rounds: int | None = None) -> Recorded:
    """The shoes from `first` on, card by card; `last_rounds` breaks the last one off."""
    from punto.simulation.kernels.kernel import RECORD, play_shoes

    cards = np.zeros((shoes, deals.terms.most_rounds), np.uint32)
    lengths, shown = np.zeros(shoes, np.uint16), np.zeros(shoes, np.int8)
    play_shoes(
        np.uint64(first),
        shoes,
        np.uint64(deals.seed),
        deals.terms.for_kernel(),
        np.array(deals.masks, np.uint16),
        RECORD,
        np.zeros(1, np.uint32),
        cards,
        shown,
        lengths,
    )
    if last_rounds is not None:
        lengths[-1] = last_rounds
    return Recorded(cards, shown, lengths)
