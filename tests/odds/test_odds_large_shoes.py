"""Shoes of any size: every bet against every order of six cards, weighed one card after the other in whole
numbers, on both sides of every bound that the counting has, and one sentence beyond the last.

The twin shares the deal and the settlement with the table of play, and nothing with the odds: no kinds of
cards, no closed form, no remainders.
"""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from math import isqrt, prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import punto
from punto.books import NAMES, base_of, load, take_bet
from punto.cards.card import DECK, Card, parse_cards
from punto.coup.coup import deal
from punto.odds.advice import advise
from punto.odds.ante import ante_odds
from punto.odds.bet_odds import book_odds
from punto.odds.histograms import MOST_AS_FLOAT, MOST_AS_INTEGER, Histograms
from punto.odds.insurance import insurance_odds
from punto.odds.known_cards import MOST_CARDS, Undealt, UndealtError
from punto.odds.ordered_draws import falling, totals_weights
from punto.odds.single_cards import MOST_MODULUS, primes_beyond
from punto.rules.book import Book, read_book
from punto.rules.outcome import Outcome
from punto.simulation.deals import ShoeTerms
from punto.simulation.run import deals_of
from tests.agreement.test_card_bets import random_book
from tests.cli.called import answer, refusal
from tests.odds.odd_play import ODD_PLAY

CARD_BETS = "docs/examples/card-bets.toml"
ALL_BLACK = """
extends = "commission"
name = "large"
take = ["all-black"]
"""


def largest_with(primes: int) -> int:
    """The largest shoe whose draws of six cards are told by this many primes."""
    low, high = 6, MOST_CARDS
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(primes_beyond(falling(middle, 6))) <= primes else (low, middle - 1)
    return low


BOUNDS = (
    MOST_AS_INTEGER,
    46_340,  # N² outgrew 31 bits
    65_536,  # and a product of that and a remainder 63
    *(largest_with(primes) for primes in (2, 3, 4, 7, 13)),
    MOST_MODULUS - 1,
)


def composition(size: int, chance: Random, cards: str = "AS 4H 9H KC") -> dict[Card, int]:
    """A few cards in random numbers, one of them scarce, this many in all."""
    few = parse_cards(cards)
    counts = {few[0]: chance.choice((1, 2, 3))}
    left = size - counts[few[0]]
    for card in few[1:-1]:
        counts[card] = chance.randint(1, left // 2)
        left -= counts[card]
    counts[few[-1]] = left
    return counts


def shares_by_every_order(
    book: Book, counts: dict[Card, int], dealt: tuple[Card, ...]
) -> dict[str, dict[Outcome, Fraction]]:
    """For each bet, the chances of its outcomes: every order of cards, one after the other."""
    found: dict[str, Counter[Outcome]] = {area: Counter() for area in book.outright_areas}
    for order in product(counts, repeat=6 - len(dealt)):
        ways, left = 1, dict(counts)
        for card in order:
            ways *= left[card]
            left[card] -= 1
        if ways:
            coup = deal(book.play, (*dealt, *order))
            for area, by_outcome in found.items():
                by_outcome[book.pay_tables[area].outcome_of_deal(coup.facts, coup.player, coup.banker)] += ways
    return {
        area: {outcome: Fraction(ways, by_outcome.total()) for outcome, ways in by_outcome.items()}
        for area, by_outcome in found.items()
    }


def undealt_of(counts: dict[Card, int]) -> Undealt:
    return Undealt.of_counts({str(card): count for card, count in counts.items()})


def check(book: Book, counts: dict[Card, int], dealt: tuple[Card, ...] = ()) -> None:
    odds = book_odds(book, undealt_of(counts), dealt)
    for area, expected in shares_by_every_order(book, counts, dealt).items():
        bet = odds.bet(area)
        assert {outcome: Fraction(ways, bet.total) for outcome, ways in bet.ways} == expected, (area, counts)


@pytest.mark.slow
@pytest.mark.parametrize("size", sorted({52_000, MOST_CARDS, *BOUNDS, *(bound + 1 for bound in BOUNDS)}))
def test_every_bet_just_below_and_just_above_each_bound(size: int) -> None:
    check(load(CARD_BETS), composition(size, Random(size)))


@pytest.mark.slow
@given(st.integers(6, MOST_CARDS), st.integers(0, 2**32), st.integers(0, 3))
@settings(max_examples=12, deadline=None)
def test_random_bets_on_cards_in_shoes_of_any_size(size: int, seed: int, dealt: int) -> None:
    book, _ = random_book(seed % 5, 6)
    chance = Random(seed)
    counts = composition(size, chance)
    check(book, counts, tuple(chance.choices(tuple(counts), k=dealt)))


@pytest.mark.parametrize("name", NAMES)
def test_bets_on_points_and_pairs_of_every_book(name: str) -> None:
    check(load(name), composition(10**20, Random(name), "KS KH 9H 9S 3C"), ())


def test_counts_that_a_prime_divides() -> None:
    """A remainder of 0 is not an empty kind of cards: the ways that it hides are multiples of the prime."""
    first, second, *_ = primes_beyond(MOST_CARDS)
    cards = parse_cards("2S 5H 8D QC")
    for count in (first, first + 1, first * second, first * second + 2):
        check(load(CARD_BETS), dict(zip(cards, (count, second + 3, first + 4, 2), strict=True)))


def test_one_bet_of_the_catalogue_by_hand() -> None:
    """All Black pays when every card is black: a full shoe is half black, and the published limit is near."""
    book = read_book(ALL_BLACK, "large", base_of, take_bet)
    edge = book_odds(book, Undealt((4_000,) * 13, (1_000,) * 52)).bet("all-black").edge
    assert f"{float(edge) * 100:.4f}" == "4.7312"


def test_the_primes_are_prime_enough() -> None:
    """As many as the draws need and no more; each is prime, below the modulus of the kernel."""
    for size in (MOST_AS_INTEGER + 1, 46_341, 10**12, MOST_CARDS):
        draws = falling(size, 6)
        primes = primes_beyond(draws)
        assert prod(primes) > draws >= prod(primes[:-1])
        assert len(set(primes)) == len(primes)
        for prime in primes:
            assert prime < MOST_MODULUS
            assert all(prime % divisor for divisor in range(2, isqrt(prime) + 1))
    # One factor may be doubled where a hand's two cards come in either order.
    assert 2 * (MOST_MODULUS - 1) ** 2 < 2**63


skewed = st.lists(st.integers(0, 9), min_size=10, max_size=10).filter(any)


@pytest.mark.parametrize("size", [MOST_AS_FLOAT, MOST_AS_INTEGER, MOST_AS_INTEGER + 1])
@given(weights=skewed)
@settings(max_examples=15, deadline=None)
def test_kernels_hold_every_shoe_of_the_largest_size(size: int, weights: list[int]) -> None:
    """Not only a full shoe: all cards of one kind make the largest intermediate numbers."""
    points = [weight * size // sum(weights) for weight in weights]
    points[weights.index(max(weights))] += size - sum(points)
    for play in (load("commission").play, ODD_PLAY):
        exact = totals_weights(play, points)
        assert sum(exact) == falling(size, 6)
        assert [int(weight) for weight in Histograms(play).one(points)] == exact
        assert [int(weight) for weight in Histograms(play).many(np.array([points]))[0]] == exact


def test_a_kernel_does_not_take_a_sum_that_overflows_for_a_small_shoe() -> None:
    points = [2**62, 2**62, 2**62, 2**62, 100, 100, 50, 0, 0, 0]
    assert sum(points) > 2**63
    play = load("commission").play
    exact = totals_weights(play, points)
    assert sum(exact) == falling(sum(points), 6)
    assert list(Histograms(play).one(points)) == exact
    assert [int(weight) for weight in Histograms(play).many(np.array([points]))[0]] == exact
    nets = np.ones((1, 400))
    assert Histograms(play).expectations(np.array([points]), nets)[0, 0] == pytest.approx(1, rel=1e-9)


def test_beyond_the_bound_every_door_says_one_sentence(tmp_path: Path) -> None:
    sentence = f"the shoe is too large: odds are computed for up to {MOST_CARDS:,} cards"
    for count in (MOST_CARDS, 10**400):
        with pytest.raises(UndealtError) as error:
            Undealt.of_counts({"9": count, "A": 1})
        assert str(error.value) == sentence
    with pytest.raises(UndealtError, match="too large"):
        Undealt.of_decks(MOST_CARDS)
    with pytest.raises(ValueError, match="commission is not played with"):
        punto.odds_of("commission", decks=MOST_CARDS)
    file = tmp_path / "counts.json"
    file.write_text(json.dumps({str(card): 10**29 for card in DECK}))
    for command in ("odds", "advise", "insurance"):
        book = "insurance" if command == "insurance" else str(CARD_BETS)
        assert sentence in refusal(command, book, "--composition", str(file))
    file.write_text(json.dumps({"9": MOST_CARDS - 2, "A": 1, "2": 1}))
    assert answer("odds", "insurance", "--composition", str(file), "--json").json["cards"] == MOST_CARDS


@pytest.mark.parametrize("decks", [0, -1, -(10**20)])
def test_decks_that_no_book_is_played_with(decks: int) -> None:
    with pytest.raises(ValueError, match=r"ez is not played with .* decks but with 6 or 8"):
        punto.odds_of("ez", decks=decks)


@pytest.mark.parametrize("decks", [True, 2.5, "eight"])
def test_numbers_of_decks_that_are_none(decks: Any) -> None:
    with pytest.raises(ValueError, match="is not a number of decks; give a whole number, 1 or more"):
        punto.odds_of("ez", decks=decks)


@pytest.mark.parametrize("decks", [0, -1, 40, 1_000, 10**6, 10**30])
def test_decks_that_no_simulation_can_deal(decks: int) -> None:
    with pytest.raises(ValueError, match=f"{decks} decks cannot be simulated; give 1 to 39"):
        deals_of(load("ez"), ShoeTerms(decks=decks), 0)
    with pytest.raises(ValueError, match="decks"):
        punto.simulate("ez", 100, decks=decks)


def test_counts_below_zero_are_refused_where_the_value_is_made() -> None:
    with pytest.raises(UndealtError, match="the count of 2 is -1; a count is a whole number, 0 or more"):
        Undealt((4, -1, *(4,) * 11))
    with pytest.raises(UndealtError, match="the count of 2S is -1"):
        Undealt((4, 2, *(4,) * 11), (1, -1, *(1,) * 50))


def test_insurance_and_antes_of_a_shoe_without_end() -> None:
    """With ever more decks the figures settle: a shoe of 10^25 decks has those of 10^15 to fifteen digits."""
    one, other = (Undealt((4 * decks,) * 13, (decks,) * 52) for decks in (10**15, 10**25))
    for left, right in zip(
        insurance_odds(load("insurance"), one).offers, insurance_odds(load("insurance"), other).offers, strict=True
    ):
        assert abs(left.ev - right.ev) < Fraction(1, 10**13)
    sides = [ante_odds(load("knockout"), undealt).sides for undealt in (one, other)]
    for a, b in zip(*sides, strict=True):
        assert abs(a.ev - b.ev) < Fraction(1, 10**13)
    assert advise(load("knockout"), other, parse_cards("9S")).antes
