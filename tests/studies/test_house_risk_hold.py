"""Bounds of hold against sums of all rounds in fractions, and where the normal distribution may stand in."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from math import comb, lcm, prod, sqrt
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.books import load
from punto.money import MINOR
from punto.odds.bet_odds import book_odds
from punto.odds.known_cards import Undealt
from punto.studies import house_risk as hold
from punto.studies import house_risk as many_rounds
from punto.studies.composed_bets import composed_bets
from punto.studies.house_risk import (
    CONFIDENCES,
    BoundsBy,
    Results,
    certain_bounds,
    hold_bounds,
    normal_error,
    rounds_by_error,
    volatility_index,
)
from tests.agreement.test_card_bets import random_book

EVEN_MONEY: Results = ((Fraction(1), 47), (Fraction(-1), 53))
RARE: Results = ((Fraction(1_000), 1), (Fraction(-1), 2_499))


def ways_of_sums(results: Results, rounds: int) -> list[tuple[Fraction, int]]:
    """The number of ways to every sum: one round after the other, in whole numbers of the finest unit."""
    fine = lcm(*(net.denominator for net, _ in results))
    nets = [(int(net * fine), ways) for net, ways in results]
    sums = {0: 1}
    for _ in range(rounds):
        after: dict[int, int] = defaultdict(int)
        for sum_, number in sums.items():
            for net, ways in nets:
                after[sum_ + net] += number * ways
        sums = after
    return [(Fraction(sum_, fine), number) for sum_, number in sorted(sums.items())]


def all_ways(results: Results, rounds: int) -> int:
    return prod([sum(ways for _, ways in results)] * rounds)


def check(results: Results, rounds: int) -> None:
    found = many_rounds.many_rounds(results, rounds)
    assert found.error < 1e-8
    below, total = 0, all_ways(results, rounds)
    for value, ways in ways_of_sums(results, rounds):
        below += ways
        point = int((value - found.first) / found.step)
        assert found.first + point * found.step == value, "every sum lies on the lattice"
        if 0 <= point < len(found.below):
            assert abs(below / total - found.below[point]) <= found.error, (value, results)


nets = st.builds(Fraction, st.integers(-60, 600), st.sampled_from((1, 2, 20)))
rounds_of_bets = st.lists(st.tuples(nets, st.integers(1, 1_000)), min_size=1, max_size=5)


@given(rounds_of_bets, st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_the_distribution_of_a_few_rounds_is_that_of_every_sum(
    results: list[tuple[Fraction, int]], rounds: int
) -> None:
    check(tuple(results), rounds)


@pytest.mark.parametrize("rounds", [20, 60])
def test_the_distribution_of_more_rounds(rounds: int) -> None:
    for results in (EVEN_MONEY, ((Fraction(19, 20), 458), (Fraction(0), 95), (Fraction(-1), 447))):
        check(results, rounds)


def test_the_window_folds_no_more_than_it_says() -> None:
    """A rare large award, 2,000 rounds: chances by the binomial distribution, far beyond the normal one."""
    rounds, win = 2_000, Fraction(1, 2_500)
    found = many_rounds.many_rounds(RARE, rounds)
    below = Fraction(0)
    for wins in range(12):
        below += comb(rounds, wins) * win**wins * (1 - win) ** (rounds - wins)
        point = int((1_001 * wins - rounds - found.first) / found.step)
        if point < len(found.below):
            assert abs(float(below) - found.below[point]) <= found.error


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_bounds_of_random_books(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bet of a random small book: each bound is the least sum whose chance reaches its share."""
    monkeypatch.setattr(hold, "ROUNDS", (6,))
    monkeypatch.setattr(hold, "HANDLES", ())
    book, _ = random_book(number, 5)
    for bet in book_odds(book, Undealt.of_decks(8)).bets:
        results = tuple((outcome.net, ways) for outcome, ways in bet.ways)
        [row] = hold_bounds.__wrapped__(results, 100)
        assert row.by is BoundsBy.EXACT
        sums = ways_of_sums(results, 6)
        for confidence, (low, high) in zip(CONFIDENCES, row.bounds, strict=True):
            tail = Fraction(1 - Fraction(str(confidence))) / 2
            assert quantiles(sums, tail, -high * 6), (bet.area, confidence)
            assert quantiles(sums, 1 - tail, -low * 6), (bet.area, confidence)


def quantiles(sums: list[tuple[Fraction, int]], chance: Fraction, found: float) -> bool:
    """Whether a number is the least sum not exceeded with a chance, or beside it where that is a hair off."""
    below, total, hair = 0, sum(ways for _, ways in sums), Fraction(1, 10**8)
    least, most = ((chance + off) * total for off in (-hair, hair))
    for value, ways in sums:
        if below >= most:
            return False
        below += ways
        if abs(float(value) - found) < 1e-9:
            return below >= least
    return False


def test_lucky_nines_after_a_thousand_rounds() -> None:
    """The case that the normal distribution had as -50.45 to 66.99 %."""
    bet = book_odds(load("docs/examples/card-bets.toml"), Undealt.of_decks(8)).bet("lucky-nines")
    thousand = hold_bounds(tuple((o.net, ways) for o, ways in bet.ways), 10 * MINOR)[0]
    assert thousand.by is BoundsBy.EXACT
    assert [round(100 * value, 2) for value in thousand.bounds[2]] == [-95.2, 31.4]


def test_the_normal_distribution_only_where_it_is_near_enough() -> None:
    """Where it is used, the exact distribution is no farther away than was promised."""
    for results in (EVEN_MONEY, ((Fraction(8), 95), (Fraction(-1), 905))):
        rows = hold_bounds(results, 10 * MINOR)
        assert {row.by for row in rows} == {BoundsBy.EXACT, BoundsBy.NORMAL}
        for before, after in pairwise(row.by is BoundsBy.NORMAL for row in rows):
            assert after or not before
        row = next(row for row in rows if row.by is BoundsBy.NORMAL)
        assert normal_error(results, row.rounds) <= hold.NORMAL_ERROR < normal_error(results, row.rounds // 100)
        sums = many_rounds.many_rounds(results, row.rounds)
        for confidence, (low, high) in zip(CONFIDENCES, row.bounds, strict=True):
            for bound, chance in ((high, (1 - confidence) / 2), (low, (1 + confidence) / 2)):
                point = int((Fraction(-bound) * row.rounds - sums.first) / sums.step)
                assert sums.below[point] == pytest.approx(chance, abs=hold.NORMAL_ERROR + sums.error)


def test_the_theorem_of_berry_and_esseen_for_even_money() -> None:
    """By hand: deviations 1 and 1, so the bound is the constant over the root of the rounds."""
    assert normal_error(((Fraction(1), 1), (Fraction(-1), 1)), 100) == pytest.approx(0.0469)
    for rounds in (1, 10, 100):
        sums = many_rounds.many_rounds(EVEN_MONEY, rounds)
        mean, sd = -0.06 * rounds, sqrt((1 - 0.06**2) * rounds)
        far = max(
            abs(NormalDist(mean, sd).cdf(float(sums.first + i * sums.step)) - below)
            for i, below in enumerate(sums.below)
        )
        assert far <= normal_error(EVEN_MONEY, rounds)


def test_pays_too_fine_to_count_have_outer_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_rounds, "MOST_POINTS", 2)
    rare = hold_bounds.__wrapped__(RARE, 10 * MINOR)[0]
    monkeypatch.undo()
    exact = hold_bounds.__wrapped__(RARE, 10 * MINOR)[0]
    assert (rare.by, exact.by) == (BoundsBy.CERTAIN, BoundsBy.EXACT)
    for (low, high), (inner_low, inner_high) in zip(rare.bounds, exact.bounds, strict=True):
        assert low <= inner_low < inner_high <= high
    sums, total = ways_of_sums(EVEN_MONEY, 30), all_ways(EVEN_MONEY, 30)
    for tail in (0.05, 0.005):
        low, high = certain_bounds(EVEN_MONEY, 30, tail)
        assert sum(ways for value, ways in sums if value < low) <= tail * total
        assert sum(ways for value, ways in sums if value > high) <= tail * total


def test_hold_by_rounds_and_by_handle() -> None:
    """Every number of rounds from 10^3 to 10^7, and what each handle from 10^4 to 10^8 pays."""
    for stake in (10, 25, 300, 20_000):
        rows = hold_bounds(EVEN_MONEY, stake * MINOR)
        paid = {10**power // stake for power in range(4, 9)} - {0}
        assert {row.rounds for row in rows} == {10**power for power in range(3, 8)} | paid
        assert all(row.handle == row.rounds * stake * MINOR for row in rows)
        assert all(row.edge == pytest.approx(0.06) for row in rows)
    assert len(hold_bounds(EVEN_MONEY, 10 * MINOR)) == 5


def test_a_bet_that_always_comes_to_the_same() -> None:
    [row, *_] = hold_bounds(((Fraction(-1), 7),), 10 * MINOR)
    assert row.bounds == ((1.0, 1.0),) * 3


@pytest.mark.parametrize("name", ["insurance", "knockout"])
def test_bets_made_in_steps_are_counted_as_fast_as_others(name: str) -> None:
    """Pays of insured bets are fine fractions; their lattice still fits."""
    for bet in composed_bets(load(name), 8):
        assert {row.by for row in hold_bounds(bet.results, 100 * MINOR)} <= {BoundsBy.EXACT, BoundsBy.NORMAL}


def test_the_volatility_index_is_what_the_sheet_calls_it() -> None:
    assert volatility_index(2.0) == 3.29
    assert volatility_index(7.208713044235319) == 1.645 * 7.208713044235319


def test_rounds_that_show_an_error() -> None:
    assert rounds_by_error(1.0)[0] == pytest.approx(((1.95996 + 0.84162) / 0.01) ** 2, rel=1e-4)
