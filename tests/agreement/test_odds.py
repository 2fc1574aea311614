"""Exact odds against dealing every permutation of a small shoe through the coup and the settlement.

Shoes of six to eight cards, some without whole ranks, are dealt in every order; each bet of each book is
settled, and the counts must be those of the exact engine to the last permutation. Stages begin with some
of the cards dealt.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

from punto.books import NAMES, load
from punto.cards.card import DECK, Card, parse_cards
from punto.cards.shoe import Composition
from punto.coup.coup import Coup, deal
from punto.odds.bet_odds import book_odds
from punto.odds.known_cards import RoundSoFar, Stage, Undealt
from punto.refusal import Refusal
from punto.rules.book import Book
from punto.rules.outcome import Outcome
from punto.table.slip import settle_slip

BOOKS = (*NAMES, str(Path(__file__).parents[2] / "docs/examples/side-bets.toml"))

SHOES = (
    "AS 2H 3D 4C 5S 6H",  # six different ranks
    "KS KS KH KD 10S 10C",  # no points at all, pairs of one suit and of two
    "9S 9S 9H 8D 8D AC",
    "4S 4H 4D 6S 6S 7C 7D",
    "2S 2S 2H 3D 3D QC QH",
    "AS AS 5H 5D 7S 8C KD KD",
)


def random_shoe(seed: int) -> tuple[Card, ...]:
    """Six to eight cards of a few ranks, so that pairs come often."""
    chance = random.Random(seed)
    cards = chance.sample(DECK, 5)
    return tuple(chance.choice(cards) for _ in range(chance.randint(6, 7)))


def every_deal(book: Book, dealt: Sequence[Card], left: Sequence[Card]) -> Iterator[tuple[Coup, int]]:
    """Every coup that begins with the cards dealt, with the orders of the cards left that lead to it."""
    orders = Counter(permutations(left, 6 - len(dealt)))
    for order, count in orders.items():
        yield deal(book.play, (*dealt, *order)), count


def settled(book: Book, deals: Iterator[tuple[Coup, int]]) -> dict[str, Counter[Outcome]]:
    slip = dict.fromkeys(book.outright_areas, 100)
    found: dict[str, Counter[Outcome]] = {area: Counter() for area in slip}
    for coup, count in deals:
        lines = settle_slip(book, coup, slip)
        assert not isinstance(lines, Refusal)
        for line in lines:
            found[line.area][line.outcome] += count
    return found


@pytest.mark.parametrize("cards", [parse_cards(shoe) for shoe in SHOES] + [random_shoe(i) for i in range(6)])
@pytest.mark.parametrize("name", BOOKS)
def test_a_small_shoe_dealt_in_every_order(name: str, cards: tuple[Card, ...]) -> None:
    book = load(name)
    odds = book_odds(book, Undealt.of_composition(Composition.of_cards(cards)))
    for area, outcomes in settled(book, every_deal(book, (), cards)).items():
        bet = odds.bet(area)
        total = outcomes.total()
        assert {outcome: Fraction(ways, bet.total) for outcome, ways in bet.ways} == {
            outcome: Fraction(count, total) for outcome, count in outcomes.items()
        }, area
        assert bet.ev == sum(outcome.net * count for outcome, count in outcomes.items()) / total


@pytest.mark.parametrize("known", range(1, 6))
@pytest.mark.parametrize("name", BOOKS)
def test_every_stage_of_a_round(name: str, known: int) -> None:
    book = load(name)
    for seed in range(8):
        cards = random_shoe(100 + seed)
        dealt, left = cards[:known], cards[known:]
        coup = deal(book.play, cards)
        if len(coup.cards) < known:
            dealt, left = coup.cards, cards[len(coup.cards) :]
        odds = book_odds(book, Undealt.of_composition(Composition.of_cards(left)), dealt)
        for area, outcomes in settled(book, every_deal(book, dealt, left)).items():
            bet = odds.bet(area)
            assert {outcome: Fraction(ways, bet.total) for outcome, ways in bet.ways} == {
                outcome: Fraction(count, outcomes.total()) for outcome, count in outcomes.items()
            }, (area, seed)


def test_stages_are_told_apart() -> None:
    play = load("commission").play
    seen = {RoundSoFar.of(play, parse_cards(text)).stage for text in ("", "AS", "AS AS AS 2S", "AS AS AS 2S 5S")}
    assert seen == {Stage.BEFORE_THE_DEAL, Stage.FIRST_CARDS, Stage.FOUR_CARDS, Stage.PLAYERS_THIRD}
    assert RoundSoFar.of(play, parse_cards("9S AS KS AS")).stage is Stage.FINISHED
