"""The kernel against a shoe played out in plain Python from the same draws, for every book."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest

from punto.books import NAMES, load
from punto.cards.shoe import Burn
from punto.rules.book import Book
from punto.rules.outcome import Facts, Totals
from punto.rules.table_of_play import STOOD
from punto.simulation.deals import Deals, PackedReadings, ShoeTerms, record_shoes
from punto.simulation.machine_code import CODE_RANKS, SUITS_ATTEMPT, philox_block
from punto.simulation.run import Tally, deals_of
from tests.simulation.test_machine_code_philox import draws_in_python

SIDE_BETS = str(Path(__file__).parents[2] / "docs/examples/side-bets.toml")
CARD_BETS = str(Path(__file__).parents[2] / "docs/examples/card-bets.toml")
TERMS = (
    ShoeTerms(),
    ShoeTerms(decks=6, behind_cut=20, rounds_after_cut=0),
    ShoeTerms(decks=4, rounds_per_shoe=30),
    ShoeTerms(decks=1, behind_cut=0, burn=Burn(by_first_card=False, fixed=3)),
    ShoeTerms(decks=39, behind_cut=1990, rounds_after_cut=2),
)

REDRAWN = 22_400  # From here on, one of fifty shoes of seed 5 has suits that are drawn a second time.


class PlainShoe:
    """One shoe, card by card: counts of the codes, nine first, and the draw as a place among them."""

    def __init__(self, deals: Deals, number: int) -> None:
        terms = deals.terms
        self.deals, self.number = deals, number
        self.left = [4 * terms.decks] * len(CODE_RANKS)
        self.shown = -1
        self.burned = terms.burn.fixed
        if terms.burn.by_first_card:
            first = draws_in_python(0, 0, number, deals.seed, [52 * terms.decks, 1, 1, 1, 1, 1])[0]
            self.shown = self.take(first)
            self.burned = CODE_RANKS[self.shown].points or 10

    def take(self, draw: int) -> int:
        for code in range(len(CODE_RANKS) - 1, -1, -1):
            if draw < self.left[code]:
                self.left[code] -= 1
                return code
            draw -= self.left[code]
        raise AssertionError("a draw lies among the cards that are left")

    def rounds(self, book: Book) -> list[list[int]]:
        terms, play = self.deals.terms, book.play
        dealt: list[list[int]] = []
        after_cut = 0
        while True:
            unseen = sum(self.left)
            cards = unseen - self.burned
            if terms.rounds_per_shoe is None and cards <= terms.behind_cut:
                after_cut += 1
            below = [unseen - i for i in range(6)]
            draws = draws_in_python(len(dealt) + 1, 0, self.number, self.deals.seed, below)
            codes = [self.take(draw) for draw in draws[:4]]
            p, b = (sum(CODE_RANKS[codes[i]].points for i in hand) % 10 for hand in ((0, 2), (1, 3)))
            third = STOOD
            if play.player_draws[p * 10 + b]:
                codes.append(self.take(draws[4]))
                third = CODE_RANKS[codes[-1]].points
            if not play.ends[p * 10 + b] and play.banker_draws[third][b]:
                codes.append(self.take(draws[len(codes)]))
            dealt.append(codes)
            left = sum(self.left) - self.burned
            is_cut_out = terms.rounds_per_shoe is None and left <= terms.behind_cut
            is_last = is_cut_out and after_cut >= terms.rounds_after_cut
            if is_last or left < 6 or len(dealt) == terms.rounds_per_shoe:
                return dealt


@pytest.mark.parametrize("terms", TERMS, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_recorded_shoes_are_those_of_plain_python(name: str, terms: ShoeTerms) -> None:
    book = load(name)
    first = 2**32 - 3
    deals = deals_of(book, terms, 11)
    recorded = record_shoes(deals, first, 6)
    for shoe in range(6):
        plain = PlainShoe(deals, first + shoe)
        dealt = plain.rounds(book)
        assert recorded.shown[shoe] == plain.shown
        assert recorded.lengths[shoe] == len(dealt)
        for number, codes in enumerate(dealt):
            assert recorded.round_ranks(shoe, number) == tuple(CODE_RANKS[code] for code in codes)


BURN_REDRAWN = 5_299  # The shown card of this shoe of seed 11 is drawn a second time.
BURN_KEPT = 1_573  # With this shoe, a round would be drawn a second time for its other cards; a burn shows only one.


@pytest.mark.parametrize("special", [BURN_REDRAWN, BURN_KEPT])
def test_shown_cards_are_those_of_plain_python_also_where_a_draw_is_rejected(special: int) -> None:
    deals = deals_of(load("commission"), ShoeTerms(rounds_per_shoe=1), 11)
    first, shoes = special - 290, 300  # more than lie side by side
    shown = record_shoes(deals, first, shoes).shown
    assert shown.tolist() == [PlainShoe(deals, number).shown for number in range(first, first + shoes)]
    word = philox_block((0, 0, special, 0), (11, 0))[0] >> 11
    is_first_draw = shown[special - first] == 12 - (word * 416 >> 21) // 32
    assert is_first_draw == (special == BURN_KEPT)


def facts_of_codes(codes: int) -> Facts:
    """The facts of a recorded round, pairs as pairs of two suits."""
    player_drew, banker_drew = codes >> 24 & 1, codes >> 25 & 1
    ranks = [CODE_RANKS[codes >> 4 * i & 15] for i in range(4 + player_drew + banker_drew)]
    hands = [ranks[0:4:2] + ranks[4 : 4 + player_drew], ranks[1:4:2] + ranks[4 + player_drew :]]
    points = [sum(rank.points for rank in hand) % 10 for hand in hands]
    pairs = [2 * hand[0] - 1 if hand[0] is hand[1] else 0 for hand in hands]
    return Facts(Totals(points[0], len(hands[0]), points[1], len(hands[1])).index, *pairs)


@pytest.mark.parametrize("number", [1, 5, 257, 1000])
def test_the_histogram_counts_the_recorded_rounds(number: int) -> None:
    deals = deals_of(load("commission"), ShoeTerms(decks=4), 3)
    recorded = record_shoes(deals, 40, number)
    counted: Counter[Facts] = Counter()
    for shoe in range(number):
        for cards in recorded.cards[shoe, : recorded.lengths[shoe]]:
            counted[facts_of_codes(int(cards))] += 1
    batch = deals.play(40, number)
    assert (batch.lengths == recorded.lengths).all()
    empty = Tally.empty(deals)
    tally = Tally(deals, 0, 40, empty.histogram, empty.lengths).plus(batch)
    assert dict(tally.facts()) == counted
    assert tally.rounds == counted.total()


def test_suits_change_nothing_but_which_pairs_are_suited() -> None:
    deals = deals_of(load("commission"), ShoeTerms(), 5)
    suited = Deals(deals.masks, deals.terms, deals.seed, has_suits=True)
    plain, told = deals.play(0, 3000), suited.play(0, 3000)
    merged: Counter[Facts] = Counter()
    for facts, rounds in Tally.empty(suited).plus(told).facts():
        player, banker = (
            pair - 1 if pair and pair % 2 == 0 else pair for pair in (facts.player_pair, facts.banker_pair)
        )
        merged[Facts(facts.totals, player, banker)] += rounds
    assert merged == dict(Tally.empty(deals).plus(plain).facts())
    assert (plain.lengths == told.lengths).all()


def suited_facts(deals: Deals, first: int, shoes: int) -> Counter[Facts]:
    """The facts of recorded shoes, with suits drawn for their pairs in plain Python."""
    recorded = record_shoes(Deals(deals.masks, deals.terms, deals.seed), first, shoes)
    counted: Counter[Facts] = Counter()
    for shoe in range(shoes):
        left = [[deals.terms.decks] * 4 for _ in CODE_RANKS]
        for number in range(int(recorded.lengths[shoe])):
            facts, codes = facts_of_codes(int(recorded.cards[shoe, number])), int(recorded.cards[shoe, number])
            hands = [(codes & 15, facts.player_pair), (codes >> 4 & 15, facts.banker_pair)]
            below = [1] * 6
            for hand, (code, pair) in enumerate(hands):
                if pair:
                    taken = 2 * (hand == 1 and facts.player_pair == facts.banker_pair)
                    below[2 * hand : 2 * hand + 2] = sum(left[code]) - taken, sum(left[code]) - taken - 1
            draws = draws_in_python(number + 1, SUITS_ATTEMPT, first + shoe, deals.seed, below)
            pairs = [0, 0]
            for hand, (code, pair) in enumerate(hands):
                if pair:
                    suits = [_taken(left[code], draw) for draw in draws[2 * hand : 2 * hand + 2]]
                    pairs[hand] = pair + (suits[0] == suits[1])
            counted[Facts(facts.totals, *pairs)] += 1
    return counted


def _taken(left: list[int], draw: int) -> int:
    suit = next(suit for suit in range(4) if draw < sum(left[: suit + 1]))
    left[suit] -= 1
    return suit


@pytest.mark.parametrize(("first", "shoes"), [(400, 50), (2**32 - 20, 40), (REDRAWN, 50)])
def test_suits_of_pairs_are_those_of_plain_python(first: int, shoes: int) -> None:
    """The first have two pairs of one rank in a round, and the last a draw of suits that is rejected and made again."""
    deals = Deals(deals_of(load("commission"), ShoeTerms(), 5).masks, ShoeTerms(), 5, has_suits=True)
    told = Tally.empty(deals)
    histogram = deals.play(first, shoes).histogram
    tally = Tally(deals, int(histogram.sum()), shoes, histogram.astype(np.int64), told.lengths)
    assert suited_facts(deals, first, shoes) == dict(tally.facts())


def test_suited_pairs_come_as_often_as_they_should() -> None:
    for decks in (1, 8):
        terms = ShoeTerms(decks=decks, rounds_per_shoe=5)
        deals = Deals(deals_of(load("commission"), terms, 9).masks, terms, 9, has_suits=True)
        pairs: Counter[bool] = Counter()
        for facts, rounds in Tally.empty(deals).plus(deals.play(0, 100_000)).facts():
            for pair in (facts.player_pair, facts.banker_pair):
                if pair:
                    pairs[pair % 2 == 0] += rounds
        share, total = (decks - 1) / (4 * decks - 1), pairs.total()
        assert abs(pairs[True] - share * total) <= 4 * np.sqrt(share * (1 - share) * total)


def test_books_that_ask_for_suits_get_them() -> None:
    assert deals_of(load(SIDE_BETS), ShoeTerms(), 1).has_suits
    assert not any(deals_of(load(name), ShoeTerms(), 1).has_suits for name in NAMES)


@pytest.mark.slow
def test_another_processor_comes_to_the_same(tmp_path: Path) -> None:
    """Compiled without the wide vectors that this machine may have."""
    program = (
        "import hashlib; from punto.books import load; from punto.simulation import ShoeTerms, deals_of;"
        "batch = deals_of(load('commission'), ShoeTerms(), 7).play(0, 300);"
        "print(hashlib.sha256(batch.histogram.tobytes() + batch.lengths.tobytes()).hexdigest())"
    )
    environment = {
        **os.environ,
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    came = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
    batch = deals_of(load("commission"), ShoeTerms(), 7).play(0, 300)
    digest = hashlib.sha256(batch.histogram.tobytes() + batch.lengths.tobytes()).hexdigest()
    assert came.stdout.decode().strip() == digest


def test_readings_count_alike_in_any_word() -> None:
    """All readings twice: the states of the second ones stand in words of their own."""
    deals = deals_of(load(CARD_BETS), ShoeTerms(), 3)
    twice = msgspec.structs.replace(deals, readings=deals.readings * 2)
    words, more = (PackedReadings.of(each.readings).words for each in (deals, twice))
    assert len(more) == 2 * len(words)
    batch, both = deals.play(0, 300), twice.play(0, 300)
    own = batch.histogram[deals.fact_cells :]
    assert both.histogram.tolist() == [*batch.histogram.tolist(), *own.tolist()]
    assert own.sum() == len(deals.readings) * batch.rounds
