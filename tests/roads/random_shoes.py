"""Rows of results to try the roads on, in notation: a failing one can be pasted into `punto roads`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

# How readily the next winner is the last one again: choppy, even, and streaky enough for tails to pile up.
REPEATS = (0.2, 0.5, 0.5, 0.85, 0.95)


def random_shoes(count: int, seed: int, longest: int = 80) -> Iterator[str]:
    """So many shoes of up to `longest` rounds, the same ones for the same seed."""
    random = Random(seed)
    for number in range(count):
        repeat = REPEATS[number % len(REPEATS)]
        winner = random.choice("BP")
        text = ""
        for _ in range(random.randint(0, longest)):
            if random.random() < 0.1:
                text += "T"
            else:
                if random.random() >= repeat:
                    winner = "P" if winner == "B" else "B"
                text += winner
            if random.random() < 0.15:
                text += random.choice(("b", "p", "bp"))
        yield text
