"""Results beside exact values, the cut-card effect, convergence and ruin."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import pytest

from punto.books import load
from punto.odds.bet_odds import book_odds
from punto.odds.known_cards import Undealt
from punto.odds.ordered_draws import totals_weights
from punto.simulation.deals import ShoeTerms
from punto.simulation.run import Tally, deals_of
from punto.simulation.sessions import Sessions
from punto.simulation.strategy import Progression, Strategy
from punto.studies import simulation_results as simulated_module
from punto.studies.session_results import RUIN_UNITS, ruin_by_bankroll
from punto.studies.simulation_results import ChiSquare, Convergence, Simulated, beside_exact, normal_reach

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
    assert ChiSquare.of(value, degrees).probability == pytest.approx(probability, abs=0.002)


def test_a_95_percent_interval_reaches_1_96_errors() -> None:
    assert normal_reach(1.0) == pytest.approx(1.96, abs=0.001)


def fixed(seed: int, shoes: int = 40) -> Simulated:
    deals = deals_of(BOOK, ShoeTerms(decks=8, rounds_per_shoe=60), seed)
    return beside_exact(BOOK, Tally.empty(deals).plus(deals.play(0, shoes)), 1.0)


def test_a_fixed_number_of_rounds_agrees_with_the_exact_values() -> None:
    simulated = beside_exact(BOOK, tally(ShoeTerms(decks=1, rounds_per_shoe=3), 400_000), 1.0)
    assert simulated.differing == ()
    assert simulated.verdict.startswith("No bet differs")
    assert simulated.chi_square is not None
    assert simulated.chi_square.probability > 0.01


def test_a_wrong_value_is_seen_and_called_an_error() -> None:
    simulated = beside_exact(BOOK, tally(ShoeTerms(decks=1, rounds_per_shoe=3), 400_000), 1.0)
    wrong = [replace(bet, exact=bet.exact + 0.02) if i == 0 else bet for i, bet in enumerate(simulated.bets)]
    found = replace(simulated, bets=tuple(wrong))
    assert found.differing == (wrong[0],)
    assert found.verdict.endswith("it is an error.")
    assert found.record().differing == ("player",)


@pytest.mark.slow
def test_the_cut_card_is_named_as_one_of_two_reasons() -> None:
    simulated = beside_exact(BOOK, tally(ShoeTerms(decks=1, behind_cut=12), 12_000_000), 1.0)
    assert simulated.chi_square is not None
    assert simulated.chi_square.probability < 1e-6
    [player, *others] = simulated.bets
    simulated = replace(simulated, bets=(replace(player, exact=player.exact + 1.0), *others))
    assert simulated.verdict.endswith("to tell the two apart.")
    assert "a z that stays away" not in " ".join(simulated.remarks())


def test_a_bet_that_hardly_ever_wins_says_nothing_in_a_short_run() -> None:
    few = fixed(1, shoes=2)
    tie = replace(few.bets[2], exact=few.bets[2].exact - 5.0)
    assert not tie.differs(1)


@pytest.mark.slow
def test_false_alarms_of_differs_over_1000_short_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most 67 of 1,000 runs in which nothing differs say so: the 99 % bound of 5 %."""
    weights = totals_weights(BOOK.play, Undealt.of_decks(8).points)
    monkeypatch.setattr(simulated_module, "book_odds", lru_cache(book_odds))
    monkeypatch.setattr(simulated_module, "totals_weights", lambda *_: weights)
    alarms = sum(bool(fixed(seed).differing) for seed in range(1_000))
    assert alarms <= 67


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
    assert [ruin.bankroll for ruin in ruins] == [100 * units for units in RUIN_UNITS]
    shares = [ruin.sessions.share for ruin in ruins]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.9 > 0.1 > shares[-1]


@pytest.mark.parametrize(
    ("terms", "shoes", "words"),
    [
        (ShoeTerms(), 0, "No shoe was played to its end;"),
        (ShoeTerms(rounds_per_shoe=60), 1, "1 whole shoe of 8 decks, 60 rounds each;"),
        (ShoeTerms(rounds_per_shoe=60), 40, "40 whole shoes of 8 decks, 60 rounds each;"),
    ],
)
def test_no_certainty_about_shoes_that_were_not_played(terms: ShoeTerms, shoes: int, words: str) -> None:
    deals = deals_of(BOOK, terms, 2)
    played = deals.play(0, shoes) if shoes else deals.play(0, 1, 5)
    [first, *_] = beside_exact(BOOK, Tally.empty(deals).plus(played), 1.0).remarks()
    assert first.startswith(words)
    assert "±" not in first
