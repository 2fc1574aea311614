"""Chance that a test chooses: these cards, these numbers, and otherwise the first of everything."""

from __future__ import annotations

from random import Random
from typing import Any

from punto.books import load
from punto.cards import Card, parse_cards
from punto.cli.play_and_learn.drill.kinds import KINDS
from punto.cli.play_and_learn.drill.question import Question


class Chosen(Random):
    """A generator of one's own choosing."""

    def __init__(self, cards: str, *numbers: int, chance: float = 0.0) -> None:
        super().__init__(0)
        self.cards: tuple[Card, ...] = parse_cards(cards)
        self.numbers, self.chance = list(numbers), chance

    def choices(self, *_: Any, **__: Any) -> list[Any]:
        return list(self.cards)

    def choice(self, seq: Any) -> Any:
        return seq[0]

    def randint(self, a: int, b: int) -> int:
        number = self.numbers.pop(0) if self.numbers else a
        assert a <= number <= b
        return number

    def random(self) -> float:
        return self.chance


def asked(
    book: str, kind: str, subject: str, cards: str = "", *numbers: int, chance: float = 0.0
) -> Question:
    """The question that these cards and numbers make."""
    filled = f"{cards} KS KS KS KS KS KS".split()[:6]
    return KINDS[kind].ask(load(book), subject, Chosen(" ".join(filled), *numbers, chance=chance))


def told(question: Question) -> tuple[str, str | None]:
    """The right answer, and the clause that it rests on."""
    return question.answer, question.clause
