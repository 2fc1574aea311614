"""Whether a player wins more than chance allows: somebody who knows cards that nobody should know.

The capital of somebody who bets along with the player at fair odds. What the player has on the layout is
known before the deal; its result is compared with its expectation over the unseen cards. Bets on points and
numbers of cards count; pairs, antes and insurance do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from punto.audit.watching.seen import SeenRound
from punto.rules.book import Book
from punto.rules.text.when import Reads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SHARES = np.array((0.05, 0.1, 0.2, 0.4))
"""Shares of the capital that are bet along with a player."""


class Winnings:
    """What the players of a table won and what they could expect to, shoe by shoe."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self.log_ratios: dict[str, dict[int, Floats]] = {}
        """By player, in the order of their first bets, and by place of the shoe."""
        self.won: dict[str, float] = {}
        self.expected: dict[str, float] = {}

    def add(self, a_round: SeenRound, chances: Floats, shoe: int) -> None:
        """One more round, with the chances of its `totals`."""
        nets: dict[str, Floats] = {}
        for bet in a_round.bets:
            net = self._nets.get(bet.area)
            if net is not None:
                nets[bet.player] = nets.get(bet.player, 0.0) + bet.stake * net
        possible = chances > 0
        for player, net in nets.items():
            mean, result = float(chances @ net), float(net[a_round.facts.totals])
            worst = mean - float(net[possible].min())
            if worst > 0:
                ratios = np.log1p(SHARES * (result - mean) / worst)
                by_shoe = self.log_ratios.setdefault(player, {})
                by_shoe[shoe] = by_shoe.get(shoe, 0.0) + ratios
            self.won[player] = self.won.get(player, 0.0) + result
            self.expected[player] = self.expected.get(player, 0.0) + mean

    @cached_property
    def _nets(self) -> dict[str, Floats]:
        """What one unit gains, by `totals`, of every bet that reads nothing else."""
        tables = self._book.pay_tables
        areas: Sequence[str] = self._book.outright_areas
        return {
            area: np.array([float(net) for net in tables[area].nets])
            for area in areas
            if tables[area].reads is Reads.TOTALS
        }

    def rows(self, player: str, shoes: int) -> Floats:
        """Likelihood ratios of a player: a row for each shoe."""
        found = np.zeros((shoes, len(SHARES)))
        for shoe, ratios in self.log_ratios.get(player, {}).items():
            found[shoe] = ratios
        return found
