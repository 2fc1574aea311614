"""Sessions of a user's own strategy: the same shoes, limits and ends as those of the built-in ones.

A function that takes a view is asked in Python (`own_session.py`), one that takes numbers and arrays is
compiled (`own_kernel.py`). Both give the numbers of a built-in strategy that plays alike, to the last digit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

import msgspec

from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.simulation.kernels.recording import Recorded
from punto.simulation.strategy.bounds import too_large
from punto.simulation.strategy.own_session import OwnSession
from punto.simulation.strategy.own_source import OwnSource
from punto.simulation.strategy.progression import Progression
from punto.simulation.strategy.sessions import Sessions
from punto.simulation.strategy.settling import SUMS
from punto.simulation.strategy.strategy import MOST_STAKE, Insuring, Strategy

OWN_SHOES = 64
"""Shoes of a batch that is played in Python, about: a second of it."""


def own_strategy(book: Book, limits: Strategy) -> Strategy:
    """The limits of a strategy for a function that may lay any bet but those on suits and single cards."""
    tables = book.pay_tables
    areas = [a for a in book.opening_areas if not tables[a].reads_suits and tables[a].cards is None]
    one = dict.fromkeys(areas, 1)
    return msgspec.structs.replace(limits, stakes=one, progression=Progression.FLAT, count=None)


@dataclass(frozen=True)
class OwnSessions(Sessions):
    """Sessions played by a user's function."""

    source: OwnSource = field(default_factory=lambda: OwnSource("", "", ""))

    @property
    def batch_shoes(self) -> int:
        if self.source.is_compiled:
            return super().batch_shoes
        return max(1, OWN_SHOES // self.strategy.shoes) * self.strategy.shoes

    @property
    def identity(self) -> str:
        """The strategy with the text of its file, wherever the file is."""
        digest = sha256(self.source.text.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{super().identity} {self.source.name} {digest}"

    @property
    def maximum(self) -> int:
        """The most on one area."""
        return min(self.strategy.maximum or MOST_STAKE, MOST_STAKE)

    def problem(self) -> str | None:
        """Why these sessions cannot be played; the stakes are the function's own affair."""
        limits = msgspec.structs.replace(self.strategy, minimum=0, maximum=None)
        most = msgspec.structs.replace(limits, stakes=dict.fromkeys(self.strategy.stakes, self.maximum))
        if self.strategy.maximum is not None and self.strategy.maximum < self.strategy.minimum:
            return self.strategy.problem(self.book)
        return limits.problem(self.book) or too_large(self.book, most, self.deals.terms)

    @cached_property
    def insuring(self) -> dict[tuple[Hand, int, int, int], Insuring]:
        """The policy for a function that does not decide insurance itself."""
        return {
            (rule.hand, rule.cards, rule.player_points, rule.banker_points): rule.choice
            for rule in self.strategy.insuring
        }

    def _run(self, recorded: Recorded, sums: Any, results: Any, paths: Any) -> None:
        if self.source.is_compiled:
            from punto.simulation.strategy.own_kernel import run_compiled

            run_compiled(self, recorded, sums, results, paths)
            return
        per_session = self.strategy.shoes
        totals = [0] * (len(sums) * SUMS)
        for session in range(len(results)):
            played = OwnSession(self, totals)
            first = session * per_session
            played.play(recorded, range(first, min(first + per_session, len(recorded.lengths))))
            results[session] = played.net, played.drawdown, len(played.path), played.end
            if session < len(paths):
                paths[session, : len(played.path)] = played.path
        low = (1 << 64) - 1
        signed = [(number & low, number >> 64) for number in totals]
        sums.reshape(-1, 2)[:] = [(part - (part >> 63 << 64), high) for part, high in signed]
