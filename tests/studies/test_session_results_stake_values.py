"""Exact values of stakes as they are paid: rounded to cents, by their policies, and only where they hold."""

from __future__ import annotations

import pytest

from punto.books import load
from punto.odds import Undealt, book_odds, insurance_odds
from punto.simulation.deals import ShoeTerms
from punto.simulation.own_kernel import OwnSessions
from punto.simulation.own_strategy import OwnSource, own_strategy
from punto.simulation.run import Threads, deals_of, sums
from punto.simulation.sessions import Sessions, SessionTally
from punto.simulation.strategy import CountSystem, Insuring, InsuringRule, Progression, Strategy
from punto.studies.session_results import exact_values


def sessions_of(name: str, strategy: Strategy) -> Sessions:
    book = load(name)
    return Sessions(deals_of(book, ShoeTerms(rounds_per_shoe=60), 3), book, strategy)


def test_a_flat_stake_is_valued_as_it_is_paid() -> None:
    """7 cents on Banker win 7, not 6.65: a loss of 1.06 % becomes a gain of 1.24 %."""
    odds = book_odds(load("commission"), Undealt.of_decks(8)).bet("banker")
    values = exact_values(sessions_of("commission", Strategy(stakes={"banker": 7})))
    assert values["banker"] == pytest.approx(float(odds.win - odds.lose))
    assert exact_values(sessions_of("commission", Strategy(stakes={"banker": 100})))["banker"] == float(odds.ev)


@pytest.mark.parametrize(
    ("strategy", "is_known"),
    [
        (Strategy(stakes={"banker": 100}, progression=Progression.MARTINGALE), True),
        (Strategy(stakes={"banker": 7}, progression=Progression.MARTINGALE), False),
        (Strategy(stakes={"banker": 100}, progression=Progression.MARTINGALE, maximum=333), False),
        (Strategy(stakes={"player": 7}, progression=Progression.MARTINGALE, maximum=333), True),
        (Strategy(stakes={"banker": 100}, count=CountSystem((1,) * 10, 0)), False),
    ],
)
def test_values_only_where_they_hold(strategy: Strategy, is_known: bool) -> None:
    assert bool(exact_values(sessions_of("commission", strategy))) is is_known


def test_a_function_of_ones_own_has_no_exact_value() -> None:
    plain = sessions_of("commission", Strategy(stakes={"banker": 100}))
    source = OwnSource("own.py", "bets", "def bets(view):\n    return {'banker': 100}\n")
    own = OwnSessions(plain.deals, plain.book, own_strategy(plain.book, plain.strategy), source=source)
    assert exact_values(own) == {}


def rules(book_name: str, always: bool = False) -> tuple[InsuringRule, ...]:
    return tuple(
        InsuringRule(
            o.offer.hand,
            o.offer.window.cards,
            o.player_points,
            o.banker_points,
            Insuring.INSURE if always else Insuring(o.choice.value),
        )
        for o in insurance_odds(load(book_name), Undealt.of_decks(8)).offers
    )


def test_large_stakes_come_to_the_odds_without_rounding() -> None:
    book, stake = load("insurance"), 10**8
    values = exact_values(
        sessions_of("insurance", Strategy(stakes={"banker": stake, "player": stake}, insuring=rules("insurance")))
    )
    for insured in insurance_odds(book, Undealt.of_decks(8)).bets:
        assert values[f"{insured.bet.area}-insured"] == pytest.approx(float(insured.ev), abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "strategy"),
    [
        ("insurance", Strategy(stakes={"banker": 3, "player": 5}, insuring=rules("insurance", always=True))),
        ("insurance", Strategy(stakes={"banker": 10_000}, insuring=rules("insurance"))),
        ("knockout", Strategy(stakes={"ante-player": 100}, giving_up={"ante-player": (0, 1, 2, 3, 4)})),
        ("commission", Strategy(stakes={"banker": 7, "tie": 3})),
    ],
    ids=["cents", "best", "antes", "rounded"],
)
def test_long_runs_come_to_the_exact_values(name: str, strategy: Strategy) -> None:
    """Sixty rounds from each shoe have the frequencies of a fresh one; rounding to cents shows at once."""
    sessions = sessions_of(name, strategy)
    hands = Threads(2)
    hands.batch_shoes = sessions.batch_shoes
    *_, tally = sums(SessionTally.empty(sessions), 4_000_000, hands)
    hands.close()
    values = exact_values(sessions)
    compared = [bet for bet in tally.bets() if bet.bet in values]
    assert len(compared) >= len(strategy.stakes)
    for bet in compared:
        assert bet.error is not None
        assert abs(bet.mean - values[bet.bet]) < 4 * bet.error
