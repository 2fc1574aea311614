"""Bets together, against every order of a small shoe."""

from __future__ import annotations

import statistics
from itertools import combinations, permutations

import pytest

from punto.books import load
from punto.cards.card import parse_cards
from punto.cards.shoe import Composition
from punto.coup.coup import deal
from punto.odds.ante import ante_odds
from punto.odds.insurance import insurance_odds
from punto.odds.known_cards import Undealt
from punto.studies.composed_bets import Joint, joint_of
from tests.studies.every_order import all_deals, ante_net, insured_net

BOOK = load("easy-six")


def test_correlations_are_those_of_all_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = parse_cards("KS KH 6H 6D 7S 2C 2D")
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    monkeypatch.setattr(Undealt, "of_decks", staticmethod(lambda _: undealt))
    found = joint_of(BOOK, 1)
    nets: dict[str, list[float]] = {area: [] for area in BOOK.outright_areas}
    for order in permutations(cards, 6):
        facts = deal(BOOK.play, order).facts
        for area, values in nets.items():
            values.append(float(BOOK.pay_tables[area].outcome(facts).net))
    for one, other in (("player", "banker"), ("player", "tie"), ("banker", "player-pair"), ("tie", "easy-six")):
        expected = statistics.correlation(nets[one], nets[other])
        assert found.correlation(one, other) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["KS KH 6H 6D 7S 2C 2D", "9S 9D 9H 2C 3D 8S 8C", "3S 3H 2H 6D 6C KC 4H"])
def test_antes_count_with_their_wagers(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    book, cards = load("knockout"), parse_cards(text)
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    monkeypatch.setattr(Undealt, "of_decks", staticmethod(lambda _: undealt))
    found = joint_of(book, 1)
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
    found, odds = joint_of(book, 1), insurance_odds(book, undealt)
    deals = list(all_deals(book, cards))
    nets = {
        area: [float(insured_net(book, odds, area.removesuffix("-insured"), coup)) for _, coup in deals]
        for area in ("player-insured", "banker-insured")
    }
    for area in ("player", "banker", "super-six-plus", "player-pair"):
        nets[area] = [float(book.pay_tables[area].outcome(coup.facts).net) for _, coup in deals]
    assert_correlations(found, nets)


def assert_correlations(found: Joint, nets: dict[str, list[float]]) -> None:
    varied = {area: values for area, values in nets.items() if len(set(values)) > 1}
    for one, other in combinations(varied, 2):
        expected = statistics.correlation(varied[one], varied[other])
        assert found.correlation(one, other) == pytest.approx(expected, abs=1e-9), (one, other)
    assert len(varied) > 2
