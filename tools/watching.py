"""Watches made-up floors: how often honest ones are suspected, and how soon planted faults are found.

    python tools/watching.py honest                         1,000 floors of 100,000 rounds each
    python tools/watching.py honest --floors 20 --rounds 10000
    python tools/watching.py faults --floors 20             a card missing, a Tie paid 9:1, a player who peeks

A floor here is a table of Commission Baccarat with eight decks, watched after every shoe over its whole life,
with one player who bets on Player or Banker. A floor is its own seed: `--from N` goes on after an
interruption.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from statistics import median

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # every core has a floor of its own
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from punto import books  # noqa: E402
from punto.audit.sight import Sight  # noqa: E402
from punto.audit.watch import LEVEL, watch_arrays  # noqa: E402
from punto.cards.card import Card  # noqa: E402
from punto.table.settlement import RoundSettled  # noqa: E402
from tests.audit.logs import dealt_log, paying  # noqa: E402
from tests.audit.many_floors import Fault, many_rounds  # noqa: E402

FAULTS = {
    "one 9 of spades is missing": (Fault(missing=Card.parse("9S").index), "a card missing or too many"),
    "a player knows the winner in 1 round of 2": (Fault(peeks=0.5), "winnings of Ray"),
    "a player knows the winner in 1 round of 10": (Fault(peeks=0.1), "winnings of Ray"),
    "a player knows the winner in 1 round of 20": (Fault(peeks=0.05), "winnings of Ray"),
}


def watched(rounds: int, fault: Fault | None, seed: int) -> tuple[int, dict[str, int]]:
    """The rounds of one floor, and what was beyond chance, each with the rounds it took."""
    book = books.load("commission")
    found = watch_arrays(book, many_rounds(book, rounds, seed, fault))
    return found.rounds, {answer.question: answer.seen_after or 0 for answer in found.alarms}


def tie_paid_nine(seed: int) -> int:
    """The round in which a Tie paid 9:1 is seen, at a table that is really dealt, with a bet every round."""
    sight, rounds = Sight(books.load("commission")), 0
    for event in paying(dealt_log("commission", 3, ("tie", seed)), "tie", 9):
        sight.add(event)
        rounds += isinstance(event, RoundSettled)
        if sight.mispaid:
            return rounds
    return -1


def main() -> int:
    """Watch floors, and say what came of it."""
    parser = argparse.ArgumentParser(description="Watch made-up floors.")
    parser.add_argument("what", choices=("honest", "faults"))
    parser.add_argument("--floors", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--from", dest="start", type=int, default=0, help="the floor to begin with")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="how many cores work")
    asked = parser.parse_args()
    with Pool(asked.cores) as pool:
        (honest if asked.what == "honest" else faults)(pool, asked)
    return 0


def honest(pool: object, asked: argparse.Namespace) -> None:
    """How many honest floors are suspected, and of what."""
    began, rounds, suspected, of = time.perf_counter(), 0, 0, Counter[str]()
    seeds = range(asked.start, asked.start + asked.floors)
    floors = pool.imap_unordered(partial(watched, asked.rounds, None), seeds)  # type: ignore[attr-defined]
    for done, (here, alarms) in enumerate(floors, start=1):
        rounds += here
        suspected += bool(alarms)
        of.update(alarms)
        if done % max(1, asked.floors // 20) == 0 or done == asked.floors:
            took = time.perf_counter() - began
            print(f"{done:,} floors, {rounds:,} rounds, {took:,.0f} s: {suspected} suspected", flush=True)
    expected = f"at most {LEVEL * asked.floors:g} of {asked.floors:,} floors expected to be suspected"
    print(f"level {LEVEL:.0%}: {expected}")
    for question, times in of.most_common():
        print(f"    {question}: {times}")


def faults(pool: object, asked: argparse.Namespace) -> None:
    """How many faulty floors are found out, and after how many rounds."""
    seeds = range(asked.start, asked.start + asked.floors)
    for words, (fault, question) in FAULTS.items():
        floors = pool.map(partial(watched, asked.rounds, fault), seeds)  # type: ignore[attr-defined]
        took = [alarms[question] for _, alarms in floors if question in alarms]
        others = Counter(name for _, alarms in floors for name in alarms if name != question)
        _tell(words, took, asked.floors)
        if others:
            print(f"    also: {', '.join(f'{name} ({times})' for name, times in others.most_common())}")
    took = [rounds for rounds in pool.map(tie_paid_nine, seeds) if rounds > 0]  # type: ignore[attr-defined]
    _tell("a Tie paid 9:1, bet on in every round", took, asked.floors)


def _tell(words: str, took: list[int], floors: int) -> None:
    times = f"; after {min(took):,} to {max(took):,} rounds, median {median(took):,.0f}" if took else ""
    print(f"{words}: found at {len(took)} of {floors} floors{times}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
