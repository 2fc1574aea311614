"""The kernels against plain Python, and plain Python against the number of all draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.books import NAMES, load
from punto.odds.histograms import MOST_AS_FLOAT, MOST_AS_INTEGER, Histograms
from punto.odds.ordered_draws import falling, totals_weights
from punto.rules.book import Book
from punto.rules.table_of_play import Play
from tests.odds.odd_play import ODD_PLAY

PLAYS: dict[str, Play] = {"usual": load("commission").play, "odd": ODD_PLAY}
KERNELS = {name: Histograms(play) for name, play in PLAYS.items()}

counts = st.lists(st.integers(0, 40), min_size=10, max_size=10).filter(lambda n: sum(n) >= 6)


@pytest.mark.parametrize("name", PLAYS)
@given(points=counts)
@settings(max_examples=40)
def test_the_kernel_for_one_shoe(name: str, points: list[int]) -> None:
    exact = totals_weights(PLAYS[name], points)
    assert [int(weight) for weight in KERNELS[name].one(points)] == exact
    assert sum(exact) == falling(sum(points), 6)


@pytest.mark.parametrize("name", PLAYS)
@pytest.mark.parametrize("shoes", [1, 7, 8, 9, 50])
def test_the_kernel_for_many_shoes(name: str, shoes: int) -> None:
    points = np.random.default_rng(shoes).integers(0, 33, (shoes, 10))
    points[:, 0] += 6
    histograms = KERNELS[name].many(points)
    assert histograms.shape == (shoes, 400)
    for row, shoe in zip(histograms, points, strict=True):
        assert [int(weight) for weight in row] == totals_weights(PLAYS[name], shoe.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("size", [MOST_AS_FLOAT, MOST_AS_FLOAT + 1, MOST_AS_INTEGER, MOST_AS_INTEGER + 1, 10**6])
def test_no_digit_is_lost_at_any_size(size: int) -> None:
    points = [size - 9 * (size // 13), *[size // 13] * 9]
    exact = totals_weights(PLAYS["usual"], points)
    assert sum(exact) == falling(size, 6)
    assert [int(weight) for weight in KERNELS["usual"].one(points)] == exact
    assert [int(weight) for weight in KERNELS["usual"].many(np.array([points]))[0]] == exact


@pytest.mark.parametrize("size", [MOST_AS_FLOAT, MOST_AS_INTEGER])
def test_no_digit_is_lost_where_all_cards_are_alike(size: int) -> None:
    shoes = size * np.eye(10, dtype=np.int64)
    for row, shoe in zip(KERNELS["usual"].many(shoes), shoes, strict=True):
        assert [int(weight) for weight in row] == totals_weights(PLAYS["usual"], shoe.tolist())


def test_the_limits_are_those_of_the_numbers() -> None:
    assert falling(MOST_AS_FLOAT, 6) < MOST_AS_FLOAT**6 < 2**53 < (MOST_AS_FLOAT + 1) ** 6
    assert MOST_AS_INTEGER**6 < 2**63 < (MOST_AS_INTEGER + 1) ** 6


def test_no_shoes_at_all() -> None:
    assert KERNELS["usual"].many(np.empty((0, 10), np.int64)).shape == (0, 400)


@pytest.mark.parametrize("name", NAMES)
def test_every_book_has_the_usual_table_of_play(name: str) -> None:
    book: Book = load(name)
    points = [16, *[4] * 9]
    assert [int(w) for w in Histograms(book.play).one(points)] == totals_weights(book.play, points)


@pytest.mark.parametrize("bets", [1, 4, 5])
def test_expectations_are_summed_in_order(bets: int) -> None:
    """Studies of one seed give the same to the last digit, however many bets are weighed at once."""
    random = np.random.default_rng(bets)
    shoes, nets = random.integers(0, 33, (9, 10)) + 1, random.random((bets, 400))
    found = KERNELS["usual"].expectations(shoes, nets)
    for row, shoe, histogram in zip(found, shoes, KERNELS["usual"].many(shoes), strict=True):
        for expectation, net in zip(row, nets, strict=True):
            total = 0.0
            for weight, value in zip(histogram.tolist(), net.tolist(), strict=True):
                total += weight * value
            assert expectation == total / falling(int(shoe.sum()), 6)


@pytest.mark.parametrize("size", [52, MOST_AS_FLOAT + 1, MOST_AS_INTEGER + 1])
def test_expectations_of_many_shoes(size: int) -> None:
    points = [size - 9 * (size // 13), *[size // 13] * 9]
    nets = np.random.default_rng(1).integers(-1, 9, (3, 400)).astype(np.float64)
    found = KERNELS["usual"].expectations(np.array([points, points]), nets)
    weights = totals_weights(PLAYS["usual"], points)
    exact = [sum(w * int(n) for w, n in zip(weights, row, strict=True)) / falling(size, 6) for row in nets]
    assert found.shape == (2, 3)
    assert found[1].tolist() == pytest.approx(exact, rel=1e-12)
