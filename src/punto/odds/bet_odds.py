"""The exact odds of one bet: in how many ways each outcome comes, and what follows from that."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from punto.rules.outcome import Outcome, Result


@dataclass(frozen=True, slots=True)
class BetOdds:
    """A bet's outcomes with their numbers of ways, out of a total."""

    area: str
    ways: tuple[tuple[Outcome, int], ...]
    """Outcomes that can come, each with its ordered draws, best first."""
    total: int

    def probability(self, result: Result) -> Fraction:
        """The chance of a result."""
        return Fraction(sum(ways for outcome, ways in self.ways if outcome.result is result), self.total)

    @property
    def ev(self) -> Fraction:
        """What one unit staked gains on average; a loss is negative."""
        return sum((outcome.net * ways for outcome, ways in self.ways), Fraction(0)) / self.total

    @property
    def edge(self) -> Fraction:
        """What the house keeps of one unit staked, on average."""
        return -self.ev

    @property
    def variance(self) -> Fraction:
        """The variance of the net of one unit staked."""
        square = sum((outcome.net**2 * ways for outcome, ways in self.ways), Fraction(0)) / self.total
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
