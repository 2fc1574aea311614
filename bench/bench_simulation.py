"""How fast simulation is: every bet counted, with suits, and strategies; on one core and on two.

The aims are 200 million rounds a second on one core for bets that the finished deal decides, 100 million
with suits, 60 million for bets on single cards with suits, 20 million for strategies with insurance, antes or
counts, and 10 million for a user's function with arrays. Beside them stand the peers that were
measured on a machine like ours: 4.0 million rounds a second and core without side bets (an engine in Rust),
2.7 million (JavaScript) and 0.11 million (the fastest in Python). The baseline in the same run is plain
Python: recorded shoes settled round by round by a user's own function.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from punto.books import load
from punto.odds import Undealt, insurance_odds
from punto.simulation.deals import ShoeTerms
from punto.simulation.own_kernel import OwnSessions
from punto.simulation.own_strategy import OwnSource, own_strategy
from punto.simulation.run import Tally, Threads, Work, deals_of, sums
from punto.simulation.sessions import Sessions
from punto.simulation.strategy import CountSystem, Insuring, InsuringRule, Progression, Strategy

COUNTED_AIM, SUITS_AIM, CARDS_AIM, STRATEGY_AIM, OWN_AIM, PEER = 200e6, 100e6, 60e6, 20e6, 10e6, 4.0e6
REPEATS = 9


def best_rate(work: Work, shoes: int) -> float:  # type: ignore[type-arg]
    """Rounds to a second of one core's time, in the best of several tries: others may use the machine too."""
    rounds = work.play(0, shoes).rounds
    best = 0.0
    for _ in range(REPEATS):
        begun = time.thread_time()
        work.play(0, shoes)
        best = max(best, rounds / (time.thread_time() - begun))
    return best


def wall_rate(rounds: int, workers: int) -> float:
    """Rounds a second by the clock, batches handed to threads."""
    start = Tally.empty(deals_of(load("commission"), ShoeTerms(), 7))
    best = 0.0
    for _ in range(3):
        hands = Threads(workers)
        begun = time.perf_counter()
        *_, total = sums(start, rounds, hands)
        best = max(best, total.rounds / (time.perf_counter() - begun))
        hands.close()
    return best


def strategies() -> dict[str, Callable[[], Sessions]]:
    """One of each kind."""

    def at(name: str, strategy: Strategy) -> Sessions:
        book = load(name)
        return Sessions(deals_of(book, ShoeTerms(), 7), book, strategy)

    def insured() -> Sessions:
        offers = insurance_odds(load("insurance"), Undealt.of_decks(8)).offers
        cells = tuple(
            InsuringRule(o.offer.hand, o.offer.window.cards, o.player_points, o.banker_points, Insuring(o.choice.value))
            for o in offers
        )
        return at("insurance", Strategy(stakes={"banker": 10_000}, insuring=cells))

    tags = (0, 0, 0, -1, -1, -1, -1, 2, 2, 0)
    return {
        "flat stake on Banker": lambda: at("commission", Strategy(stakes={"banker": 10_000})),
        "Martingale, limits and bankroll": lambda: at(
            "commission",
            Strategy(stakes={"banker": 10_000}, progression=Progression.MARTINGALE, maximum=500_000, bankroll=10**6),
        ),
        "a count of Dragon 7": lambda: at("ez", Strategy(stakes={"dragon-7": 10_000}, count=CountSystem(tags, 4))),
        "Banker with best insurance": insured,
        "an ante with its wager": lambda: at("knockout", Strategy(stakes={"ante-player": 10_000})),
    }


OWN = """
def view(view):
    return {"banker": 10000}

def arrays(round, net, bankroll, last, results, unseen, memory, stakes):
    stakes[1] = 10000
"""


def own_rate(form: str, shoes: int) -> float:
    """The same flat stake as a user's function; the one that takes a view is the baseline."""
    book = load("commission")
    strategy = own_strategy(book, Strategy(stakes={}))
    source = OwnSource("own.py", form, OWN)
    return best_rate(OwnSessions(deals_of(book, ShoeTerms(), 7), book, strategy, source=source), shoes)


def main() -> None:
    card_bets = str(Path(__file__).parents[1] / "docs/examples/card-bets.toml")
    side_bets = str(Path(__file__).parents[1] / "docs/examples/side-bets.toml")
    print("million rounds to a second of one core's time")
    for name, terms in (
        ("commission", ShoeTerms()),
        ("commission", ShoeTerms(rounds_per_shoe=60)),
        (side_bets, ShoeTerms()),
        (card_bets, ShoeTerms()),
    ):
        how = f"{terms.rounds_per_shoe} rounds a shoe" if terms.rounds_per_shoe else "to the cut card"
        kinds = {side_bets: ("with suits, ", SUITS_AIM), card_bets: ("single cards with suits, ", CARDS_AIM)}
        what, aim = kinds.get(name, ("every bet, ", COUNTED_AIM))
        rate = best_rate(deals_of(load(name), terms, 7), 16_384)
        beside = f"{rate / aim:5.2f} of the aim   {rate / PEER:5.1f} times the best peer"
        print(f"{what + how:40}{rate / 1e6:8.1f}   {beside}")
    python = own_rate("view", 20)
    for name, made in strategies().items():
        rate = best_rate(made(), 4096)
        beside = f"{rate / STRATEGY_AIM:5.2f} of the aim   {rate / python:5.0f} times a Python function"
        print(f"{name:34}{rate / 1e6:8.1f}   {beside}")
    own = own_rate("arrays", 4096)
    beside = f"{own / OWN_AIM:5.2f} of the aim   {own / python:5.0f} times a Python function"
    print(f"{'a function with arrays, compiled':34}{own / 1e6:8.1f}   {beside}")
    one, two = (wall_rate(200_000_000, workers) for workers in (1, 2))
    times = f"{two / one:.2f} times as many"
    print(f"by the clock: {one / 1e6:.1f} million on one core, {two / 1e6:.1f} on two, {times}")


if __name__ == "__main__":
    main()
