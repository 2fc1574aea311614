"""Sessions as work: shoes are dealt and recorded, and a strategy is played through them.

A session takes whole shoes, so sessions do not depend on each other and can be played anywhere. Shoes
that a session leaves early are dealt all the same: another player may sit at the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.rules.book import Book
from punto.simulation.batch import Deals, PlayedShoes
from punto.simulation.kernels import wide
from punto.simulation.kernels.recording import Recorded, record
from punto.simulation.strategy.bounds import too_large
from punto.simulation.strategy.progression import number_of
from punto.simulation.strategy.settling import SUMS
from punto.simulation.strategy.slip_tables import SlipTables, slip_areas, slip_tables
from punto.simulation.strategy.strategy import Insuring, Strategy

SESSION_SHOES = 4096
"""Shoes of a batch, about: their cards are all in memory at once."""
EXTRA_ENTRIES = 6
"""After the bets: insurance on two hands at two windows, and each main bet together with its insurance."""


@dataclass(frozen=True, slots=True)
class SessionBatch(PlayedShoes):
    """Shoes with the sessions played in them."""

    sums: tuple[int, ...]
    """By entry: bets made, staked, net, and the products for their error."""
    results: NDArray[np.int64]
    """By session: net, drawdown, rounds, and how it ended."""
    paths: NDArray[np.int64]
    """Net after each round of the first sessions, where they were asked for."""


@dataclass(frozen=True)
class Sessions:
    """A strategy at a table: everything its sessions depend on."""

    deals: Deals
    book: Book
    strategy: Strategy
    paths: int = 0
    """How many sessions of each batch to follow round by round."""

    @property
    def batch_shoes(self) -> int:
        """Shoes of a batch: as many whole sessions as come near to `SESSION_SHOES`."""
        return max(1, SESSION_SHOES // self.strategy.shoes) * self.strategy.shoes

    @property
    def together(self) -> int:
        """Shoes that no batch may part: those of a session."""
        return self.strategy.shoes

    @property
    def least_rounds(self) -> int:
        """The minimum rounds per shoe."""
        return self.deals.least_rounds

    @property
    def identity(self) -> str:
        """Everything that decides what is staked, by content: stakes, limits, and policies row by row."""
        return msgspec.json.encode(self.strategy).decode()

    @cached_property
    def slip(self) -> SlipTables:
        if problem := self.problem():
            raise ValueError(problem)
        return slip_tables(self.book, self.strategy)

    def problem(self) -> str | None:
        """Why these sessions cannot be played, in one sentence."""
        return self.strategy.problem(self.book) or too_large(self.book, self.strategy, self.deals.terms)

    @cached_property
    def areas(self) -> list[str]:
        """Betting areas in the order of the sums."""
        return slip_areas(self.book, self.strategy)

    def play(self, first: int, shoes: int, last_rounds: int | None = None) -> SessionBatch:
        """Play the sessions that begin in these shoes."""
        assert first % self.together == 0, "a batch begins with a session"
        recorded = record(self.deals, first, shoes, last_rounds)
        return self._played(first, recorded, last_rounds is not None, self._run)

    def _played(
        self, first: int, recorded: Recorded, is_broken: bool, run: Callable[..., None]
    ) -> SessionBatch:
        strategy, shoes = self.strategy, len(recorded.lengths)
        sessions = -(-shoes // strategy.shoes)
        sums = wide.zeros(len(self.slip.bets) + EXTRA_ENTRIES, SUMS)
        results = np.zeros((sessions, 4), np.int64)
        longest = self.deals.terms.most_rounds * strategy.shoes
        paths = np.zeros((min(self.paths, sessions), longest if self.paths else 0), np.int64)
        run(recorded, sums, results, paths)
        if is_broken or shoes % strategy.shoes:
            results = results[:-1]  # the run ends in the midst of a session: its bets count, its end does not
        return SessionBatch(first, recorded.lengths, is_broken, wide.whole_numbers(sums), results, paths)

    def _run(self, recorded: Recorded, sums: Any, results: Any, paths: Any) -> None:
        from punto.simulation.strategy.session_kernel import play_sessions

        count = self.strategy.count
        play_sessions(
            recorded.cards,
            recorded.lengths,
            recorded.shown,
            self._numbers(),
            count.trigger if count else 0.0,
            np.array(self.strategy.line, np.int64),
            *self.slip,
            sums,
            results,
            paths,
        )

    def _numbers(self) -> NDArray[np.int64]:
        """The strategy's numbers in the order in which the kernel reads them."""
        strategy, ante = self.strategy, self.book.ante
        limits = (strategy.maximum, strategy.bankroll, strategy.goal, strategy.stop_loss)
        numbers = [
            number_of(strategy.progression),
            ante.multiple if ante else 0,
            ante.shown_cards if ante else 0,
            *(-1 if limit is None else limit for limit in limits),
            strategy.shoes,
            self.deals.terms.decks * 52,
            strategy.count is not None,
            any(cell.choice is not Insuring.PASS for cell in strategy.insuring),
        ]
        return np.array(numbers, np.int64)
