"""What a perfect player earns: one unit on a bet whenever its exact expectation is positive, shoe after
shoe.

The earnings are expectations, not results, so that luck adds nothing to their error. A counter with
whole-number tags bets when the count per deck left reaches a trigger; the same shoes show how much of the
perfect earnings that gets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from punto.rules.book import Book
from punto.studies.expectations import Expectations
from punto.studies.shoes import RANKS, Block, Shoes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Earnings:
    """Units earned per shoe by flat bets of one unit, and how sure that is."""

    units: float
    error: float
    """Standard error of `units`."""
    share: float
    """Share of rounds in which the bet is made."""
    trigger: float | None = None
    """The count per deck left from which a counter bets, infinite if never; None for a perfect player."""


@dataclass(frozen=True, slots=True)
class PerfectPlay:
    """Earnings on the bets of a book over many shoes."""

    shoes: int
    rounds: float
    """Rounds per shoe."""
    perfect: Mapping[str, Earnings]
    """By betting area."""
    counted: Mapping[str, Earnings]
    """By the name of the count."""


@dataclass(frozen=True, slots=True)
class CardCount:
    """A card count for one bet: a tag for each rank, ace to king."""

    name: str
    area: str
    tags: tuple[int, ...]


def perfect_play(
    book: Book,
    shoes: Shoes,
    number: int,
    seed: int,
    counts: Sequence[CardCount] = (),
    tell: Callable[[int], None] = lambda _: None,
) -> PerfectPlay:
    """Play this number of shoes with the exact expectation of every bet known before every round.

    `tell` hears how many shoes are done.
    """
    expect = Expectations(book)
    areas = expect.areas
    earned = {area: _Sums() for area in areas}
    counted = {count.name: _Sums() for count in counts}
    triggers: dict[str, float] = {}
    rounds = 0
    for block in shoes.sample(number, seed):
        values = expect(block)
        rounds += len(values)
        for i, area in enumerate(areas):
            earned[area].add(block, values[:, i], values[:, i] > 0)
        counts_per_deck = _counts_per_deck(block, shoes.decks, counts)
        for count, per_deck in zip(counts, counts_per_deck, strict=True):
            value = values[:, areas.index(count.area)]
            if count.name not in triggers:
                triggers[count.name] = _best_trigger(per_deck, value)
            counted[count.name].add(block, value, per_deck >= triggers[count.name])
        tell(block.first_shoe + block.shoes)
    return PerfectPlay(
        number,
        rounds / number,
        {area: sums.earnings(rounds) for area, sums in earned.items()},
        {name: sums.earnings(rounds, triggers[name]) for name, sums in counted.items()},
    )


class _Sums:
    """Sums over shoes, and over their squares."""

    def __init__(self) -> None:
        self._shoes, self._sum, self._squares, self._bets = 0, 0.0, 0.0, 0

    def add(self, block: Block, values: Floats, is_bet: NDArray[Any]) -> None:
        by_shoe = np.bincount(block.shoe, np.where(is_bet, values, 0.0), minlength=block.shoes)
        self._shoes += block.shoes
        self._sum += float(by_shoe.sum())
        self._squares += float((by_shoe**2).sum())
        self._bets += int(is_bet.sum())

    def earnings(self, rounds: int, trigger: float | None = None) -> Earnings:
        mean = self._sum / self._shoes
        variance = max(self._squares / self._shoes - mean**2, 0.0) * self._shoes / max(self._shoes - 1, 1)
        return Earnings(mean, sqrt(variance / self._shoes), self._bets / rounds, trigger)


def _counts_per_deck(block: Block, decks: int, counts: Sequence[CardCount]) -> Floats:
    """The count per deck left before each round, a row for each count."""
    tags = np.array([count.tags for count in counts], np.float64).reshape(-1, RANKS)
    seen = (4 * decks - block.ranks).T.astype(np.float64)
    per_deck: Floats = (tags @ seen) / (block.ranks.sum(axis=1) / 52)
    return per_deck


def _best_trigger(per_deck: Floats, values: Floats) -> float:
    """The count per deck, in halves, from which betting earns most here; infinite where nothing earns."""
    halves = np.floor(per_deck * 2)
    levels, level = np.unique(halves, return_inverse=True)
    from_here_up = np.cumsum(np.bincount(level, values)[::-1])[::-1]
    best = int(np.argmax(from_here_up))
    return float(levels[best]) / 2 if from_here_up[best] > 0 else float("inf")
