"""What a perfect player earns: one unit on a bet whenever its exact expectation is positive, shoe after
shoe.

The earnings are expectations, not results, so that luck adds nothing to their error. A counter with
whole-number tags bets when the count per deck left reaches a trigger. Where no trigger is given, it is
chosen on shoes of its own, which have nothing to do with those that it is then judged by: chosen and judged
on the same shoes, it would look better than it is.
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

MOST_TRAINING = 1_000
"""Shoes on which triggers are chosen, at most: betting a little early or late costs next to nothing."""
LEAST_EARNING = 50.0
"""Shoes that make up the earnings, in effect, from which the error can be relied on."""
TRAINING = 1
"""The stream of random numbers of those shoes."""


@dataclass(frozen=True, slots=True)
class Earnings:
    """Units earned per shoe by flat bets of one unit, and how sure that is."""

    units: float
    error: float | None
    """Standard error of `units`; None where no two shoes differed, for then it is not known."""
    share: float
    """Share of rounds in which the bet is made."""
    trigger: float | None = None
    """The count per deck left from which a counter bets, infinite if never; None for a perfect player."""
    is_rough: bool = False
    """Whether so few shoes make up the earnings that the error is no more than a rough guide."""


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
    training: int = 0
    """Other shoes, on which triggers were chosen."""


@dataclass(frozen=True, slots=True)
class CardCount:
    """A card count for one bet: a tag for each rank, ace to king."""

    name: str
    area: str
    tags: tuple[int, ...]
    trigger: float | None = None
    """From which count per deck left it bets; None to choose the best."""


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
    training = min(number, MOST_TRAINING) if any(count.trigger is None for count in counts) else 0
    triggers = _triggers(expect, shoes, training, seed, counts)
    earned = {area: _Sums() for area in areas}
    counted = {count.name: _Sums() for count in counts}
    rounds = 0
    for block in shoes.sample(number, seed):
        values = expect(block)
        rounds += len(values)
        for i, area in enumerate(areas):
            earned[area].add(block, values[:, i], values[:, i] > 0)
        counts_per_deck = _counts_per_deck(block, shoes.decks, counts)
        for count, per_deck in zip(counts, counts_per_deck, strict=True):
            value = values[:, areas.index(count.area)]
            counted[count.name].add(block, value, per_deck >= triggers[count.name])
        tell(block.first_shoe + block.shoes)
    return PerfectPlay(
        number,
        rounds / number,
        {area: sums.earnings(rounds) for area, sums in earned.items()},
        {name: sums.earnings(rounds, triggers[name]) for name, sums in counted.items()},
        training,
    )


def _triggers(
    expect: Expectations, shoes: Shoes, training: int, seed: int, counts: Sequence[CardCount]
) -> dict[str, float]:
    """The trigger of each count: the one given, or the best over shoes of another stream."""
    triggers = {count.name: count.trigger for count in counts if count.trigger is not None}
    chosen = [count for count in counts if count.trigger is None]
    levels: dict[str, dict[float, float]] = {count.name: {} for count in chosen}
    for block in shoes.sample(training, seed, stream=TRAINING):
        values = expect(block)
        for count, per_deck in zip(chosen, _counts_per_deck(block, shoes.decks, chosen), strict=True):
            found, level = np.unique(np.floor(per_deck * 2), return_inverse=True)
            sums = np.bincount(level, values[:, expect.areas.index(count.area)])
            into = levels[count.name]
            for half, worth in zip(found.tolist(), sums.tolist(), strict=True):
                into[half] = into.get(half, 0.0) + worth
    return triggers | {name: _best_trigger(found) for name, found in levels.items()}


class _Sums:
    """Sums over shoes, and over their squares."""

    def __init__(self) -> None:
        self._shoes, self._sum, self._squares, self._bets = 0, 0.0, 0.0, 0
        self._sizes = 0.0

    def add(self, block: Block, values: Floats, is_bet: NDArray[Any]) -> None:
        by_shoe = np.bincount(block.shoe, np.where(is_bet, values, 0.0), minlength=block.shoes)
        self._shoes += block.shoes
        self._sum += float(by_shoe.sum())
        self._sizes += float(np.abs(by_shoe).sum())
        self._squares += float((by_shoe**2).sum())
        self._bets += int(is_bet.sum())

    def earnings(self, rounds: int, trigger: float | None = None) -> Earnings:
        mean = self._sum / self._shoes
        if self._shoes < 2:
            return Earnings(mean, None, self._bets / rounds, trigger)
        variance = max(self._squares / self._shoes - mean**2, 0.0) / (self._shoes - 1)
        # The number of shoes with equal earnings that would make up as much.
        is_rough = self._squares > 0 and self._sizes**2 / self._squares < LEAST_EARNING
        return Earnings(mean, sqrt(variance) or None, self._bets / rounds, trigger, is_rough)


def _counts_per_deck(block: Block, decks: int, counts: Sequence[CardCount]) -> Floats:
    """The count per deck left before each round, a row for each count."""
    tags = np.array([count.tags for count in counts], np.float64).reshape(-1, RANKS)
    seen = (4 * decks - block.ranks).T.astype(np.float64)
    per_deck: Floats = (tags @ seen) / (block.ranks.sum(axis=1) / 52)
    return per_deck


def _best_trigger(levels: Mapping[float, float]) -> float:
    """The count per deck from which betting earns most; infinite where nothing earns.

    `levels` holds what betting is worth at each count per deck, in halves.
    """
    best, trigger, from_here_up = 0.0, float("inf"), 0.0
    for half in sorted(levels, reverse=True):
        from_here_up += levels[half]
        if from_here_up > best:
            best, trigger = from_here_up, half / 2
    return trigger
