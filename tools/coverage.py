"""How often intervals hold the truth: every interval of a simulation or a study, over many seeds.

    make coverage             1,000 seeds
    make coverage N=200
    .venv/bin/python tools/coverage.py 1000 counted studies martingale      some of them

A 95 % interval should hold the true value in 95 % of all runs. Each run is short and has a seed of its own.
The truth comes from exact odds where there are any; everything else comes from one long run of other seeds,
whose own error is a tenth of theirs or less. Studies state standard errors; their intervals are 1.96 of them
to each side. The last column says how far
the share is from 95 %, in standard errors: beyond 3 the interval is wrong. Clopper and Pearson's interval may
hold more often.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from punto.books import load
from punto.rules.book import Book
from punto.simulation.deals import ShoeTerms
from punto.simulation.run import Tally, deals_of
from punto.simulation.sessions import Sessions, SessionTally
from punto.simulation.strategy import Progression, Strategy
from punto.studies import cut_card
from punto.studies.card_counting import perfect_play
from punto.studies.expectations import Shoes, _mean_gains
from punto.studies.session_results import SessionResults, exact_values
from punto.studies.simulation_results import beside_exact, normal_interval, normal_reach

SEEDS, LONG_SEED = 1000, 10**6
TERMS = ShoeTerms(rounds_per_shoe=60)
SHOES, LONG_SHOES, BATCH = 400, 400 * 2000, 4000
CONFIDENCE = 0.95

STUDY_SHOES, LONG_STUDY = 400, 40_000
"""Shoes of one deck for each run of a study, and for its truth."""
INSURED_SHOES, LONG_INSURED = 60, 6_000

STRATEGIES = {
    "flat": Strategy(stakes={"banker": 100, "tie": 100}),
    "martingale": Strategy(stakes={"player": 100}, progression=Progression.MARTINGALE, maximum=3200, bankroll=5000),
    "paroli": Strategy(stakes={"player": 100}, progression=Progression.PAROLI, bankroll=2000),
    "dalembert": Strategy(stakes={"player": 100}, progression=Progression.DALEMBERT, maximum=2000, bankroll=4000),
    "fibonacci": Strategy(stakes={"player": 100}, progression=Progression.FIBONACCI, maximum=3000, bankroll=4000),
    "labouchere": Strategy(
        stakes={"player": 100}, progression=Progression.LABOUCHERE, maximum=3000, bankroll=5000, goal=1000
    ),
    "1-3-2-6": Strategy(stakes={"player": 100}, progression=Progression.ONE_THREE_TWO_SIX, bankroll=1500, goal=2000),
}


@dataclass
class Held:
    """How often one interval held the truth."""

    held: int = 0
    asked: int = 0

    def add(self, interval: Iterable[float] | None, truth: float) -> None:
        if interval is not None:
            low, high = interval
            self.held += low <= truth <= high
            self.asked += 1

    def line(self, name: str) -> str:
        share = self.held / self.asked
        off = (share - CONFIDENCE) / sqrt(CONFIDENCE * (1 - CONFIDENCE) / self.asked)
        return f"{name:40}{self.asked:7,}{share:9.1%}{off:+7.1f}"


def counted(found: dict[str, Held], seeds: int) -> None:
    """Bets that are counted, beside exact odds."""
    book = load("commission")
    for seed in range(seeds):
        deals = deals_of(book, TERMS, seed)
        answer = beside_exact(book, Tally.empty(deals).plus(deals.play(0, SHOES)), 1.0)
        for bet in answer.bets:
            found.setdefault(f"counted: {bet.result.bet}", Held()).add(bet.interval, bet.exact)


def played(found: dict[str, Held], name: str, strategy: Strategy, seeds: int) -> None:
    """Bets, mean and ruin of sessions."""
    long = SessionTally.empty(_sessions(strategy, LONG_SEED))
    for first in range(0, LONG_SHOES, BATCH):
        long = long.plus(long.sessions.play(first, BATCH))
    exact = exact_values(long.sessions)
    true_mean, ruined = long.net[0], long.ruined
    assert true_mean is not None
    if strategy.bankroll is None:
        true_mean = sum(60 * stake * exact[area] for area, stake in strategy.stakes.items())
    for seed in range(seeds):
        sessions = _sessions(strategy, seed)
        tally = SessionTally.empty(sessions).plus(sessions.play(0, SHOES))
        results = SessionResults(sessions.book, name, tally, exact, 1.0)
        for bet in tally.bets():
            interval = normal_interval(bet.mean, bet.error)
            found.setdefault(f"{name}: {bet.bet}", Held()).add(interval, exact[bet.bet])
        interval = results.record().sessions.interval
        found.setdefault(f"{name}: mean of a session", Held()).add(interval, true_mean / 100)
        if ruined is not None and results.ruin is not None:
            found.setdefault(f"{name}: ruin", Held()).add(results.ruin.interval, ruined / long.number)


def studies(found: dict[str, Held], seeds: int) -> None:
    """The cut-card effect, perfect play, insurance with a perfect count, and rounds per shoe, on one deck."""
    cut_card._Values = lru_cache(cut_card._Values)  # type: ignore[assignment,misc]  # its set-up takes longest
    ez, insurance = load("ez"), load("insurance")
    shoes, insured = Shoes(ez.play, 1, 14), Shoes(insurance.play, 1, 14)
    long = dict(_study(ez, shoes, LONG_STUDY, LONG_SEED))
    long |= dict(_insured(insurance, insured, LONG_INSURED, LONG_SEED))
    for seed in range(seeds):
        for name, (value, error) in (
            *_study(ez, shoes, STUDY_SHOES, seed),
            *_insured(insurance, insured, INSURED_SHOES, seed),
        ):
            if error is not None:
                reach = normal_reach(error)
                found.setdefault(name, Held()).add((value - reach, value + reach), long[name][0])


Estimate = tuple[str, tuple[float, float | None]]
"""A name, and a value with its standard error."""


def _study(book: Book, shoes: Shoes, number: int, seed: int) -> list[Estimate]:
    effect = cut_card.cut_card_effect(book, shoes, number, seed)
    found: list[Estimate] = [
        (f"cut card: {shift.bet}", (shift.shift, shift.error)) for shift in (*effect.bets, *effect.lengths)
    ]
    earned = perfect_play(book, shoes, number, seed).perfect
    found += [
        (f"perfect play: {area}", (one.units, None if one.is_rough else one.error)) for area, one in earned.items()
    ]
    deals = deals_of(book, ShoeTerms(decks=1), seed)
    mean, error = Tally.empty(deals).plus(deals.play(0, number)).rounds_per_shoe
    assert mean is not None
    return [*found, ("rounds per shoe", (mean, error))]


def _insured(book: Book, shoes: Shoes, number: int, seed: int) -> list[Estimate]:
    means = _mean_gains(book, shoes, number, seed, lambda _: None)
    return [(f"perfect count: {hand.value}, insured", mean) for hand, mean in means.items()]


def _sessions(strategy: Strategy, seed: int) -> Sessions:
    book = load("commission")
    return Sessions(deals_of(book, TERMS, seed), book, strategy)


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    wanted = sys.argv[2:] or ["counted", "studies", *STRATEGIES]
    found: dict[str, Held] = {}
    if "counted" in wanted:
        counted(found, seeds)
    for name, strategy in STRATEGIES.items():
        if name in wanted:
            played(found, name, strategy, seeds)
    if "studies" in wanted:
        studies(found, seeds)
    print(f"{'interval':40}{'runs':>7}{'held':>9}{'off':>7}")
    for name, held in found.items():
        print(held.line(name))


if __name__ == "__main__":
    main()
