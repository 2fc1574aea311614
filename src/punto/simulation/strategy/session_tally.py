"""What all sessions of a strategy came to: each bet, the end of a session, drawdown and ruin.

Memory does not grow with the number of sessions: their ends are kept in bins, fine enough for quantiles,
beside exact sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.rules.facts import Hand
from punto.simulation.strategy.sessions import EXTRA_ENTRIES, SessionBatch, Sessions
from punto.simulation.strategy.slip_tables import INSURED_AREAS

BINS = 1000
"""Bins on either side of nothing won."""
USUAL_SPAN = 200
"""Units that a session without bankroll or goal hardly ever wins or loses."""
DRAWDOWN, ROUNDS, END = 1, 2, 3
_KEPT = ("lengths", "sums", "products", "moments", "nets", "drawdowns", "ends")
"""What a checkpoint holds of a tally."""
ENDS = ("to the end", "ruined", "at the goal", "at the stop-loss")


@dataclass(frozen=True, slots=True)
class StakeResult:
    """How the stakes on one betting area fared."""

    bet: str
    made: int
    staked: int
    net: int
    error: float
    """Standard error of `mean`."""

    @property
    def mean(self) -> float:
        """Net of one unit staked."""
        return self.net / self.staked if self.staked else 0.0


@dataclass(frozen=True, slots=True)
class SessionTally:
    """All sessions so far."""

    sessions: Sessions
    rounds: int
    next_shoe: int
    lengths: NDArray[np.int64]
    sums: NDArray[np.int64]
    products: NDArray[np.float64]
    moments: NDArray[np.float64]
    """Over sessions: number, net, its square, drawdown, greatest drawdown, rounds, least and greatest net."""
    nets: NDArray[np.int64]
    """Sessions by net, in bins of `width`; the outermost take everything beyond."""
    drawdowns: NDArray[np.int64]
    ends: NDArray[np.int64]
    """Sessions by how they ended."""

    @classmethod
    def empty(cls, sessions: Sessions) -> SessionTally:
        entries = len(sessions.slip.bets) + EXTRA_ENTRIES
        moments = np.zeros(8)
        moments[6], moments[7] = np.inf, -np.inf
        return cls(
            sessions,
            0,
            0,
            np.zeros(sessions.deals.terms.most_rounds + 1, np.int64),
            np.zeros((entries, 3), np.int64),
            np.zeros((entries, 3)),
            moments,
            np.zeros(2 * BINS + 1, np.int64),
            np.zeros(BINS + 1, np.int64),
            np.zeros(len(ENDS), np.int64),
        )

    @property
    def work(self) -> Sessions:
        """What is done with every shoe: the strategy is played through it."""
        return self.sessions

    @classmethod
    def from_arrays(cls, sessions: Sessions, arrays: Mapping[str, NDArray[Any]]) -> SessionTally:
        """A tally out of what `arrays` gave; `ValueError` where that cannot be one."""
        kept = {name: arrays[name] for name in _KEPT}
        tally = cls(sessions, int(arrays["rounds"]), int(arrays["next_shoe"]), **kept)
        empty = cls.empty(sessions)
        if any(getattr(tally, name).shape != getattr(empty, name).shape for name in _KEPT):
            raise ValueError("the arrays are of another strategy")
        return tally

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that was counted, to be kept."""
        kept = {name: getattr(self, name) for name in _KEPT}
        return {"rounds": np.array(self.rounds), "next_shoe": np.array(self.next_shoe), **kept}

    @property
    def unit(self) -> int:
        """One unit on every bet of the strategy."""
        return sum(self.sessions.strategy.stakes.values())

    @property
    def width(self) -> int:
        """Minor units of one bin."""
        strategy = self.sessions.strategy
        span = max(USUAL_SPAN * self.unit, strategy.bankroll or 0, strategy.goal or 0)
        return max(1, ceil(span / BINS))

    def plus(self, batch: SessionBatch) -> SessionTally:
        """The tally with the sessions of the next shoes."""
        assert batch.first == self.next_shoe, "shoes are added in their order"
        net, drawdown = batch.results[:, 0], batch.results[:, DRAWDOWN]
        moments = self.moments.copy()
        exact = net.astype(np.float64)
        rounds = batch.results[:, ROUNDS]
        moments[:4] += len(net), exact.sum(), (exact**2).sum(), drawdown.sum()
        moments[4] = max(moments[4], drawdown.max(initial=0))
        moments[5] += rounds.sum()
        moments[6], moments[7] = (
            min(moments[6], exact.min(initial=np.inf)),
            max(moments[7], exact.max(initial=-np.inf)),
        )
        places = np.clip(net // self.width + BINS, 0, 2 * BINS)
        return replace(
            self,
            rounds=self.rounds + batch.rounds,
            next_shoe=self.next_shoe + batch.shoes,
            lengths=self.lengths + batch.count_lengths(self.sessions.deals.terms.most_rounds),
            sums=self.sums + batch.sums,
            products=self.products + batch.products,
            moments=moments,
            nets=self.nets + np.bincount(places, minlength=2 * BINS + 1),
            drawdowns=self.drawdowns
            + np.bincount(np.minimum(drawdown // self.width, BINS), minlength=BINS + 1),
            ends=self.ends + np.bincount(batch.results[:, END], minlength=len(ENDS)),
        )

    @property
    def number(self) -> int:
        """Sessions that came to their end."""
        return int(self.moments[0])

    @property
    def net(self) -> tuple[float, float]:
        """Mean net of a session in minor units, and the standard error of that mean."""
        if not self.number:
            return 0.0, 0.0
        mean = self.moments[1] / self.number
        return float(mean), sqrt(max(0.0, self.moments[2] / self.number - mean**2) / self.number)

    @property
    def ruin(self) -> tuple[float, float]:
        """Share of sessions that were ruined, and the standard error of that share."""
        if not self.number:
            return 0.0, 0.0
        share = int(self.ends[1]) / self.number
        return share, sqrt(share * (1 - share) / self.number)

    @property
    def drawdown(self) -> tuple[float, float]:
        """Mean and greatest drawdown of a session in minor units."""
        return (float(self.moments[3]) / self.number if self.number else 0.0), float(self.moments[4])

    def quantile(self, share: float) -> float:
        """The net below which this share of sessions ended, to the width of a bin."""
        reached = np.searchsorted(np.cumsum(self.nets), share * self.nets.sum())
        return float((int(reached) - BINS) * self.width)

    @property
    def rounds_per_shoe(self) -> tuple[float, float]:
        """Mean rounds of a whole shoe, and the standard error of that mean."""
        shoes = int(self.lengths.sum())
        if not shoes:
            return 0.0, 0.0
        number = np.arange(len(self.lengths))
        mean = float(number @ self.lengths) / shoes
        return mean, sqrt(float((number - mean) ** 2 @ self.lengths) / shoes / shoes)

    def bets(self) -> tuple[StakeResult, ...]:
        """How every kind of stake fared that was laid at all; an ante includes its wager's net."""
        insurance = [f"insurance-{hand.value}-{cards}" for hand, cards in INSURED_AREAS]
        insured = [f"{self.sessions.book.main_area(hand)}-insured" for hand in Hand]
        has_insurance = bool(self.sums[len(self.sessions.areas) :][:4, 0].any())
        names = [*self.sessions.areas, *insurance, *insured]
        found = []
        for i, name in enumerate(names):
            made, staked, net = (int(number) for number in self.sums[i])
            if made and (has_insurance or i < len(names) - 2):
                found.append(StakeResult(name, made, staked, net, _error(staked, net, self.products[i])))
        return tuple(found)


def _error(staked: int, net: int, products: NDArray[np.float64]) -> float:
    """Standard error of net to stake, each bet's deviation being what it won beyond the mean of its stake."""
    mean = net / staked
    square, cross, stakes = (float(product) for product in products)
    return sqrt(max(0.0, square - 2 * mean * cross + mean**2 * stakes)) / staked
