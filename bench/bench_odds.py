"""How long exact odds take: one shoe, many shoes, a command, and a study; each beside plain Python.

The aims are 6 µs for one call, 1 µs each for many on one core, 2 µs after one more card of a shoe, 10 s to
compile, and 10 s for 100,000 shoes of perfect play.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from timeit import repeat

import numpy as np

from punto.books import load
from punto.cards import seeded_bytes, shuffled_shoe
from punto.odds import Undealt
from punto.odds.followed_shoe import FollowedShoe
from punto.odds.histograms import Histograms
from punto.odds.ordered_draws import totals_weights
from punto.rules.book import Book
from punto.studies.card_counting import perfect_play
from punto.studies.expectations import InsuranceGains, Shoes

ONE_AIM_US, MANY_AIM_US, CARD_AIM_US, COMPILE_AIM_S, STUDY_AIM_S, COMMAND_AIM_S = 6, 1, 2, 10, 10, 1.5
MANY = 1_000
SHOES = 2_000
CARDS = 400


def quickest(work: Callable[[], object], times: int, runs: int) -> float:
    """Microseconds of the quickest of several runs."""
    return min(repeat(work, number=1, repeat=runs)) / times * 1e6


def line(what: str, figure: float, unit: str, aim: float, beside: str = "") -> None:
    """One figure beside its aim."""
    verdict = "" if figure <= aim else ", which misses it"
    print(f"{what:34} {figure:9.2f} {unit:3} {figure / aim:5.2f} of the aim{verdict}{beside}")


def compiling() -> float:
    """Seconds of processor time to compile both kernels where nothing is kept yet."""
    script = (
        "from time import process_time; from punto.books import load;"
        "from punto.odds.histograms import Histograms; start = process_time();"
        "Histograms(load('ez').play).prepare(); print(process_time() - start)"
    )
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={"NUMBA_CACHE_DIR": folder, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        )
    return float(done.stdout)


def one_by_one(book: Book, odds: Callable[[FollowedShoe], object]) -> Callable[[], object]:
    """Most of a shoe seen card by card, with its odds after each."""
    followed, cards = FollowedShoe(book, Undealt.of_decks(8)), shuffled_shoe(8, seeded_bytes("bench"))[:CARDS]

    def follow() -> None:
        for card in cards:
            followed.see(card)
            odds(followed)
        for card in cards:
            followed.put_back(card)

    return follow


def insurance_rate(book: Book) -> float:
    """Seconds of processor time for 100,000 shoes with the gains of insurance before every round."""
    blocks = Shoes(book.play, 8)
    InsuranceGains(book)(np.full((1, 10), 8))  # compiled before the clock starts

    def study() -> None:
        gains = InsuranceGains(book)
        for block in blocks.sample(SHOES, seed=1):
            gains(block.points)

    return min(repeat(study, timer=process_time, number=1, repeat=5)) * 100_000 / SHOES


def main() -> None:
    book = load("ez")
    kernels = Histograms(book.play)
    kernels.prepare()
    random = np.random.default_rng(1)
    shoes = np.column_stack([random.integers(30, 129, MANY), random.integers(5, 33, (MANY, 9))])
    shoe = shoes[0]
    rows = iter(shoes.tolist())  # each once: the answers are kept
    plain = quickest(lambda: totals_weights(book.play, next(rows)), 1, 20)
    one = quickest(lambda: [kernels.one(shoe) for _ in range(200)], 200, 30)
    card = quickest(one_by_one(book, lambda followed: followed.weights), CARDS, 60)
    expected = quickest(one_by_one(book, FollowedShoe.expectations), CARDS, 60)
    many = quickest(lambda: kernels.many(shoes), MANY, 60)
    perfect_play(book, Shoes(book.play, 8), 1, seed=1)  # compiled before the clock starts
    of_study = Shoes(book.play, 8)
    # Processor time: a run is long enough to be interrupted every time on a busy machine.
    studies = repeat(lambda: perfect_play(book, of_study, SHOES, seed=1), timer=process_time, number=1, repeat=5)
    study = min(studies) * 100_000 / SHOES
    insured = insurance_rate(load("insurance"))
    command = [str(Path(sys.executable).parent / "punto"), "odds", "insurance", "--json"]
    warm = quickest(lambda: subprocess.run(command, capture_output=True, check=True), 1, 5) / 1e6

    print(f"{'plain Python, one shoe':34} {plain:9.0f} µs")
    line("one shoe, one call", one, "µs", ONE_AIM_US, f", plain Python takes {plain / one:,.0f} times as long")
    line("after one more card of a shoe", card, "µs", CARD_AIM_US, f", one call takes {one / card:.1f} times as long")
    line("    expectations of five bets", expected, "µs", CARD_AIM_US)
    line("many shoes, each", many, "µs", MANY_AIM_US, f", one call takes {one / many:.1f} times as long")
    line("compiling on first use", compiling(), "s", COMPILE_AIM_S)
    line("perfect play, 100,000 shoes", study, "s", STUDY_AIM_S, f" (from {SHOES:,} shoes)")
    line("insurance counted, 100,000 shoes", insured, "s", STUDY_AIM_S, f" (from {SHOES:,} shoes)")
    line("punto odds insurance --json", warm, "s", COMMAND_AIM_S)


if __name__ == "__main__":
    main()
