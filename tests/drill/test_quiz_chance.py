from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from punto.cards import DECK, Card
from punto.drill.quiz import Chance
from tests.drill.chosen import seeded


@pytest.mark.parametrize("seed", range(20))
def test_choices_are_those_of_the_generator_that_drew_them_first(seed: int) -> None:
    # So a seed that somebody wrote down still gives the same questions.
    generator, chance = Random(seed), seeded(seed)
    for size in range(1, 20):
        values = list(range(size))
        assert chance.between(3, 3 + size) == generator.randint(3, 3 + size)
        assert chance.one_of(values) == generator.choice(values)
        assert chance.some_of(values, size // 2) == generator.sample(values, size // 2)
        assert chance.cards() == tuple(generator.choices(DECK, k=6))
        assert chance.happens(0.3) == (generator.random() < 0.3)
        shuffled = chance.shuffled(values)
        generator.shuffle(values)
        assert shuffled == values


def test_every_choice_comes_up() -> None:
    chance = seeded(1)
    assert set(Counter(chance.between(2, 5) for _ in range(200))) == {2, 3, 4, 5}
    assert {card for _ in range(200) for card in chance.cards()} == set(Card)


def test_cards_fit_as_many_conditions_as_they_can() -> None:
    king = seeded(1).find_cards(lambda cards: cards[0] is Card.SK, lambda _: False)
    assert king[0] is Card.SK
    with pytest.raises(AssertionError, match="every subject has cards"):
        seeded(1).find_cards(lambda _: False)


def test_numbers_come_from_outside_alone() -> None:
    numbers = iter([0] * 12)
    assert Chance(numbers).cards() == (Card.SA,) * 6
    assert list(numbers) == []
