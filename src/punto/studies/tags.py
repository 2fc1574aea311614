"""Whole-number tags for a card count, and how well they follow a bet.

A counter adds a tag for each card seen. The tags that follow a bet best are those most correlated with its
effects of removal; among whole numbers up to a greatest size, and summing to nothing over a deck so that
the count starts and ends at zero, they are found here for certain, by going through the ranks with
every sum and sum of squares that can be reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

GREATEST = 4
"""Tags beyond four are more than a person adds up at a table."""


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
    best: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
    for effect, ranks in classes:
        step: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
        for (total, squares), (product, tags) in best.items():
            for tag in range(-greatest, greatest + 1):
                key = (total + tag * len(ranks), squares + tag * tag * len(ranks))
                value = product + tag * effect * len(ranks)
                if key not in step or value > step[key][0]:
                    step[key] = (value, (*tags, tag))
        best = step
    balanced = [(value / sqrt(key[1]), tags) for key, (value, tags) in best.items() if key[0] == 0 and key[1]]
    if not balanced:  # every card does the same: there is nothing to count
        return Tags((0,) * len(effects), 0.0)
    # Of equally good ones, such as a row of tags and its double, the smallest.
    _, chosen = max(balanced, key=lambda one: (round(one[0], 12), -sum(map(abs, one[1]))))
    by_rank = [0] * len(effects)
    for tag, (_, ranks) in zip(chosen, classes, strict=True):
        for rank in ranks:
            by_rank[rank] = tag
    return Tags(tuple(by_rank), correlation(by_rank, effects))


def _classes(effects: Sequence[float]) -> list[tuple[float, tuple[int, ...]]]:
    """Ranks of equal effect get one tag: ten and the courts, but for bets on their pairs."""
    found: list[tuple[float, tuple[int, ...]]] = []
    for rank, effect in enumerate(effects):
        for i, (other, ranks) in enumerate(found):
            if other == effect:
                found[i] = (other, (*ranks, rank))
                break
        else:
            found.append((effect, (rank,)))
    return found
