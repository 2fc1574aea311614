"""The exact odds of one bet: in how many ways each outcome comes, and what follows from that."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from punto.rules.outcome import Outcome, Result
from punto.rules.pay_table import CompiledRow


@dataclass(frozen=True, slots=True)
class BetOdds:
    """A bet's outcomes with their numbers of ways, out of a total."""

    area: str
    rows: tuple[tuple[CompiledRow, int], ...]
    """Rows of the pay table that can come, in their order, each with its ordered draws."""
    total: int

    @property
    def ways(self) -> tuple[tuple[Outcome, int], ...]:
        """Outcomes that can come, each with its ordered draws, best first."""
        ways: dict[Outcome, int] = {}
        for row, draws in self.rows:
            ways[row.outcome] = ways.get(row.outcome, 0) + draws
        return tuple(sorted(ways.items(), key=lambda item: (-item[0].net, item[0].clause)))

    def probability(self, result: Result) -> Fraction:
        """The chance of a result."""
        return Fraction(sum(ways for row, ways in self.rows if row.outcome.result is result), self.total)

    @property
    def ev(self) -> Fraction:
        """What one unit staked gains on average; a loss is negative."""
        return sum((row.outcome.net * ways for row, ways in self.rows), Fraction(0)) / self.total

    @property
    def edge(self) -> Fraction:
        """What the house keeps of one unit staked, on average."""
        return -self.ev

    @property
    def variance(self) -> Fraction:
        """The variance of the net of one unit staked."""
        square = sum((row.outcome.net**2 * ways for row, ways in self.rows), Fraction(0)) / self.total
        return square - self.ev**2

    @property
    def sd(self) -> float:
        """The standard deviation of the net of one unit staked."""
        return sqrt(self.variance)

    @property
    def win(self) -> Fraction:
        """The chance to win: the hit frequency."""
        return self.probability(Result.WIN)

    @property
    def push(self) -> Fraction:
        """The chance that the stake comes back."""
        return self.probability(Result.PUSH)

    @property
    def lose(self) -> Fraction:
        """The chance to lose."""
        return self.probability(Result.LOSE)
