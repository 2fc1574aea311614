"""Bets together, against every order of a small shoe."""

from __future__ import annotations

import statistics
from fractions import Fraction
from itertools import combinations, permutations
from math import exp, lgamma, log, sqrt

import pytest

from punto.books import load
from punto.cards.card import parse_cards
from punto.cards.composition import Composition
from punto.coup.deal import deal
from punto.money import MINOR
from punto.odds.ante import ante_odds
from punto.odds.insurance import insurance_odds
from punto.odds.undealt import Undealt
from punto.studies import joint
from punto.studies.hold import CONFIDENCES, hold_bounds, rounds_by_error, volatility_index
from tests.studies.every_order import all_deals, ante_net, insured_net

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
@pytest.mark.parametrize("text", ["KS KH 6H 6D 7S 2C 2D", "9S 9D 9H 2C 3D 8S 8C", "3S 3H 2H 6D 6C KC 4H"])
def test_antes_count_with_their_wagers(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    book, cards = load("knockout"), parse_cards(text)
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    monkeypatch.setattr(Undealt, "of_decks", staticmethod(lambda _: undealt))
    found = joint.joint_of(book, 1)
    deals = list(all_deals(book, cards))
    nets = {
        side.pair.ante: [float(ante_net(book, side, order, coup)) for order, coup in deals]
        for side in ante_odds(book, undealt).sides
    }
    for area in ("player", "tie", "banker-pair"):
        nets[area] = [float(book.pay_tables[area].outcome(coup.facts).net) for _, coup in deals]
    assert_correlations(found, nets)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["KS KH 6H 6D 7S 2C 2D", "9S 9D 4H 2C 3D 8S 8C", "3S 3H 2H 6D 6C KC 4H"])
def test_main_bets_count_with_their_insurance(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    book, cards = load("insurance"), parse_cards(text)
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    monkeypatch.setattr(Undealt, "of_decks", staticmethod(lambda _: undealt))
    found, odds = joint.joint_of(book, 1), insurance_odds(book, undealt)
    deals = list(all_deals(book, cards))
    nets = {
        area: [float(insured_net(book, odds, area.removesuffix("-insured"), coup)) for _, coup in deals]
        for area in ("player-insured", "banker-insured")
    }
    for area in ("player", "banker", "super-six-plus", "player-pair"):
        nets[area] = [float(book.pay_tables[area].outcome(coup.facts).net) for _, coup in deals]
    assert_correlations(found, nets)


def assert_correlations(found: joint.Joint, nets: dict[str, list[float]]) -> None:
    varied = {area: values for area, values in nets.items() if len(set(values)) > 1}
    for one, other in combinations(varied, 2):
        expected = statistics.correlation(varied[one], varied[other])
        assert found.correlation(one, other) == pytest.approx(expected, abs=1e-9), (one, other)
    assert len(varied) > 2


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
    thousand, *_, ten_million = hold_bounds(0.0106, 0.93, 0.458, 10 * MINOR)
    assert thousand.bounds[1] == pytest.approx((0.0106 - 0.05764, 0.0106 + 0.05764), abs=1e-5)
    assert ten_million.bounds[2] == pytest.approx((0.0106 - 0.0007575, 0.0106 + 0.0007575), abs=1e-6)
    assert thousand.is_normal
    assert not hold_bounds(0.07, 6.4, 0.0225, 100)[0].is_normal
    assert volatility_index(2.0) == pytest.approx(3.2897, abs=1e-4)
    assert rounds_by_error(1.0)[0] == pytest.approx(((1.95996 + 0.84162) / 0.01) ** 2, rel=1e-4)


def test_hold_by_rounds_and_by_handle() -> None:
    """Every number of rounds from 10^3 to 10^7, and every handle from 10^4 to 10^8, whatever the stake."""
    for stake in (10, 25, 300):
        rows = hold_bounds(0.0106, 0.93, 0.458, stake * MINOR)
        assert {10.0**power for power in range(3, 8)} <= {row.rounds for row in rows}
        handles = {round(row.handle / MINOR, 6) for row in rows}
        assert {10.0**power for power in range(4, 9)} <= handles
        assert all(row.handle == pytest.approx(row.rounds * stake * MINOR) for row in rows)
    assert len(hold_bounds(0.0106, 0.93, 0.458, 10 * MINOR)) == 5


@pytest.mark.parametrize("rounds", [1000, 10_000])
def test_bounds_of_hold_are_those_of_the_binomial_distribution(rounds: int) -> None:
    """Even money at 47 %: the chance that hold is within the bounds, summed exactly."""
    win = 0.47
    edge, sd = 1 - 2 * win, 2 * sqrt(win * (1 - win))
    row = next(r for r in hold_bounds(edge, sd, win, 1000) if r.rounds == rounds)
    logs = [
        lgamma(rounds + 1)
        - lgamma(k + 1)
        - lgamma(rounds - k + 1)
        + k * log(win)
        + (rounds - k) * log(1 - win)
        for k in range(rounds + 1)
    ]
    for confidence, (low, high) in zip(CONFIDENCES, row.bounds, strict=True):
        held = sum(exp(x) for k, x in enumerate(logs) if low <= 1 - 2 * k / rounds <= high)
        assert held == pytest.approx(confidence, abs=1.5 / sqrt(rounds))


def ways(rounds: int, k: int) -> float:
    return lgamma(rounds + 1) - lgamma(k + 1) - lgamma(rounds - k + 1)
