"""Chance for questions, drawn from random numbers that come in from outside.

Like a shuffle, a question has no chance of its own: it takes random 32-bit numbers from its caller, so that
the same numbers always make the same questions. Numbers become choices as in Python's `random.Random`, where
the questions were once drawn, so that a seed keeps its questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from punto.cards.card import DECK, Card

T = TypeVar("T")
Cards = tuple[Card, ...]

BITS = 32
"""Bits of each random number; every value must be equally likely."""
TRIES = 3000
"""Random deals that are tried before one that fits less well will do."""


class Chance:
    """Random choices. Each takes the next of the numbers given, as many as it needs."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._numbers = numbers

    def between(self, least: int, most: int) -> int:
        """A whole number from least to most, both included."""
        return least + self._below(most - least + 1)

    def one_of(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[self._below(len(values))]

    def some_of(self, values: Sequence[T], number: int) -> list[T]:
        """This many of the values, each at most once."""
        left, taken = list(values), []
        for last in range(len(left) - 1, len(left) - 1 - number, -1):
            place = self._below(last + 1)
            taken.append(left[place])
            left[place] = left[last]
        return taken

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """All of the values, in any order."""
        order = list(values)
        for last in range(len(order) - 1, 0, -1):
            place = self._below(last + 1)
            order[last], order[place] = order[place], order[last]
        return order

    def happens(self, probability: float) -> bool:
        """Whether something of this probability happens."""
        return self._fraction() < probability

    def cards(self) -> Cards:
        """Six cards, as many as a round may take, each from a full deck."""
        return tuple(DECK[int(self._fraction() * len(DECK))] for _ in range(6))

    def find_cards(self, *fits: Callable[[Cards], bool]) -> Cards:
        """Cards that fit every condition; if none are found, the last conditions are left out one by one."""
        for number in range(len(fits), 0, -1):
            for _ in range(TRIES):
                cards = self.cards()
                if all(fit(cards) for fit in fits[:number]):
                    return cards
        raise AssertionError("every subject has cards that fit it")

    def _below(self, n: int) -> int:
        """A number below n: the high bits of the first random number whose high bits are below n."""
        unused = BITS - n.bit_length()
        while (number := next(self._numbers) >> unused) >= n:
            pass
        return number

    def _fraction(self) -> float:
        """A number from 0 up to 1, of 53 bits."""
        high, low = next(self._numbers) >> 5, next(self._numbers) >> 6
        return ((high << 26) + low) / (1 << 53)
