"""The shuffle in machine code against NumPy's; what is dealt from shuffled shoes is compared with the table of play in
`test_expectations_shoes`."""

from __future__ import annotations

import numpy as np
import pytest

from punto.studies.shuffled_shoes import random_stream, shuffle_cards


@pytest.mark.parametrize("seed", range(20))
def test_cards_come_in_the_order_of_numpy(seed: int) -> None:
    """Several shuffles after each other, of odd and even numbers of random numbers, from one stream."""
    stream = random_stream(np.random.SeedSequence([seed, 3]))
    numpys = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, 3])))
    for number in (1, 2, 3, 52, 416, 417, 1_040):
        cards, expected = np.arange(number), np.arange(number)
        shuffle_cards(stream, cards)
        numpys.shuffle(expected)
        assert cards.tolist() == expected.tolist()
