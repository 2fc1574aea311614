"""Antes with their wagers and insured bets, against every order of small shoes dealt through the coup."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from punto.books import load
from punto.cards.card import parse_cards
from punto.cards.composition import Composition
from punto.coup.coup import points
from punto.coup.deal import deal
from punto.odds.ante import ante_odds
from punto.odds.insurance import InsuranceChoice, insurance_odds
from punto.odds.undealt import Undealt
from punto.studies import composed
from punto.table.settlement.slip import offers_of

SHOES = ("KS KS 5H 6D 7S 2C AD", "3S 3S 2H 6D 6D KC 4H", "JS 2S AS QS 5S 4S 4S", "9S 9D 9H 2C 3D 8S")


@pytest.mark.parametrize("text", SHOES)
def test_an_ante_with_its_wager(text: str) -> None:
    book, cards = load("knockout"), parse_cards(text)
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    assert book.ante is not None
    for side, found in zip(ante_odds(book, undealt).sides, composed._antes(book, undealt), strict=True):
        played = {d.shown[0]: d.is_played for d in side.decisions}
        results: Counter[Fraction] = Counter()
        for order in permutations(cards, 6):
            facts = deal(book.play, order).facts
            stake, wager = (book.pay_tables[a].outcome(facts).net for a in (side.pair.ante, side.pair.wager))
            net = stake + book.ante.multiple * wager if played[order[0].points] else Fraction(-1)
            results[net] += 1
        assert dict(found.results) == results
        assert found.ev == side.ev
        assert found.win + found.push + found.lose == 1


@pytest.mark.parametrize("text", SHOES)
def test_a_main_bet_with_its_insurance(text: str) -> None:
    book, cards = load("insurance"), parse_cards(text)
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    odds = insurance_odds(book, undealt)
    rows = {(o.offer.area, o.player_points, o.banker_points): o for o in odds.offers}
    deals = Counter(permutations(cards, 6))
    gains = {one.bet.area: one for one in odds.bets}
    for found in composed._insured(book, undealt):
        main = found.area.removesuffix("-insured")
        results: Counter[Fraction] = Counter()
        for order, count in deals.items():
            coup = deal(book.play, order)
            net = book.pay_tables[main].outcome(coup.facts).net
            mine = {o.window.cards: o for o in offers_of(book, coup).values() if o.hand.value == main}
            first = points(coup.player[:2]), points(coup.banker[:2])
            choice = None
            for cards_out, offer in sorted(mine.items()):
                at = points(coup.player[: cards_out - 2]), first[1]
                row = rows[offer.area, *at]
                if cards_out == 5 and choice is InsuranceChoice.HOLD:
                    [choice] = [a.choice for a in row.after if (a.player_points, a.banker_points) == first]
                elif choice is None:
                    choice = row.choice
                else:
                    break
                if choice is InsuranceChoice.INSURE:
                    net += offer.outcome(coup.winner).net / offer.odds
            results[net] += count
        assert dict(found.results) == results
        if main in gains:
            assert found.ev == gains[main].ev


@pytest.mark.slow
def test_all_books_and_decks() -> None:
    assert [one.area for one in composed.composed_bets(load("knockout"), 8)] == ["ante-player", "ante-banker"]
    player, banker = composed.composed_bets(load("insurance"), 8)
    assert (round(float(player.edge) * 100, 4), round(float(banker.edge) * 100, 4)) == (1.2284, 1.4107)
    assert composed.composed_bets(load("ez"), 8) == ()
