"""Convergence: how each bet's mean comes nearer to its exact value as rounds are added."""

from __future__ import annotations

from dataclasses import dataclass, field

from punto.rules.book import Book
from punto.simulation.tally import BetResult, Tally

STEP = 1.3
"""Rounds from one look to the next: points lie evenly on a scale of powers."""


@dataclass(slots=True)
class Convergence:
    """Looks at a run while it is played."""

    book: Book
    points: list[tuple[BetResult, ...]] = field(default_factory=list)

    def look(self, tally: Tally) -> None:
        """Note where every bet stands, if enough rounds were added since the last look."""
        if not self.points or tally.rounds >= self.points[-1][0].rounds * STEP:
            self.points.append(tally.bets(self.book))
