"""What all sessions of a strategy came to: each bet, the end of a session, drawdown and ruin.

Memory does not grow with the number of sessions: sums are whole numbers, exact whatever their size, and ends
and drawdowns are kept as spreads. Nothing depends on how sessions were put together into batches. Where a
figure is not known, because there were no sessions or too few, there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.rules.facts import Hand
from punto.simulation.kernels import wide
from punto.simulation.kernels.compiling import compiled
from punto.simulation.kernels.wide import add_number, add_product
from punto.simulation.strategy.sessions import EXTRA_ENTRIES, SessionBatch, Sessions
from punto.simulation.strategy.settling import DRAWDOWN, END, NET, RUINED, SUMS
from punto.simulation.strategy.slip_tables import INSURED_AREAS
from punto.simulation.strategy.spread import Quantile, Spread
from punto.simulation.tally import check_lengths, mean_length

ENDS = ("to the end", "ruined", "at the goal", "at the stop-loss")
MOMENTS = 3
"""Over sessions: the sums of net, of its square, and of drawdown."""


@dataclass(frozen=True, slots=True)
class StakeResult:
    """How the stakes on one betting area fared."""

    bet: str
    made: int
    staked: int
    net: int
    error: float | None
    """Standard error of `mean`; none while no two bets differed, for then it is not known."""

    @property
    def mean(self) -> float:
        """Net of one unit staked."""
        return self.net / self.staked


@dataclass(frozen=True, slots=True)
class SessionTally:
    """All sessions so far."""

    sessions: Sessions
    rounds: int
    next_shoe: int
    lengths: NDArray[np.int64]
    sums: tuple[int, ...]
    """For each entry: bets made, staked, net, and three sums of products."""
    moments: tuple[int, ...]
    nets: Spread
    drawdowns: Spread
    ends: NDArray[np.int64]
    """Sessions by how they ended."""

    @classmethod
    def empty(cls, sessions: Sessions) -> SessionTally:
        entries = len(sessions.slip.bets) + EXTRA_ENTRIES
        return cls(
            sessions,
            0,
            0,
            np.zeros(sessions.deals.terms.most_rounds + 1, np.int64),
            (0,) * (entries * SUMS),
            (0,) * MOMENTS,
            Spread.empty(),
            Spread.empty(),
            np.zeros(len(ENDS), np.int64),
        )

    @property
    def work(self) -> Sessions:
        """What is done with every shoe: the strategy is played through it."""
        return self.sessions

    @classmethod
    def from_arrays(cls, sessions: Sessions, arrays: Mapping[str, NDArray[Any]]) -> SessionTally:
        """A tally out of what `arrays` gave; `ValueError` where that cannot be one."""
        empty = cls.empty(sessions)
        tally = cls(
            sessions,
            int(arrays["rounds"]),
            int(arrays["next_shoe"]),
            arrays["lengths"],
            tuple(int(number) for number in arrays["sums"]),
            tuple(int(number) for number in arrays["moments"]),
            Spread.from_array(arrays["nets"]),
            Spread.from_array(arrays["drawdowns"]),
            arrays["ends"],
        )
        shapes = [(t.lengths.shape, len(t.sums), len(t.moments), t.ends.shape) for t in (tally, empty)]
        if shapes[0] != shapes[1] or not tally.nets.number == tally.drawdowns.number == tally.ends.sum():
            raise ValueError("the arrays are of another strategy")
        check_lengths(tally.lengths, sessions.deals.terms.most_rounds, tally.rounds, tally.next_shoe)
        return tally

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that was counted, to be kept; numbers that may not fit 64 bits are written out."""
        return {
            "rounds": np.array(self.rounds),
            "next_shoe": np.array(self.next_shoe),
            "lengths": self.lengths,
            "sums": np.array([str(number) for number in self.sums]),
            "moments": np.array([str(number) for number in self.moments]),
            "nets": self.nets.array(),
            "drawdowns": self.drawdowns.array(),
            "ends": self.ends,
        }

    def plus(self, batch: SessionBatch) -> SessionTally:
        """The tally with the sessions of the next shoes."""
        assert batch.first == self.next_shoe, "shoes are added in their order"
        moments = wide.zeros(MOMENTS)
        _add_sessions(batch.results, moments)
        return replace(
            self,
            rounds=self.rounds + batch.rounds,
            next_shoe=self.next_shoe + batch.shoes,
            lengths=self.lengths + batch.count_lengths(self.sessions.deals.terms.most_rounds),
            sums=tuple(map(int.__add__, self.sums, batch.sums)),
            moments=tuple(map(int.__add__, self.moments, wide.whole_numbers(moments))),
            nets=self.nets.plus(batch.results[:, NET]),
            drawdowns=self.drawdowns.plus(batch.results[:, DRAWDOWN]),
            ends=self.ends + np.bincount(batch.results[:, END], minlength=len(ENDS)),
        )

    @property
    def number(self) -> int:
        """Sessions that came to their end."""
        return int(self.ends.sum())

    @property
    def net(self) -> tuple[float | None, float | None]:
        """Mean net of a session in minor units, and its standard error: none of either from too few."""
        number, net, squares, _ = self.number, *self.moments
        if not number:
            return None, None
        spread = number * squares - net**2
        return net / number, sqrt(Fraction(spread, number**2 * (number - 1))) if spread else None

    @property
    def ruined(self) -> int | None:
        """Sessions that were ruined; none where there was no bankroll to lose."""
        return int(self.ends[RUINED]) if self.sessions.strategy.bankroll is not None else None

    @property
    def drawdown(self) -> tuple[float, int] | None:
        """Mean and greatest drawdown of a session in minor units."""
        reached = self.drawdowns.range
        return (self.moments[2] / self.number, reached[1]) if reached else None

    def quantile(self, share: Fraction) -> Quantile | None:
        """The net that this share of sessions did not exceed; none without sessions."""
        return self.nets.quantile(share)

    @property
    def rounds_per_shoe(self) -> tuple[float | None, float | None]:
        """Mean rounds of a whole shoe, and the standard error of that mean, as far as they are known."""
        return mean_length(self.lengths)

    def bets(self) -> tuple[StakeResult, ...]:
        """How every kind of stake fared that was laid at all; an ante includes its wager's net."""
        insurance = [f"insurance-{hand.value}-{cards}" for hand, cards in INSURED_AREAS]
        insured = [f"{self.sessions.book.main_area(hand)}-insured" for hand in Hand]
        names = [*self.sessions.areas, *insurance, *insured]
        rows = [self.sums[i * SUMS : (i + 1) * SUMS] for i in range(len(names))]
        has_insurance = any(row[0] for row in rows[len(self.sessions.areas) :][:4])
        found = []
        for i, (name, row) in enumerate(zip(names, rows, strict=True)):
            if row[0] and (has_insurance or i < len(names) - 2):
                made, staked, net = row[:3]
                found.append(StakeResult(name, made, staked, net, _error(*row)))
        return tuple(found)


def _error(made: int, staked: int, net: int, square: int, cross: int, stakes: int) -> float | None:
    """Standard error of net to stake, each bet's deviation being what it won beyond the mean of its stake."""
    spread = square * staked**2 - 2 * net * staked * cross + net**2 * stakes
    return sqrt(Fraction(spread * made, (made - 1) * staked**4)) if spread and made > 1 else None


@compiled
def _add_sessions(results: Any, moments: Any) -> None:
    for session in range(len(results)):
        net = results[session, NET]
        add_number(moments, 0, net)
        add_product(moments, 1, net, net)
        add_number(moments, 2, results[session, DRAWDOWN])
