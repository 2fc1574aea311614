"""Bets together, against every order of a small shoe."""

from __future__ import annotations

import statistics
from fractions import Fraction
from itertools import permutations

import pytest

from punto.books import load
from punto.cards.card import parse_cards
from punto.cards.composition import Composition
from punto.coup.deal import deal
from punto.odds.undealt import Undealt
from punto.studies import joint
from punto.studies.hold import hold_bounds, rounds_by_error, volatility_index

BOOK = load("easy-six")


def test_correlations_are_those_of_all_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = parse_cards("KS KH 6H 6D 7S 2C 2D")
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    monkeypatch.setattr(Undealt, "of_decks", staticmethod(lambda _: undealt))
    found = joint.joint_of(BOOK, 1)
    nets: dict[str, list[float]] = {area: [] for area in BOOK.outright_areas}
    for order in permutations(cards, 6):
        facts = deal(BOOK.play, order).facts
        for area, values in nets.items():
            values.append(float(BOOK.pay_tables[area].outcome(facts).net))
    for one, other in (
        ("player", "banker"),
        ("player", "tie"),
        ("banker", "player-pair"),
        ("tie", "easy-six"),
    ):
        expected = statistics.correlation(nets[one], nets[other])
        assert found.correlation(one, other) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_the_greatest_exposure_is_that_of_some_deal() -> None:
    """Everything that can win together on one deal, by the pay tables."""
    book = load("ez")
    found = joint.joint_of(book, 8)
    maxima = dict.fromkeys(found.areas, 100)
    expected = max(
        sum(max(Fraction(0), book.pay_tables[area].outcome(facts).net) for area in found.areas) * 100
        for facts in found.facts
    )
    exposure = joint.greatest_exposure(found, maxima, None)
    assert exposure.amount == expected == sum(net for _, net in exposure.bets)
    assert dict(exposure.bets)["dragon-7"] == 4_000
    bound = joint.greatest_exposure(found, {}, 100)
    assert bound.amount == 100


def test_bounds_of_hold() -> None:
    thousand, *_, ten_million = hold_bounds(0.0106, 0.93, 0.458)
    assert thousand.bounds[1] == pytest.approx((0.0106 - 0.05764, 0.0106 + 0.05764), abs=1e-5)
    assert ten_million.bounds[2] == pytest.approx((0.0106 - 0.0007575, 0.0106 + 0.0007575), abs=1e-6)
    assert thousand.is_normal
    assert not hold_bounds(0.07, 6.4, 0.0225)[0].is_normal
    assert volatility_index(2.0) == pytest.approx(3.2897, abs=1e-4)
    assert rounds_by_error(1.0)[0] == pytest.approx(((1.95996 + 0.84162) / 0.01) ** 2, rel=1e-4)
