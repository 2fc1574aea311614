"""Antes with their wagers and insured bets, against every order of small shoes dealt through the coup."""

from __future__ import annotations

from collections import Counter

import pytest

from punto.books import load
from punto.cards.card import parse_cards
from punto.cards.shoe import Composition
from punto.odds.ante import ante_odds
from punto.odds.insurance import insurance_odds
from punto.odds.known_cards import Undealt
from punto.studies.composed_bets import _antes, _insured, composed_bets
from tests.studies.every_order import all_deals, ante_net, insured_net

SHOES = ("KS KS 5H 6D 7S 2C AD", "3S 3S 2H 6D 6D KC 4H", "JS 2S AS QS 5S 4S 4S", "9S 9D 9H 2C 3D 8S")


@pytest.mark.parametrize("text", SHOES)
def test_an_ante_with_its_wager(text: str) -> None:
    book, cards = load("knockout"), parse_cards(text)
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    for side, found in zip(ante_odds(book, undealt).sides, _antes(book, undealt), strict=True):
        results = Counter(ante_net(book, side, order, coup) for order, coup in all_deals(book, cards))
        assert dict(found.results) == results
        assert found.ev == side.ev
        assert found.win + found.push + found.lose == 1


@pytest.mark.parametrize("text", SHOES)
def test_a_main_bet_with_its_insurance(text: str) -> None:
    book, cards = load("insurance"), parse_cards(text)
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    odds = insurance_odds(book, undealt)
    gains = {one.bet.area: one for one in odds.bets}
    for found in _insured(book, undealt):
        main = found.area.removesuffix("-insured")
        results = Counter(insured_net(book, odds, main, coup) for _, coup in all_deals(book, cards))
        assert dict(found.results) == results
        if main in gains:
            assert found.ev == gains[main].ev


@pytest.mark.slow
def test_all_books_and_decks() -> None:
    assert [one.area for one in composed_bets(load("knockout"), 8)] == ["ante-player", "ante-banker"]
    player, banker = composed_bets(load("insurance"), 8)
    assert (round(float(player.edge) * 100, 4), round(float(banker.edge) * 100, 4)) == (1.2284, 1.4107)
    assert composed_bets(load("ez"), 8) == ()
