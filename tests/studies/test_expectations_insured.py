from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.books import load
from punto.odds.insurance import Knowledge, gains_with_cards, insurance_odds
from punto.odds.known_cards import Undealt
from punto.rules.outcome import Hand
from punto.studies.expectations import InsuranceGains, Shoes, insurance_levels

BOOK = load("insurance")
GAINS = InsuranceGains(BOOK)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=13, max_size=13).filter(lambda ranks: sum(ranks) >= 6))
def test_the_compiled_gains_are_the_exact_ones(ranks: list[int]) -> None:
    undealt = Undealt(tuple(ranks))
    exact = gains_with_cards(BOOK, undealt)
    [found] = GAINS(np.array([undealt.points]))
    assert found.tolist() == pytest.approx([float(exact[hand]) for hand in Hand], abs=1e-12)


def test_shoes_side_by_side_do_not_disturb_each_other() -> None:
    block = next(Shoes(BOOK.play, 8, 14).sample(1, seed=5))
    assert len(block.points) % 8, "the last lanes have no shoe"
    together = GAINS(block.points)
    assert together.tolist() == [GAINS(block.points[i : i + 1])[0].tolist() for i in range(len(block.points))]


PUBLISHED = {
    Knowledge.TOTALS: (1.4107, 1.2284),
    Knowledge.THIRD_CARD: (1.4107, 1.2275),
    Knowledge.CARDS: (1.4091, 1.2201),
}


@pytest.mark.slow
def test_four_levels_of_knowledge_with_eight_decks() -> None:
    full = Undealt.of_decks(8)
    shoes = Shoes(BOOK.play, 8, 14)
    levels = insurance_levels(insurance_odds(BOOK, full), full, shoes, 100, seed=1)
    for level, (banker, player) in PUBLISHED.items():
        for hand, expected in ((Hand.BANKER, banker), (Hand.PLAYER, player)):
            edge = levels.edge(hand, level)
            assert edge is not None
            assert edge.error is None
            assert round(edge.edge * 100, 4) == expected
    for hand, expected in ((Hand.BANKER, 1.293), (Hand.PLAYER, 1.017)):
        edge = levels.edge(hand, Knowledge.COUNT)
        assert edge is not None
        assert edge.error is not None
        assert edge.edge * 100 == pytest.approx(expected, abs=4 * edge.error * 100)
        assert edge.error * 100 < 0.02
    assert [row[0] for row in levels.table.rows] == [level.words for level in Knowledge]


def test_without_shoes_the_fourth_level_is_left_out() -> None:
    full = Undealt.of_decks(6)
    levels = insurance_levels(insurance_odds(BOOK, full), full)
    assert {edge.knowledge for edge in levels.edges} == set(PUBLISHED)
    assert levels.remark == "All levels shown are exact."


def test_one_shoe_has_no_error() -> None:
    full = Undealt.of_decks(6)
    levels = insurance_levels(insurance_odds(BOOK, full), full, Shoes(BOOK.play, 6), 1, seed=1)
    edge = levels.edge(Hand.PLAYER, Knowledge.COUNT)
    assert edge is not None
    assert edge.error is None
    assert "±" not in levels.table.rows[-1][1]
