"""Insurance, exactly: against every permutation of small shoes, with the offers of the table."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations

import pytest

from punto.books import load
from punto.cards.card import Card, parse_cards
from punto.cards.composition import Composition
from punto.coup.coup import Coup, points
from punto.coup.deal import deal
from punto.odds.insurance import InsuranceChoice, InsuranceOdds, insurance_odds
from punto.odds.undealt import Undealt
from punto.rules.facts import Hand
from punto.rules.offers import InsuranceOffer
from punto.table.settlement.slip import offers_of

BOOK = load("insurance")
SHOES = [
    parse_cards(text)
    for text in (
        "5S KS KH KD 3S 9C",
        "2S 3H 4D 5C 6S 7H",
        "KS KS 5H 6D 7S 2C AD",
        "3S 3S 2H 6D 6D KC 4H",
        "AS 9S 5H 5D 8D 4C KD",
        "JS 2S AS QS 5S 4S 4S",  # the least stake, to keep the second window open, is best
        "4S 5S 7S AS 4S 4S 7S",
    )
]

Cell = tuple[int, Hand, int, int]


def cell_of(offer: InsuranceOffer, coup: Coup) -> Cell:
    """The window, the hand, and the points that lie then."""
    cards = offer.window.cards
    return cards, offer.hand, points(coup.player[: cards - 2]), points(coup.banker[:2])


def every_deal(cards: tuple[Card, ...]) -> list[tuple[Coup, int]]:
    return [(deal(BOOK.play, order), n) for order, n in Counter(permutations(cards, 6)).items()]


def exact(cards: tuple[Card, ...]) -> InsuranceOdds:
    return insurance_odds(BOOK, Undealt.of_composition(Composition.of_cards(cards)))


@pytest.mark.parametrize("cards", SHOES)
def test_chance_and_expectation_of_every_offer(cards: tuple[Card, ...]) -> None:
    weight: Counter[Cell] = Counter()
    net: dict[Cell, Fraction] = defaultdict(Fraction)
    deals = every_deal(cards)
    total = sum(count for _, count in deals)
    for coup, count in deals:
        for offer in offers_of(BOOK, coup).values():
            cell = cell_of(offer, coup)
            weight[cell] += count
            net[cell] += offer.outcome(coup.winner).net * count
    found = {
        (o.offer.window.cards, o.offer.hand, o.player_points, o.banker_points): (o.reach, o.ev)
        for o in exact(cards).offers
    }
    assert found == {cell: (Fraction(n, total), net[cell] / n) for cell, n in weight.items()}


def gain_of(hand: Hand, choices: dict[Cell, InsuranceChoice], deals: list[tuple[Coup, int]]) -> Fraction:
    """What a bettor with these choices gains per unit on a hand; whoever holds insures what then pays."""
    held: dict[tuple[Cell, Cell], Fraction] = defaultdict(Fraction)
    gain = Fraction(0)
    for coup, count in deals:
        mine = {o.window.cards: o for o in offers_of(BOOK, coup).values() if o.hand is hand}
        worth = {at: o.outcome(coup.winner).net * count / o.odds for at, o in mine.items()}
        if 4 in mine:
            first = cell_of(mine[4], coup)
            if choices[first] is InsuranceChoice.INSURE:
                gain += worth[4]
            elif choices[first] is InsuranceChoice.HOLD and 5 in mine:
                held[first, cell_of(mine[5], coup)] += worth[5]
        elif 5 in mine and choices[cell_of(mine[5], coup)] is InsuranceChoice.INSURE:
            gain += worth[5]
    gain += sum(max(worth, Fraction(0)) for worth in held.values())
    return gain / sum(count for _, count in deals)


@pytest.mark.parametrize("cards", SHOES)
def test_the_policy_is_worth_what_it_says_and_no_other_choice_is_better(cards: tuple[Card, ...]) -> None:
    odds, deals = exact(cards), every_deal(cards)
    choices = {
        (o.offer.window.cards, o.offer.hand, o.player_points, o.banker_points): o.choice for o in odds.offers
    }
    for bet in odds.bets:
        assert gain_of(bet.hand, choices, deals) == bet.gain
        for cell in (cell for cell in choices if cell[1] is bet.hand):
            others = [
                choice for choice in InsuranceChoice if choice is not InsuranceChoice.HOLD or cell[0] == 4
            ]
            for other in others:
                assert gain_of(bet.hand, {**choices, cell: other}, deals) <= bet.gain


def test_holding_can_be_best() -> None:
    assert InsuranceChoice.HOLD in [offer.choice for offer in exact(SHOES[5]).offers]
    assert InsuranceChoice.HOLD in [offer.choice for offer in exact(SHOES[6]).offers]
