"""The bead plate: one bead for every round, ties included, six to a column.

It is the only road that keeps everything, so the results can be read back from it.
"""

from __future__ import annotations

import msgspec

from punto.roads.path import ROWS
from punto.roads.round_result import RoundResult, RoundWinner


class Bead(msgspec.Struct, frozen=True, gc=False):
    """One round on the bead plate; columns and rows count from 0."""

    column: int
    row: int
    result: RoundWinner
    banker_pair: bool
    player_pair: bool


def string_beads(results: tuple[RoundResult, ...], first: int = 0) -> tuple[Bead, ...]:
    """The beads of these results, the first of them being round number `first` of the shoe, from 0."""
    return tuple(
        [
            Bead(number // ROWS, number % ROWS, result.winner, result.banker_pair, result.player_pair)
            for number, result in enumerate(results, first)
        ]
    )
