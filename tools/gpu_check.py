"""Holds the GPU kernel against the processor's, shoe by shoe, and measures it: run where there is a GPU.

    python tools/gpu_check.py [ROUNDS]

Prints a line for each comparison, the rounds a second, and the chi-square of as many rounds at 60 to a shoe.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from punto.books import load
from punto.odds import Undealt, totals_weights
from punto.simulation.deals import ShoeTerms
from punto.simulation.gpu import Gpu
from punto.simulation.run import Tally, deals_of, sums

CASES = (
    ("commission", ShoeTerms()),
    ("commission", ShoeTerms(decks=6, rounds_per_shoe=40)),
    ("ez", ShoeTerms(decks=8, behind_cut=60, rounds_after_cut=0)),
    ("docs/examples/side-bets.toml", ShoeTerms()),
)


def compare(gpu: Gpu) -> None:
    """The same shoes both ways."""
    for book, terms in CASES:
        deals = deals_of(load(book), terms, 20_261_115)
        first = (1 << 32) - 20_000  # so that shoe numbers pass 32 bits
        here, there = deals.play(first, 40_000), gpu.play(deals, first, 40_000)
        assert (here.lengths == there.lengths).all(), f"{book}: shoes of other lengths"
        assert (here.histogram == there.histogram).all(), f"{book}: another histogram"
        print(f"{book}, {terms.decks} decks: {here.rounds:,} rounds, the same to the last count")


def measure(gpu: Gpu, rounds: int) -> None:
    """Rounds a second, and chi-square on a fixed number of rounds per shoe."""
    book = load("commission")
    weights = np.array(totals_weights(book.play, Undealt.of_decks(8).points), float)
    for terms in (ShoeTerms(), ShoeTerms(rounds_per_shoe=60)):
        start = Tally.empty(deals_of(book, terms, 7))
        gpu.submit(start.deals, 0, 1000).result()
        begun = time.perf_counter()
        *_, tally = sums(start, rounds, gpu)
        seconds = time.perf_counter() - begun
        expected = weights / weights.sum() * tally.rounds
        cells = expected > 0
        chi = float(((tally.totals()[cells] - expected[cells]) ** 2 / expected[cells]).sum())
        how = f"{terms.rounds_per_shoe} rounds a shoe" if terms.rounds_per_shoe else "to the cut card"
        print(
            f"{how}: {tally.rounds:,} rounds in {seconds:.2f} s, {tally.rounds / seconds / 1e9:.1f} billion "
            f"a second; chi-square {chi:.1f} on {cells.sum() - 1}"
        )


def main() -> None:
    gpu = Gpu()
    compare(gpu)
    measure(gpu, int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**10)


if __name__ == "__main__":
    main()
