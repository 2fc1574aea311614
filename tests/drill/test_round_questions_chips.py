from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.books import load
from punto.drill.quiz import UnreadableAnswer
from punto.drill.round_questions import CHIP_VALUES, ChipsAnswer, ask_chips, fewest_chips
from tests.drill.chosen import seeded


def test_no_other_chips_are_fewer() -> None:
    """Against the slow way: the fewest chips of every amount, built up from smaller amounts."""
    least = [0]
    for amount in range(1, 1200):
        least.append(1 + min(least[amount - value // 100] for value in CHIP_VALUES if value <= 100 * amount))
        assert sum(fewest_chips(100 * amount).values()) == least[amount]


@given(st.integers(1, 30_000))
def test_chips_read_back(amount: int) -> None:
    counted, form = fewest_chips(100 * amount), ChipsAnswer()
    assert sum(value * number for value, number in counted.items()) == 100 * amount
    written = " + ".join(f"{number}x{value // 100}" for value, number in counted.items() if number)
    assert form.read(written) == form.read(" ".join(reversed(written.split(" + "))))
    assert form.read(written) == form.read(form.read(written))


def test_an_answer_in_other_words() -> None:
    question = ask_chips(load("ez"), "up-to-500", seeded(1))
    form = ChipsAnswer()
    assert form.read("100 100 25") == form.read("2x100, 1*25") == "2x100.00 1x25.00"
    assert question.is_right(question.answer)
    assert not question.is_right("1x1")
    for text in ("", "lots", "3x7", "x100"):
        with pytest.raises(UnreadableAnswer):
            form.read(text)
