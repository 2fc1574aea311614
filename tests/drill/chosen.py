"""Chance that a test chooses: these cards, these numbers, and otherwise the first of everything."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import TypeVar

from punto.books import load
from punto.cards import Card, parse_cards
from punto.drill.quiz import Chance, Question
from punto.drill.training import KINDS

T = TypeVar("T")


def seeded(seed: int) -> Chance:
    """Chance that a seed fixes."""
    return Chance(iter(partial(Random(seed).getrandbits, 32), None))


class Chosen(Chance):
    """Choices of one's own."""

    def __init__(self, cards: str, *numbers: int, fraction: float = 0.0) -> None:
        super().__init__(iter(partial(Random(0).getrandbits, 32), None))
        self.six: tuple[Card, ...] = parse_cards(cards)
        self.numbers, self.fraction = list(numbers), fraction

    def cards(self) -> tuple[Card, ...]:
        return self.six

    def one_of(self, values: Sequence[T]) -> T:
        return values[0]

    def between(self, least: int, most: int) -> int:
        number = self.numbers.pop(0) if self.numbers else least
        assert least <= number <= most
        return number

    def happens(self, probability: float) -> bool:
        return self.fraction < probability


def asked(book: str, kind: str, subject: str, cards: str = "", *numbers: int, fraction: float = 0.0) -> Question:
    """The question that these cards and numbers make."""
    filled = f"{cards} KS KS KS KS KS KS".split()[:6]
    return KINDS[kind].ask(load(book), subject, Chosen(" ".join(filled), *numbers, fraction=fraction))


def told(question: Question) -> tuple[str, str | None]:
    """The right answer, and the clause that it rests on."""
    return question.answer, question.clause
