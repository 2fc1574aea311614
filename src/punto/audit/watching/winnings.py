"""Whether a player wins more than chance allows: somebody who knows cards that nobody should know.

The capital of somebody who bets along with the player at fair odds. What the player has on the layout is
known before the deal; its result is compared with its expectation over the unseen cards. Bets on points and
numbers of cards count; pairs, antes and insurance do not.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from punto.audit.watching.arrays import SeenArrays, Slip
from punto.rules.book import Book
from punto.rules.text.when import Reads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SHARES = np.array((0.05, 0.1, 0.2, 0.4))
"""Shares of the capital that are bet along with a player."""


class Winnings:
    """What the players of a table won and what they could expect to, shoe by shoe."""

    def __init__(self, book: Book, seen: SeenArrays) -> None:
        self._book, self._seen = book, seen
        watched = {
            player: [(rows, net) for slip, rows in slips.items() if (net := self._net(slip)) is not None]
            for player, slips in seen.stakes.items()
        }
        self._slips = {player: slips for player, slips in watched.items() if slips}
        self.rows = {player: np.zeros((seen.shoes, len(SHARES))) for player in self._slips}
        """By player, in the order of their first bets: likelihood ratios, a row for each shoe."""
        self.won = dict.fromkeys(self._slips, 0.0)
        self.expected = dict.fromkeys(self._slips, 0.0)

    def add(self, start: int, chances: Floats) -> None:
        """Some rounds more, from this one on, each with the chances of its `totals`."""
        end = start + len(chances)
        for player, slips in self._slips.items():
            for rows, net in slips:
                some = rows[np.searchsorted(rows, start) : np.searchsorted(rows, end)]
                if len(some):
                    self._add(player, some, net, chances[some - start])

    def _add(self, player: str, rows: NDArray[np.int64], net: Floats, chances: Floats) -> None:
        means, results = chances @ net, net[self._seen.totals[rows]]
        worst = means - _least(chances, net)
        is_risked = worst > 0
        gains = (results[is_risked] - means[is_risked]) / worst[is_risked]
        ratios = np.log1p(SHARES * gains[:, None])
        np.add.at(self.rows[player], self._seen.shoe[rows[is_risked]], ratios)
        self.won[player] += float(results.sum())
        self.expected[player] += float(means.sum())

    def _net(self, slip: Slip) -> Floats | None:
        """What a slip gains, by `totals`; None where it has no bet that is watched."""
        nets = [stake * self._nets[area] for area, stake in slip if area in self._nets]
        return np.sum(nets, axis=0) if nets else None

    @cached_property
    def _nets(self) -> dict[str, Floats]:
        """What one unit gains, by `totals`, of every bet that reads nothing else."""
        tables = self._book.pay_tables
        return {
            area: np.array([float(net) for net in tables[area].nets])
            for area in self._book.outright_areas
            if tables[area].reads is Reads.TOTALS
        }


def _least(chances: Floats, net: Floats) -> Floats:
    """The least that can come in each round; nearly always it is the least of all."""
    least = np.full(len(chances), net.min())
    is_other = chances @ (net == net.min()).astype(np.float64) <= 0
    least[is_other] = np.where(chances[is_other] > 0, net, np.inf).min(axis=1, initial=np.inf)
    return least
