"""A shoe followed card by card against the full computation, over whole shoes of each book."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from punto.books import NAMES, load
from punto.cards import Card, seeded_bytes, shuffled_shoe
from punto.odds import Undealt, UndealtError, book_odds
from punto.odds.followed_shoe import FollowedShoe
from punto.odds.histograms import MOST_AS_FLOAT, MOST_AS_INTEGER, Histograms
from punto.odds.one_shoe import OneShoe
from punto.odds.ordered_draws import falling, totals_weights
from punto.rules.outcome import TOTALS
from tests.odds.odd_play import ODD_PLAY


@pytest.mark.parametrize("name", NAMES)
def test_whole_shoes_card_by_card(name: str) -> None:
    """Single cards and several at a time, some put back at once or later: always what the rest of the shoe has by the
    kernel for many shoes, and every so often by plain Python."""
    book, random = load(name), np.random.default_rng(7)
    shoe = shuffled_shoe(8, seeded_bytes(f"followed {name}"))
    followed, left = FollowedShoe(book, Undealt.of_decks(8)), Undealt.of_decks(8)
    found, points, turns = list[list[int]](), list[tuple[int, ...]](), 0
    while left.size > 12:
        here = len(shoe) - left.size
        seen = shoe[here : here + int(random.integers(1, 4))]
        for card in seen:
            followed.see(card)
        turns += 1
        if turns % 5 == 0:  # undone: at once, or after it was computed
            if turns % 10 == 0:
                assert sum(map(int, followed.weights)) == falling(followed.undealt.size, 6)
            for card in reversed(seen):
                followed.put_back(card)
        else:
            left = left.less(seen)
        assert followed.undealt == left
        found.append([int(weight) for weight in followed.weights])
        points.append(left.points)
    assert found == Histograms(book.play).many(np.array(points)).astype(np.int64).tolist()
    for i in range(0, len(found), 40):
        assert found[i] == totals_weights(book.play, list(points[i]))


@pytest.mark.parametrize(("play", "kind"), [*product((ODD_PLAY, load("commission").play), (np.float64, np.int64))])
def test_the_last_cards_of_any_play_and_number(play: object, kind: type) -> None:
    """Down to an empty shoe, also with a table of play whose naturals are others."""
    random, left = np.random.default_rng(3), np.full(10, 2)
    kernel = OneShoe(play, kind)  # type: ignore[arg-type]
    kernel.of(left)
    for points in random.permutation(np.repeat(np.arange(10), 2)).tolist():
        left[points] -= 1
        assert kernel.without(points).tolist() == totals_weights(play, left.tolist())  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [MOST_AS_FLOAT, MOST_AS_INTEGER, MOST_AS_INTEGER + 1])
def test_no_digit_is_lost_at_any_size(size: int) -> None:
    ranks = [size // 13] * 13
    ranks[8] += size - sum(ranks)
    followed, card = FollowedShoe(load("ez"), Undealt(tuple(ranks))), Card.parse("KS")
    for _ in range(3):
        assert [int(weight) for weight in followed.weights] == totals_weights(load("ez").play, followed.undealt.points)
        followed.see(card)


@pytest.mark.parametrize(("kind", "size"), [(np.float64, MOST_AS_FLOAT), (np.int64, MOST_AS_INTEGER)])
def test_no_digit_is_lost_where_all_cards_are_alike(kind: type, size: int) -> None:
    """The largest ways there are, from cards of one number of points or of two."""
    play = load("commission").play
    kernel = OneShoe(play, kind)
    for one, other in product(range(10), (0, 5, 9)):
        points = np.zeros(10, np.int64)
        points[one] += size - size // 3
        points[other] += size // 3
        assert kernel.of(points).tolist() == totals_weights(play, points.tolist())


@pytest.mark.parametrize("name", NAMES)
def test_bets_are_those_of_the_shoe_without_these_cards(name: str) -> None:
    book, seen = load(name), shuffled_shoe(8, seeded_bytes("bets"))[:61]
    followed = FollowedShoe(book, Undealt.of_decks(8))
    for card in seen:
        followed.see(card)
    odds = book_odds(book, Undealt.of_decks(8).less(seen))
    assert [followed.bet(area) for area in book.outright_areas[:8]] == list(odds.bets[:8])
    exact = [float(odds.bet(area).ev) for area in followed.areas]
    assert followed.expectations().tolist() == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_expectations_are_those_of_the_weights_in_whatever_order_they_are_asked_for(name: str) -> None:
    """One shoe is asked for weights and expectations by chance; another, for weights alone, tells what is right."""
    book, random = load(name), np.random.default_rng(11)
    both, alone = FollowedShoe(book, Undealt.of_decks(8)), FollowedShoe(book, Undealt.of_decks(8))
    tables = [book.pay_tables[area] for area in both.areas]
    nets = np.array([[float(table.net_at(totals)) for totals in range(TOTALS)] for table in tables])
    for card in shuffled_shoe(8, seeded_bytes(f"weighed {name}"))[:400]:
        both.see(card)
        alone.see(card)
        chance = int(random.integers(0, 8))
        if chance == 7:  # it was none: undone before or after anything was asked for
            if random.integers(0, 2):
                both.expectations()
            both.put_back(card)
            alone.put_back(card)
        weights = np.array(alone.weights)
        if chance in (1, 3):
            assert (np.array(both.weights) == weights).all()
        if chance in (2, 3, 4, 7):
            expected = nets @ weights / falling(alone.undealt.size, 6)
            assert both.expectations() == pytest.approx(expected, rel=1e-12, abs=1e-13)
            assert both.expectations().tolist() == both.expectations().tolist()
        if chance == 4:
            assert (np.array(both.weights) == weights).all()


def test_a_shoe_of_more_cards_than_floating_point_numbers_count_has_expectations() -> None:
    book, undealt = load("ez"), Undealt.of_decks(20)
    followed, odds = FollowedShoe(book, undealt), book_odds(book, undealt)
    assert followed.expectations().tolist() == pytest.approx([float(odds.bet(area).ev) for area in followed.areas])


def test_a_card_that_is_not_there() -> None:
    followed = FollowedShoe(load("ez"), Undealt.of_counts({"9": 1, "5": 6}))
    followed.see(Card.parse("9H"))
    with pytest.raises(UndealtError, match="9S was seen more often than it is in the shoe"):
        followed.see(Card.parse("9S"))
    with pytest.raises(UndealtError, match="KS is put back more often than it was seen"):
        followed.put_back(Card.parse("KS"))
    followed.see(Card.parse("5H"))
    with pytest.raises(UndealtError, match="a round may take 6 cards, and there are only 5"):
        followed.bet("banker")
    assert repr(followed) == "<FollowedShoe of ez: 5 cards undealt>"
