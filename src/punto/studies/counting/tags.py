"""Whole-number tags for a card count, and how well they follow a bet.

A counter adds a tag for each card seen. The tags that follow a bet best are those most correlated with its
effects of removal; among whole numbers up to a greatest size, and summing to nothing over a deck so that
the count starts and ends at zero, they are found here for certain, by going through the ranks with
every sum and sum of squares that can be reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import sqrt

GREATEST = 4
"""Tags beyond four are more than a person adds up at a table."""

TINY = 1e-12
"""Differences between effects that are only those of rounding."""


@dataclass(frozen=True, slots=True)
class Tags:
    """A tag for each rank, ace to king, and its correlation with the effects of removal."""

    by_rank: tuple[int, ...]
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
    classes = _classes([effect - mean for effect in effects])
    # By sum and sum of squares: the greatest product with the effects, and the tags that give it.
    best: dict[tuple[int, int], tuple[float, tuple[tuple[int, ...], ...]]] = {(0, 0): (0.0, ())}
    for effect, ranks in classes:
        choices = _choices(len(ranks), greatest)
        step: dict[tuple[int, int], tuple[float, tuple[tuple[int, ...], ...]]] = {}
        for (total, squares), (product, tags) in best.items():
            for (more, more_squares), chosen in choices.items():
                key = (total + more, squares + more_squares)
                value = product + more * effect
                if key not in step or value > step[key][0]:
                    step[key] = (value, (*tags, chosen))
        best = step
    balanced = [(value / sqrt(key[1]), tags) for key, (value, tags) in best.items() if key[0] == 0 and key[1]]
    highest = max((value for value, _ in balanced), default=0.0)
    if highest <= TINY * max(map(abs, effects), default=0.0):  # every card does the same: nothing to count
        return Tags((0,) * len(effects), 0.0)
    # Of equally good ones, such as a row of tags and its double, the smallest.
    _, chosen_tags = max(balanced, key=lambda one: (round(one[0] / highest, 12), -_size(one[1])))
    by_rank = [0] * len(effects)
    for row, (_, ranks) in zip(chosen_tags, classes, strict=True):
        for tag, rank in zip(row, ranks, strict=True):
            by_rank[rank] = tag
    return Tags(tuple(by_rank), correlation(by_rank, effects))


def _size(rows: tuple[tuple[int, ...], ...]) -> int:
    return sum(abs(tag) for row in rows for tag in row)


@lru_cache
def _choices(ranks: int, greatest: int) -> dict[tuple[int, int], tuple[int, ...]]:
    """Tags for ranks of equal effect, by their sum and sum of squares: which rank has which is the same."""
    rows = combinations_with_replacement(range(-greatest, greatest + 1), ranks)
    return {(sum(row), sum(tag * tag for tag in row)): row for row in rows}


def _classes(effects: Sequence[float]) -> list[tuple[float, tuple[int, ...]]]:
    """Ranks of equal effect, the largest group first: ten and the courts, but for bets on their pairs.

    They may take different tags, for only so can some counts be balanced.
    """
    found: dict[float, list[int]] = {}
    for rank, effect in enumerate(effects):
        found.setdefault(effect, []).append(rank)
    return sorted(((effect, tuple(ranks)) for effect, ranks in found.items()), key=lambda one: -len(one[1]))
