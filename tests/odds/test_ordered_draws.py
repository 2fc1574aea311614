"""Plain Python's count of draws, for a table of play that no casino has, against every permutation."""

from __future__ import annotations

from itertools import permutations

import pytest

from punto.cards.card import parse_cards
from punto.cards.shoe import Composition
from punto.coup.coup import deal
from punto.odds.known_cards import RoundSoFar, Undealt
from punto.odds.ordered_draws import facts_weights, first_four, shown_totals_weights, totals_weights
from punto.rules.outcome import TOTALS, Facts
from tests.odds.odd_play import ODD_PLAY

SHOES = ["AS 2H 3D 4C 5S 6H", "KS KS 9H 9D 5S 5C 2H", "8S 8S 8H 8D 3S 3C AH"]


@pytest.mark.parametrize("shoe", SHOES)
def test_an_odd_table_of_play_dealt_in_every_order(shoe: str) -> None:
    cards = parse_cards(shoe)
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    found: dict[Facts, int] = {}
    by_totals = [0] * TOTALS
    for order in permutations(cards, 6):
        facts = deal(ODD_PLAY, order).facts
        found[facts] = found.get(facts, 0) + 1
        by_totals[facts.totals] += 1
    assert totals_weights(ODD_PLAY, undealt.points) == by_totals
    assert facts_weights(ODD_PLAY, undealt, RoundSoFar(), first_four(undealt, RoundSoFar())) == found


@pytest.mark.parametrize("shown", [(0,), (9, 5), (5, 5, 2), (9, 9, 9)])
def test_first_cards_known_by_their_points(shown: tuple[int, ...]) -> None:
    cards = parse_cards(SHOES[1])
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    found: dict[Facts, int] = {}
    by_totals = [0] * TOTALS
    for order in permutations(cards, 6):
        if tuple(card.points for card in order[: len(shown)]) == shown:
            facts = deal(ODD_PLAY, order).facts
            found[facts] = found.get(facts, 0) + 1
            by_totals[facts.totals] += 1
    assert shown_totals_weights(ODD_PLAY, undealt.points, shown) == by_totals
    assert facts_weights(ODD_PLAY, undealt, RoundSoFar(), first_four(undealt, RoundSoFar(), shown)) == found
