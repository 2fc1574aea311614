"""Tallies of sessions: exact for any stakes and lengths, the same in any batches, silent on the unknown."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from statistics import mean, variance

import numpy as np
import pytest

from punto.books import load
from punto.simulation.deals import ShoeTerms, record_shoes
from punto.simulation.run import Threads, deals_of, sums
from punto.simulation.sessions import Sessions, SessionTally
from punto.simulation.strategy import MOST_STAKE, Progression, Strategy
from tests.simulation.recorded_facts import facts_of

BOOK = load("commission")
DEALS = deals_of(BOOK, ShoeTerms(), 4)


def sessions_of(strategy: Strategy, name: str = "commission") -> Sessions:
    book = load(name)
    return Sessions(deals_of(book, ShoeTerms(), 4), book, strategy)


def is_same(one: SessionTally, two: SessionTally) -> bool:
    return all(np.array_equal(one.arrays()[name], two.arrays()[name]) for name in one.arrays())


def test_sums_beyond_64_bits_are_exact() -> None:
    """A hundred million batches of the largest stake: staked × rounds is far beyond 9.2e18."""
    sessions = sessions_of(Strategy(stakes={"banker": MOST_STAKE}))
    batch = sessions.play(0, 300)
    nets = [
        int((2 * BOOK.pay_tables["banker"].outcome(facts_of(shoes, shoe, number)).net * MOST_STAKE + 1) // 2)
        for shoes in [record_shoes(sessions.deals, 0, 300)]
        for shoe in range(300)
        for number in range(int(shoes.lengths[shoe]))
    ]
    assert batch.sums[:6] == (
        len(nets),
        MOST_STAKE * len(nets),
        sum(nets),
        sum(net * net for net in nets),
        MOST_STAKE * sum(nets),
        MOST_STAKE**2 * len(nets),
    )
    times = 10**8
    many = SessionTally.empty(sessions).plus(batch)
    large = replace(many, sums=tuple(times * number for number in many.sums))
    [bet] = large.bets()
    assert bet.staked == times * MOST_STAKE * len(nets) > 2**63
    assert bet.net == times * sum(nets)
    assert bet.mean == pytest.approx(sum(nets) / len(nets) / MOST_STAKE)
    [once] = many.bets()
    assert bet.error == pytest.approx((once.error or 0) / 1e4, rel=1e-3)
    kept = SessionTally.from_arrays(sessions, large.arrays())
    assert kept.sums == large.sums


@pytest.mark.parametrize(
    ("strategy", "name", "sentence"),
    [
        (Strategy(stakes={"tie": MOST_STAKE}, progression=Progression.MARTINGALE), "ez", "a round could win"),
        (
            Strategy(stakes={"banker": MOST_STAKE // 8}, progression=Progression.DALEMBERT, shoes=1000),
            "ez",
            "a session could win",
        ),
        (Strategy(stakes={"banker": 100}, maximum=10**17, progression=Progression.FLAT), "insurance", None),
        (Strategy(stakes={"banker": MOST_STAKE}, shoes=1000), "ez", None),
    ],
)
def test_what_could_not_be_counted_is_refused_first(strategy: Strategy, name: str, sentence: str | None) -> None:
    problem = sessions_of(strategy, name).problem()
    assert problem is None if sentence is None else problem is not None and sentence in problem
    if sentence is not None:
        with pytest.raises(ValueError, match=sentence):
            sessions_of(strategy, name).play(0, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "strategy",
    [
        Strategy(stakes={"banker": 101}, shoes=50),
        Strategy(stakes={"tie": 777}, progression=Progression.FIBONACCI, bankroll=100_000, shoes=3),
    ],
)
def test_batches_and_workers_change_nothing(strategy: Strategy) -> None:
    sessions, found = sessions_of(strategy), []
    for workers, shoes in ((1, 4096), (3, 60), (2, 1)):
        hands = Threads(workers)
        hands.batch_shoes = shoes
        *_, tally = sums(SessionTally.empty(sessions), 70_000, hands)
        hands.close()
        found.append(tally)
    assert all(is_same(tally, found[0]) for tally in found[1:])
    assert found[0].number


@pytest.mark.parametrize(
    "strategy", [Strategy(stakes={"player": 100}, shoes=100), Strategy(stakes={"tie": 10**6}, shoes=20)]
)
def test_long_sessions_and_long_odds_are_not_clipped(strategy: Strategy) -> None:
    """Nets of thousands of units, far beyond what a fixed histogram would hold."""
    sessions = sessions_of(strategy)
    tally, nets = SessionTally.empty(sessions), []
    for first in range(0, 60 * strategy.shoes, strategy.shoes):
        batch = sessions.play(first, strategy.shoes)
        nets.append(int(batch.results[0, 0]))
        tally = tally.plus(batch)
    ordered = sorted(nets)
    for share in (Fraction(1, 100), Fraction(1, 20), Fraction(1, 2), Fraction(99, 100)):
        quantile, exact = tally.quantile(share), ordered[-(-share.numerator * 60 // share.denominator) - 1]
        assert quantile is not None
        assert quantile.least <= exact <= quantile.most
        assert quantile.width <= abs(exact) / 2048
    assert tally.nets.range == (ordered[0], ordered[-1])
    found, error = tally.net
    assert found == pytest.approx(mean(nets))
    assert error == pytest.approx((variance(nets) / 60) ** 0.5)


def test_nothing_is_certain_from_nothing() -> None:
    none = SessionTally.empty(sessions_of(Strategy(stakes={"banker": 100}, bankroll=1000)))
    assert (none.net, none.drawdown, none.quantile(Fraction(1, 2))) == ((None, None), None, None)
    assert none.rounds_per_shoe == (None, None)
    assert (none.ruined, none.bets()) == (0, ())
    one = none.plus(none.sessions.play(0, 1))
    assert one.number == 1
    assert one.net[0] is not None
    assert one.net[1] is None
    assert one.rounds_per_shoe[1] is None
    free = SessionTally.empty(sessions_of(Strategy(stakes={"banker": 100})))
    assert free.plus(free.sessions.play(0, 5)).ruined is None


def test_one_bet_has_no_error() -> None:
    sessions = sessions_of(Strategy(stakes={"banker": 100}))
    [bet] = SessionTally.empty(sessions).plus(sessions.play(0, 1, 1)).bets()
    assert (bet.made, bet.error) == (1, None)
