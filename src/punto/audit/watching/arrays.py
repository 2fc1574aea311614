"""What was seen at a table as arrays: a row for each round, so that thousands are compared at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from punto.audit.watching.seen import SeenShoe

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

Slip = tuple[tuple[str, int], ...]
"""What one player had on the layout: betting areas with their stakes, in minor units."""

NO_CARD = -1


@dataclass(frozen=True, slots=True)
class SeenArrays:
    """The rounds of a table in their order, and the cards of its shoes."""

    unseen: NDArray[np.int16]
    """A row for each round: counts of the 52 cards that had not been seen when bets were called."""
    totals: Integers
    player_pair: Integers
    banker_pair: Integers
    shoe: Integers
    """The place of the shoe that each round was dealt from, counted from 0."""
    after_cut: NDArray[np.bool_]
    """Whether the cut card was out when bets were called."""
    drawn: tuple[Integers, ...]
    """For each shoe its cards in the order in which they showed; none of a continuous shuffler."""
    decks: tuple[int, ...]
    burned: Integers
    """For each shoe the shown burn card, or `NO_CARD`."""
    stakes: Mapping[str, Mapping[Slip, Integers]] = field(default_factory=dict)
    """By player, in the order of their first bets, and by slip: the rounds it was bet in."""

    @property
    def rounds(self) -> int:
        return len(self.totals)

    @property
    def shoes(self) -> int:
        return len(self.drawn)


def arrays_of(shoes: Sequence[SeenShoe]) -> SeenArrays:
    """Everything that was seen of these shoes."""
    rounds = [(place, one) for place, shoe in enumerate(shoes) for one in shoe.rounds]
    stakes: dict[str, dict[Slip, list[int]]] = {}
    for number, (_, one) in enumerate(rounds):
        slips: dict[str, list[tuple[str, int]]] = {}
        for bet in one.bets:
            slips.setdefault(bet.player, []).append((bet.area, bet.stake))
        for player, slip in slips.items():
            stakes.setdefault(player, {}).setdefault(tuple(slip), []).append(number)
    return SeenArrays(
        unseen=np.array([one.unseen for _, one in rounds], np.int16).reshape(len(rounds), 52),
        totals=_integers(one.facts.totals for _, one in rounds),
        player_pair=_integers(one.facts.player_pair for _, one in rounds),
        banker_pair=_integers(one.facts.banker_pair for _, one in rounds),
        shoe=_integers(place for place, _ in rounds),
        after_cut=np.array([one.is_after_cut for _, one in rounds], np.bool_),
        drawn=tuple(_integers(card.index for card in shoe.cards) for shoe in shoes),
        decks=tuple(shoe.decks for shoe in shoes),
        burned=_integers(NO_CARD if shoe.burned is None else shoe.burned.index for shoe in shoes),
        stakes={
            player: {slip: np.array(rows, np.int64) for slip, rows in slips.items()}
            for player, slips in stakes.items()
        },
    )


def _integers(values: object) -> Integers:
    return np.fromiter(values, np.int64)  # type: ignore[call-overload, no-any-return]
