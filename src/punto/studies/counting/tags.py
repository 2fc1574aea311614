"""Whole-number tags for a card count, and how well they follow a bet.

A counter adds a tag for each card seen. The tags that follow a bet best are those most correlated with its
effects of removal; among whole numbers up to a greatest size, and summing to nothing over a deck so that
the count starts and ends at zero, they are found here for certain, by going through the ranks, or through
all cards of a deck, with every sum and sum of squares that can be reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

GREATEST = 4
"""Tags beyond four are more than a person adds up at a table."""

TINY = 1e-12
"""Differences between effects that are only those of rounding."""


@dataclass(frozen=True, slots=True)
class Tags:
    """A tag for each rank, or for each card where suits matter, and their correlation with the effects."""

    values: tuple[int, ...]
    """As the effects of removal are listed."""
    correlation: float


def correlation(tags: Sequence[float], effects: Sequence[float]) -> float:
    """How well tags follow effects of removal: 1 is perfectly, 0 not at all."""
    mean_tag, mean_effect = sum(tags) / len(tags), sum(effects) / len(effects)
    both = sum((t - mean_tag) * (e - mean_effect) for t, e in zip(tags, effects, strict=True))
    squares = sum((t - mean_tag) ** 2 for t in tags) * sum((e - mean_effect) ** 2 for e in effects)
    return both / sqrt(squares) if squares else 0.0


def best_tags(effects: Sequence[float], greatest: int = GREATEST) -> Tags:
    """The balanced whole-number tags most correlated with effects of removal."""
    mean = sum(effects) / len(effects)
    best, chosen = _reached([effect - mean for effect in effects], greatest)
    balanced = best[
        len(effects) * greatest, 1:
    ]  # by sum of squares: the greatest product of tags that sum to 0
    worth = balanced / np.sqrt(np.arange(1, len(balanced) + 1))
    highest = float(worth.max(initial=0.0))
    if highest <= TINY * max(map(abs, effects), default=0.0):  # every card does the same: nothing to count
        return Tags((0,) * len(effects), 0.0)
    # Of equally good ones, such as a row of tags and its double, the smallest.
    squares = int(np.argmax(np.round(worth / highest, 12) >= 1.0)) + 1
    tags = _settled(_traced(chosen, greatest, squares), effects)
    return Tags(tags, correlation(tags, effects))


def _reached(effects: Sequence[float], greatest: int) -> tuple[Floats, NDArray[np.int8]]:
    """By sum and sum of squares, the greatest product with the effects; and the last tag that led there.

    The sum stands `greatest` times the number of cards further on than it is, so that none is negative.
    """
    size = (2 * len(effects) * greatest + 1, len(effects) * greatest**2 + 1)
    best = np.full(size, -np.inf)
    best[len(effects) * greatest, 0] = 0.0
    chosen = np.zeros((len(effects), *size), np.int8)
    for effect, last in zip(effects, chosen, strict=True):
        step = np.full(size, -np.inf)
        for tag in sorted(range(-greatest, greatest + 1), key=abs):
            up, down, over = max(tag, 0), max(-tag, 0), tag * tag
            found = best[down : size[0] - up, : size[1] - over] + tag * effect
            into = step[up : size[0] - down, over:]
            is_better = found > into
            into[is_better] = found[is_better]
            last[up : size[0] - down, over:][is_better] = tag
        best = step
    return best, chosen


def _traced(chosen: NDArray[np.int8], greatest: int, squares: int) -> tuple[int, ...]:
    """The tags that led to a sum of nothing and this sum of squares, from the last to the first."""
    total, tags = len(chosen) * greatest, list[int]()
    for last in chosen[::-1]:
        tag = int(last[total, squares])
        tags.append(tag)
        total, squares = total - tag, squares - tag * tag
    return tuple(reversed(tags))


def _settled(tags: Sequence[int], effects: Sequence[float]) -> tuple[int, ...]:
    """Which of the cards of equal effect has which of their tags is the same: the smallest come first.

    They may differ, for only so can some counts be balanced.
    """
    by_effect: dict[float, list[int]] = {}
    for effect, tag in zip(effects, tags, strict=True):
        by_effect.setdefault(effect, []).append(tag)
    rows = {effect: iter(sorted(row)) for effect, row in by_effect.items()}
    return tuple(next(rows[effect]) for effect in effects)
