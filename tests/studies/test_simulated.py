"""Results beside exact values, the cut-card effect, convergence and ruin."""

from __future__ import annotations

from itertools import pairwise

import pytest

from punto.books import load
from punto.simulation.run import deals_of
from punto.simulation.shoe_terms import ShoeTerms
from punto.simulation.strategy import Progression, Sessions, Strategy
from punto.simulation.tally import Tally
from punto.studies.convergence import Convergence
from punto.studies.cut_card import cut_card_effect, shift_table
from punto.studies.ruin import UNITS, ruin_by_bankroll
from punto.studies.simulated import ChiSquare, beside_exact, normal_reach

BOOK = load("commission")


def tally(terms: ShoeTerms, shoes: int) -> Tally:
    deals = deals_of(BOOK, terms, 2)
    return Tally.empty(deals).plus(deals.play(0, shoes))


@pytest.mark.parametrize(
    ("value", "degrees", "probability"),
    # The chi-square distribution, from printed tables.
    [(9.210, 2, 0.01), (18.307, 10, 0.05), (124.342, 100, 0.05), (140.169, 100, 0.005), (67.328, 100, 0.995)],
)
def test_chi_square_probabilities(value: float, degrees: int, probability: float) -> None:
    assert ChiSquare(value, degrees).probability == pytest.approx(probability, abs=0.002)


def test_a_95_percent_interval_reaches_1_96_errors() -> None:
    assert normal_reach(1.0) == pytest.approx(1.96, abs=0.001)


def test_the_cut_card_shows_over_many_rounds() -> None:
    """From one deck the shift is larger than from eight; it still takes a hundred million rounds to see."""
    simulated = beside_exact(BOOK, tally(ShoeTerms(decks=1, behind_cut=12), 12_000_000), 1.0)
    assert simulated.chi_square is not None
    assert simulated.chi_square.probability < 1e-6
    shifts = {shift.bet: shift for shift in cut_card_effect(simulated)}
    for bet in simulated.bets:
        shift = shifts[bet.result.bet]
        assert (shift.shift, shift.error) == (bet.result.mean - bet.exact, bet.result.error)
        assert shift.is_seen == (bet.z is not None and abs(bet.z) > 1.96)
    assert len(shift_table(simulated).rows) == len(shifts)


def test_a_fixed_number_of_rounds_has_no_cut_card_effect() -> None:
    simulated = beside_exact(BOOK, tally(ShoeTerms(decks=1, rounds_per_shoe=3), 400_000), 1.0)
    assert cut_card_effect(simulated) == ()
    assert simulated.chi_square is not None
    assert simulated.chi_square.probability > 0.01


def test_convergence_looks_now_and_then() -> None:
    deals = deals_of(BOOK, ShoeTerms(), 2)
    looks, total = Convergence(BOOK), Tally.empty(deals)
    for first in range(0, 2000, 50):
        total = total.plus(deals.play(first, 50))
        looks.look(total)
    rounds = [point[0].rounds for point in looks.points]
    assert 8 < len(rounds) < 20
    assert all(after >= 1.3 * before for before, after in pairwise(rounds))


def test_more_money_is_ruined_less_often() -> None:
    strategy = Strategy(stakes={"player": 100}, progression=Progression.MARTINGALE)
    ruins = ruin_by_bankroll(Sessions(deals_of(BOOK, ShoeTerms(), 2), BOOK, strategy), 600, 100)
    assert [ruin.bankroll for ruin in ruins] == [100 * units for units in UNITS]
    shares = [ruin.sessions.share for ruin in ruins]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.9 > 0.1 > shares[-1]
