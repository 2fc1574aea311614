"""How the shoes of a simulation are played: decks, burn, cut card and last rounds, as at a table.

The round in which the cut card comes out is finished and some more are dealt. Or every shoe is played for
the same number of rounds: then each round has the frequencies of a fresh shoe exactly, and a result can be
held against exact odds. Where few cards are behind the cut card, no round is started that might not be
finished.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.cards.burn import Burn
from punto.cards.card import DECK
from punto.simulation.kernels.philox import MOST_CARDS

MOST_DECKS = MOST_CARDS // len(DECK)
LONGEST_ROUND = 6
LARGEST_BURN = 11
"""A shown ten or court card and the ten after it."""
NO_LIMIT = 0xFFFF


class ShoeTerms(msgspec.Struct, frozen=True):
    """The terms that every shoe of a simulation is played by."""

    decks: int = 8
    behind_cut: int = 14
    """Number of cards behind the cut card."""
    rounds_after_cut: int = 1
    rounds_per_shoe: int | None = None
    """Where it is a number, that many rounds are dealt from each shoe and there is no cut card."""
    burn: Burn = Burn()

    @property
    def burned_at_most(self) -> int:
        return LARGEST_BURN if self.burn.by_first_card else self.burn.fixed

    @property
    def cards_to_play(self) -> int:
        """Cards that are certain to be there after the burn."""
        return self.decks * len(DECK) - self.burned_at_most

    @property
    def least_rounds(self) -> int:
        """The minimum rounds per shoe."""
        return self.rounds_per_shoe or max(1, (self.cards_to_play - self.behind_cut) // LONGEST_ROUND)

    @property
    def most_rounds(self) -> int:
        """No shoe has more rounds than this."""
        return self.rounds_per_shoe or self.decks * len(DECK) // 4

    def problem(self) -> str | None:
        """What is wrong with these terms, in one sentence."""
        if not 1 <= self.decks <= MOST_DECKS:
            return f"{self.decks} decks cannot be simulated; give 1 to {MOST_DECKS}"
        if self.cards_to_play < LONGEST_ROUND:
            return f"{self.burn.fixed} cards cannot be burned: no round could be dealt"
        if self.rounds_per_shoe is not None:
            most = self.cards_to_play // LONGEST_ROUND
            if not 1 <= self.rounds_per_shoe <= most:
                return f"{self.rounds_per_shoe} rounds cannot be dealt from every shoe; give 1 to {most}"
        most = self.cards_to_play - LONGEST_ROUND
        if not 0 <= self.behind_cut <= most:
            return f"cards behind the cut card must be from 0 to {most}, not {self.behind_cut}"
        if not 0 <= self.rounds_after_cut < NO_LIMIT:
            return f"{self.rounds_after_cut} rounds cannot be dealt after the cut card"
        return None

    def for_kernel(self, most_rounds: int | None = None) -> NDArray[Any]:
        """These terms in the order in which a kernel reads them; `most_rounds` ends shoes sooner."""
        most = most_rounds or self.rounds_per_shoe or NO_LIMIT
        cut = 0 if self.rounds_per_shoe else self.behind_cut
        burned = -1 if self.burn.by_first_card else self.burn.fixed
        return np.array([self.decks, cut, self.rounds_after_cut, most, burned], np.int64)
