"""Plays random rounds through the table and holds them against the checker, as many as you like.

    python tools/soak.py 1000000              a million rounds over all books
    python tools/soak.py 1000000 --from 300   the same, from block 300 on, after an interruption
    python tools/soak.py 1000000 --cores 1    on one core; all of them work unless said

Rounds are played in blocks of 1,000, a fifth of each by every book; in a tenth of them something goes wrong.
A block is its own seed: a failure names book and block and gives the round as a `.punto` text, and
`python -m tests.agreement.random_rounds BOOK BLOCK 200` plays it again.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from punto import books  # noqa: E402
from tests.agreement.random_rounds import play_block  # noqa: E402

ROUNDS_A_BLOCK = 1000
COUNTS = {
    "rounds": "rounds",
    "rounds with errors": "rounds with errors",
    "reports": "reports",
    "case-opened": "cases",
    "evidence-withdrawn": "times evidence was taken back",
    "void": "voids",
    "asked": "options given",
    "returned bets": "returned bets",
    "re-offers": "windows offered anew",
    "insured": "insurances",
    "settled bets": "settled bets",
    "refusals": "refusals",
}
"""What is told, by the names under which it is counted."""


def soak_block(block: int) -> tuple[int, Counter[str], str]:
    """One block of all books: what was counted, and what went wrong."""
    counts: Counter[str] = Counter()
    for name in books.NAMES:
        rounds = ROUNDS_A_BLOCK // len(books.NAMES)
        try:
            counts += play_block(name, block, rounds)
        except Exception as error:  # whatever it is, it is told with the seed that repeats it
            again = f"python -m tests.agreement.random_rounds {name} {block} {rounds}"
            return block, counts, f"{type(error).__name__}: {error}\n    {again}"
    return block, counts, ""


def main() -> int:
    """Soak, and say how it went."""
    parser = argparse.ArgumentParser(description="Random rounds against the checker.")
    parser.add_argument("rounds", type=int, nargs="?", default=100_000)
    parser.add_argument("--from", dest="start", type=int, default=0, help="the block to begin with")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="how many cores work")
    asked = parser.parse_args()
    blocks = range(asked.start, -(-asked.rounds // ROUNDS_A_BLOCK))
    total: Counter[str] = Counter()
    for done, (block, counts, problem) in enumerate(_soaked(blocks, asked.cores), start=1):
        total += counts
        if problem:
            print(f"punto: block {block} disagrees: {problem}", file=sys.stderr)
            return 1
        if done % 50 == 0:
            print(f"punto: through block {block}: {_told(total)}", flush=True)
    print(f"punto: table and checker agree on {_told(total)}")
    for title, start in (("findings", "found "), ("how cases ended", "resolved ")):
        names = sorted(name for name in total if name.startswith(start))
        told = ", ".join(f"{name.removeprefix(start)} {total[name]:,}" for name in names)
        print(f"punto: {title}: {told}")
    return 0


def _soaked(blocks: range, cores: int) -> Iterator[tuple[int, Counter[str], str]]:
    if cores == 1:
        yield from map(soak_block, blocks)
        return
    with Pool(cores) as pool:
        yield from pool.imap(soak_block, blocks)


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[name]:,} {told}" for name, told in COUNTS.items())


if __name__ == "__main__":
    sys.exit(main())
