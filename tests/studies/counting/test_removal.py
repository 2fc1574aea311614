from __future__ import annotations

from fractions import Fraction

import pytest

from punto.books import load
from punto.cards.card import Rank, parse_cards
from punto.odds import Undealt, ante_odds, odds_of
from punto.studies.counting.removal import removals


def test_an_effect_is_the_difference_of_two_exact_expectations() -> None:
    book = load("ez")
    [dragon] = [one for one in removals(book, 6).bets if one.area == "dragon-7"]
    without = odds_of(book, Undealt.of_decks(6).less(parse_cards("8H"))).bet("dragon-7").ev
    assert dragon.effects[Rank.EIGHT - 1] == without - dragon.full
    assert dragon.full == odds_of(book, Undealt.of_decks(6)).bet("dragon-7").ev


@pytest.mark.slow
def test_what_is_removed_on_average_changes_nothing() -> None:
    """A card gone unseen leaves every expectation as it was: effects over all cards sum to nought."""
    for one in removals(load("knockout"), 4).bets:
        if not one.area.startswith("ante"):
            assert sum(one.effects, Fraction(0)) == 0, one.area


@pytest.mark.slow
def test_antes_are_studied_with_the_best_decisions() -> None:
    book = load("knockout")
    found = {one.area: one.full for one in removals(book, 4).bets}
    sides = ante_odds(book, Undealt.of_decks(4)).sides
    assert [found[side.pair.ante] for side in sides] == [side.ev for side in sides]
