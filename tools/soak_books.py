"""Puts random books to every use, as many as you like.

    python tools/soak_books.py 100000                a hundred thousand books
    python tools/soak_books.py 100000 --from 5000    the same, from seed 5000 on, after an interruption
    python tools/soak_books.py 100000 --cores 1      on one core; all of them work unless said

A seed is a book. Books that are refused are counted too. A failure prints the seed and the book.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from punto.simulation import Threads  # noqa: E402
from tests.agreement.used_books import counted_once, use  # noqa: E402

BLOCK = 100
"""Seeds that one core takes at a time."""


def soak_block(first: int) -> tuple[int, int, str]:
    """One block of seeds: the first of them, how many books were accepted and used, and what went wrong."""
    workers, used = Threads(1), 0
    try:
        with counted_once():
            for seed in range(first, first + BLOCK):
                used += use(seed, workers)
    except Exception as error:  # whatever it is, it is told with the seed that repeats it
        return first, used, f"{type(error).__name__}: {error}"
    finally:
        workers.close()
    return first, used, ""


def main() -> int:
    """Soak, and say how it went."""
    parser = argparse.ArgumentParser(description="Random books, put to every use.")
    parser.add_argument("books", type=int, nargs="?", default=100_000, help="seeds to try")
    parser.add_argument("--from", dest="start", type=int, default=0, help="the seed to begin with")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="how many cores work")
    asked = parser.parse_args()
    tried = used = 0
    for first, accepted, problem in _soaked(range(asked.start, asked.books, BLOCK), asked.cores):
        tried, used = tried + BLOCK, used + accepted
        if problem:
            print(f"punto: from seed {first} on: {problem}", file=sys.stderr)
            return 1
        if tried % 1000 == 0:
            print(f"punto: {tried:,} random books, {used:,} accepted, all of which work", flush=True)
    print(f"punto: {tried:,} random books, {used:,} accepted, all of which work")
    return 0


def _soaked(blocks: range, cores: int) -> Iterator[tuple[int, int, str]]:
    if cores == 1:
        yield from map(soak_block, blocks)
        return
    with Pool(cores) as pool:
        yield from pool.imap(soak_block, blocks)


if __name__ == "__main__":
    sys.exit(main())
