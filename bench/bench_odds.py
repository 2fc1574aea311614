"""How long exact odds take: one shoe, many shoes, a command, and a study; each beside plain Python.

The aims are 10 µs for one call, 2 µs each for many on one core, 10 s to compile, and a minute for 100,000
shoes of perfect play.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from timeit import repeat

import numpy as np

from punto.books import load
from punto.odds.histograms import Histograms
from punto.odds.ordered_draws import totals_weights
from punto.studies.card_counting import perfect_play
from punto.studies.expectations import Shoes

ONE_AIM_US, MANY_AIM_US, COMPILE_AIM_S, STUDY_AIM_S, COMMAND_AIM_S = 10, 2, 10, 60, 1.5
MANY = 1_000
SHOES = 2_000


def quickest(work: Callable[[], object], times: int, runs: int) -> float:
    """Microseconds of the quickest of several runs."""
    return min(repeat(work, number=1, repeat=runs)) / times * 1e6


def line(what: str, figure: float, unit: str, aim: float, beside: str = "") -> None:
    """One figure beside its aim."""
    verdict = "" if figure <= aim else ", which misses it"
    print(f"{what:34} {figure:9.2f} {unit:3} {figure / aim:5.2f} of the aim{verdict}{beside}")


def compiling() -> float:
    """Seconds to compile both kernels where nothing is kept yet."""
    script = (
        "from time import perf_counter; from punto.books import load;"
        "from punto.odds.histograms import Histograms; start = perf_counter();"
        "Histograms(load('ez').play).prepare(); print(perf_counter() - start)"
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


def main() -> None:
    book = load("ez")
    kernels = Histograms(book.play)
    kernels.prepare()
    random = np.random.default_rng(1)
    shoes = np.column_stack([random.integers(30, 129, MANY), random.integers(5, 33, (MANY, 9))])
    shoe = shoes[0]
    plain = quickest(lambda: totals_weights(book.play, shoe.tolist()), 1, 20)
    one = quickest(lambda: [kernels.one(shoe) for _ in range(200)], 200, 30)
    many = quickest(lambda: kernels.many(shoes), MANY, 60)
    perfect_play(book, Shoes(book.play, 8), 1, seed=1)  # compiled before the clock starts
    start = perf_counter()
    perfect_play(book, Shoes(book.play, 8), SHOES, seed=1)
    study = (perf_counter() - start) * 100_000 / SHOES
    command = [str(Path(sys.executable).parent / "punto"), "odds", "insurance", "--json"]
    warm = quickest(lambda: subprocess.run(command, capture_output=True, check=True), 1, 5) / 1e6

    print(f"{'plain Python, one shoe':34} {plain:9.0f} µs")
    line("one shoe, one call", one, "µs", ONE_AIM_US, f", plain Python takes {plain / one:,.0f} times as long")
    line("many shoes, each", many, "µs", MANY_AIM_US, f", one call takes {one / many:.1f} times as long")
    line("compiling on first use", compiling(), "s", COMPILE_AIM_S)
    line("perfect play, 100,000 shoes", study, "s", STUDY_AIM_S, f" (from {SHOES:,} shoes)")
    line("punto odds insurance --json", warm, "s", COMMAND_AIM_S)


if __name__ == "__main__":
    main()
