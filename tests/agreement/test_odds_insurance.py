"""Insurance, exactly: against every permutation of small shoes, with the offers of the table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import pytest

from punto.books import load
from punto.cards.card import Card, parse_cards
from punto.cards.shoe import Composition
from punto.coup.coup import Coup, deal, points
from punto.odds.insurance import InsuranceChoice, InsuranceOdds, gains_with_cards, gains_with_third_card, insurance_odds
from punto.odds.known_cards import Undealt
from punto.rules.outcome import Hand
from punto.rules.pay_table import InsuranceOffer
from punto.table.slip import offers_of

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


Policy = dict[Cell, InsuranceChoice]
AfterHolds = dict[tuple[Cell, tuple[int, int]], InsuranceChoice]
"""What whoever held does, by the offer of the second window and the totals at which that was."""


def gain_of(hand: Hand, policy: Policy, held: AfterHolds, deals: list[tuple[Coup, int]]) -> Fraction:
    """What a bettor who follows a policy to the letter gains per unit on a hand."""
    gain = Fraction(0)
    for coup, count in deals:
        mine = {o.window.cards: o for o in offers_of(BOOK, coup).values() if o.hand is hand}
        worth = {at: o.outcome(coup.winner).net * count / o.odds for at, o in mine.items()}
        if 4 in mine:
            first = cell_of(mine[4], coup)
            if policy[first] is InsuranceChoice.INSURE:
                gain += worth[4]
            elif policy[first] is InsuranceChoice.HOLD and 5 in mine:
                choice = held.get((cell_of(mine[5], coup), (first[2], first[3])), InsuranceChoice.PASS)
                gain += worth[5] if choice is InsuranceChoice.INSURE else 0
        elif 5 in mine and policy[cell_of(mine[5], coup)] is InsuranceChoice.INSURE:
            gain += worth[5]
    return gain / sum(count for _, count in deals)


def policy_of(odds: InsuranceOdds) -> tuple[Policy, AfterHolds]:
    """The policy as it is printed."""
    policy: Policy = {}
    held: AfterHolds = {}
    for o in odds.offers:
        cell = (o.offer.window.cards, o.offer.hand, o.player_points, o.banker_points)
        policy[cell] = o.choice
        held |= {(cell, (a.player_points, a.banker_points)): a.choice for a in o.after}
        assert all(a.words in o.best for a in o.after if a.choice is not o.choice)
    return policy, held


@pytest.mark.slow
@pytest.mark.parametrize("cards", SHOES)
def test_the_printed_policy_earns_the_printed_gain_and_no_other_choice_is_better(cards: tuple[Card, ...]) -> None:
    odds, deals = exact(cards), every_deal(cards)
    policy, held = policy_of(odds)
    for bet in odds.bets:
        assert gain_of(bet.hand, policy, held, deals) == bet.gain
        for cell in (cell for cell in policy if cell[1] is bet.hand):
            for other in InsuranceChoice:
                if other is not InsuranceChoice.HOLD or cell[0] == 4:
                    assert gain_of(bet.hand, {**policy, cell: other}, held, deals) <= bet.gain
        for key in (key for key in held if key[0][1] is bet.hand):
            for other in (InsuranceChoice.INSURE, InsuranceChoice.PASS):
                assert gain_of(bet.hand, policy, {**held, key: other}, deals) <= bet.gain


def test_whoever_held_may_have_to_insure_where_others_pass() -> None:
    found = [offer for cards in SHOES for offer in exact(cards).offers]
    assert any("kept open at" in offer.best for offer in found)


Seen = Callable[[Coup], object]


def best_of(hand: Hand, first: Seen, second: Seen, deals: list[tuple[Coup, int]]) -> Fraction:
    """The most that can be gained by whoever decides by what is seen at each window."""
    at_first: dict[object, Fraction] = defaultdict(Fraction)
    at_second: dict[object, dict[object, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for coup, count in deals:
        mine = {o.window.cards: o for o in offers_of(BOOK, coup).values() if o.hand is hand}
        worth = {at: o.outcome(coup.winner).net * count / o.odds for at, o in mine.items()}
        before = first(coup)
        at_first[before] += worth.get(4, Fraction(0))
        if 5 in mine:
            at_second[before][second(coup)] += worth[5]
    nothing = Fraction(0)
    best = (
        max(worth, sum((max(later, nothing) for later in at_second[before].values()), nothing))
        for before, worth in at_first.items()
    )
    return sum(best, nothing) / sum(count for _, count in deals)


def totals(coup: Coup) -> tuple[int, int]:
    return points(coup.player[:2]), points(coup.banker[:2])


def with_third(coup: Coup) -> tuple[object, ...]:
    return (*totals(coup), tuple(card.points for card in coup.player[2:]))


def cards_seen(coup: Coup) -> tuple[object, ...]:
    return tuple(sorted(c.points for c in coup.player[:2])), tuple(sorted(c.points for c in coup.banker[:2]))


def all_seen(coup: Coup) -> tuple[object, ...]:
    return *cards_seen(coup), tuple(c.points for c in coup.player[2:])


@pytest.mark.parametrize("cards", SHOES)
def test_what_more_knowledge_is_worth(cards: tuple[Card, ...]) -> None:
    deals = every_deal(cards)
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    third, seen = gains_with_third_card(BOOK, undealt), gains_with_cards(BOOK, undealt)
    by_totals = {bet.hand: bet.gain for bet in exact(cards).bets}
    for hand in Hand:
        assert third[hand] == best_of(hand, totals, with_third, deals)
        assert seen[hand] == best_of(hand, cards_seen, all_seen, deals)
        assert by_totals.get(hand, 0) <= third[hand] <= seen[hand]


def test_holding_can_be_best() -> None:
    assert InsuranceChoice.HOLD in [offer.choice for offer in exact(SHOES[5]).offers]
    assert InsuranceChoice.HOLD in [offer.choice for offer in exact(SHOES[6]).offers]
