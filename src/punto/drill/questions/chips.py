"""Breaking a pay-out into chips: the fewest that make the amount."""

from __future__ import annotations

import re
from dataclasses import dataclass

from punto.drill.answer import LONGEST, UnreadableAnswer
from punto.drill.chance import Chance
from punto.drill.question import Question, QuestionKind, Topic
from punto.money import format_amount, format_money, parse_amount
from punto.rules.book import Book

NAME = "chips"
VALUES = (5000_00, 1000_00, 500_00, 100_00, 25_00, 5_00, 1_00)
"""Chips of the rack, in minor units. Each divides the next larger one: taking the largest first is best."""
SMALL, LARGE = "up-to-500", "up-to-20000"
_MOST = {SMALL: 500, LARGE: 20_000}
_CHIPS = re.compile(r"(?:(\d{1,3})\s*[x*×]\s*)?([\d.]+)")


@dataclass(frozen=True, slots=True)
class ChipsAnswer:
    """How many chips of each value."""

    @property
    def hint(self) -> str:
        return "chips and values, such as 3x100 1x25 2x5"

    def read(self, text: str) -> str:
        """The chips counted by value, the largest first."""
        said = text.strip().lower()[: 2 * LONGEST].replace(",", " ").replace("+", " ")
        counted = dict.fromkeys(VALUES, 0)
        rest = _CHIPS.sub(" ", said).strip()
        try:
            if rest or not said.strip():
                raise ValueError
            for number, value in _CHIPS.findall(said):
                counted[parse_amount(value)] += int(number or 1)
        except (ValueError, KeyError):
            values = ", ".join(format_money(value) for value in reversed(VALUES))
            raise UnreadableAnswer(f"answer with {self.hint}; the chips are {values}") from None
        return _written(counted)

    def show(self, answer: str) -> str:
        """The chips for people."""
        parts = (part.split("x") for part in answer.split())
        return ", ".join(f"{number} × {format_money(parse_amount(value))}" for number, value in parts)


def chips_subjects(_: Book) -> tuple[str, ...]:
    """Small pay-outs, and large ones."""
    return tuple(_MOST)


def ask_chips(book: Book, subject: str, chance: Chance) -> Question:
    """Which chips pay an amount."""
    least = 6 if subject == SMALL else _MOST[SMALL]
    amount = chance.between(least, _MOST[subject]) * 100
    values = ", ".join(format_money(value) for value in reversed(VALUES))
    counted = fewest(amount)
    number = sum(counted.values())
    return Question(
        Topic(book.name, NAME, subject),
        f"Pay {format_money(amount)} with the fewest chips of {values}.",
        ChipsAnswer(),
        _written(counted),
        f"{number} chips make {format_money(amount)}, the largest first",
        None,
    )


KIND = QuestionKind(NAME, "breaking a pay-out into chips", chips_subjects, ask_chips)


def fewest(amount: int) -> dict[int, int]:
    """The fewest chips that make an amount, by value."""
    counted = {}
    for value in VALUES:
        counted[value], amount = divmod(amount, value)
    assert amount == 0, "amounts are whole numbers of the smallest chip"
    return counted


def _written(counted: dict[int, int]) -> str:
    return " ".join(f"{number}x{format_amount(value)}" for value, number in counted.items() if number)
