"""Throws mutants at everything that Punto reads, and says how many were accepted and refused.

    python tools/fuzz.py all --count 100000        every target in turn, this many mutants in all
    python tools/fuzz.py book --seed 4711 --count 1    one mutant again, with its traceback

A mutant that does anything but be accepted or refused, or that takes longer than a minute, ends the run.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from collections import Counter
from multiprocessing import Pool
from pathlib import Path
from random import Random
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.fuzz.corpus import Corpus, collected  # noqa: E402
from tests.fuzz.targets import TARGETS  # noqa: E402

LONGEST_SECONDS = 60
"""Of work, however busy the machine is otherwise."""
BLOCK = 50
_corpus: list[Corpus] = []


def fuzz_block(job: tuple[str, int, int]) -> tuple[str, Counter[str], str]:
    """Some mutants of one target: what became of them, and what went wrong."""
    target, first, count = job
    counts: Counter[str] = Counter()
    for seed in range(first, first + count):
        signal.setitimer(signal.ITIMER_PROF, LONGEST_SECONDS)
        signal.alarm(10 * LONGEST_SECONDS)
        try:
            counts[TARGETS[target](Random(f"{target} {seed}"), _corpus[0])] += 1
        except Exception as error:  # whatever it is, it is told with the seed that repeats it
            return target, counts, f"seed {seed}: {type(error).__name__}: {str(error)[:400]}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.alarm(0)
    return target, counts, ""


def begin() -> None:
    """Each process works in a folder of its own."""
    folder = tempfile.mkdtemp(prefix="punto-fuzz-")
    os.chdir(folder)
    os.environ["XDG_DATA_HOME"] = folder
    for number in (signal.SIGPROF, signal.SIGALRM):  # of work, and of waiting for anything else
        signal.signal(number, _too_long)
    _corpus.append(collected())


def _too_long(_: int, __: FrameType | None) -> None:
    raise TimeoutError(f"more than {LONGEST_SECONDS} seconds")


def main() -> int:
    """Fuzz, and say how it went."""
    parser = argparse.ArgumentParser(description="Mutants of everything that Punto reads.")
    parser.add_argument("target", choices=["all", *TARGETS], nargs="?", default="all")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    targets = list(TARGETS) if asked.target == "all" else [asked.target]
    end = asked.seed + -(-asked.count // len(targets))
    jobs = [(target, first, min(BLOCK, end - first)) for first in range(asked.seed, end, BLOCK) for target in targets]
    totals: dict[str, Counter[str]] = {target: Counter() for target in targets}
    faults = 0
    with Pool(asked.processes, begin) as pool:
        for target, counts, problem in pool.imap_unordered(fuzz_block, jobs):
            totals[target] += counts
            if problem:
                faults += 1
                print(f"punto: a fault of {target}, {problem}", file=sys.stderr, flush=True)
    for target, total in totals.items():
        told = ", ".join(f"{count:,} {answer}" for answer, count in sorted(total.items()))
        print(f"punto: {target}: {total.total():,} mutants: {told}")
    print(f"punto: {sum(total.total() for total in totals.values()):,} mutants, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
