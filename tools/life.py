"""Lives random lives of a house through the store, and lets crowds give commands, as many as you like.

    python tools/life.py 1000000              a million rounds over all books, each block in its own store
    python tools/life.py 1000000 --from 300   the same, from block 300 on, after an interruption
    python tools/life.py 0 --commands 100000  no rounds, but so many commands of 64 clients at once

A block is its own seed: a failure names it, and `python -m tests.floor.life BLOCK` lives it again.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from punto.store import sqlite  # noqa: E402
from punto.store.store import open_store  # noqa: E402
from tests.floor.crowd import meet  # noqa: E402
from tests.floor.life import ROUNDS_A_BLOCK, live_block  # noqa: E402

COMMANDS_A_CROWD = 20_000
COUNTS = ("rounds", "bet-placed", "case-opened", "refusals", "settled bets", "round-settled", "round-voided")


def soak_block(block: int) -> tuple[int, Counter[str], str]:
    """One block: what was counted, and what went wrong."""
    sqlite.SYNCHRONOUS = "OFF"  # what a loss of power does is asked elsewhere
    try:
        with tempfile.TemporaryDirectory() as folder, open_store(str(Path(folder) / "life.db")) as store:
            _, counts = live_block(store, block)
    except Exception as error:  # whatever it is, it is told with the seed that repeats it
        return block, Counter(), f"{type(error).__name__}: {error}\n    python -m tests.floor.life {block}"
    return block, counts, ""


def main() -> int:
    """Soak, and say how it went."""
    parser = argparse.ArgumentParser(description="Random lives through the store.")
    parser.add_argument("rounds", type=int, nargs="?", default=100_000)
    parser.add_argument("--from", dest="start", type=int, default=0, help="the block to begin with")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="how many cores work")
    parser.add_argument("--commands", type=int, help="of crowds; a tenth of the rounds unless said")
    asked = parser.parse_args()
    total: Counter[str] = Counter()
    with Pool(asked.cores) as pool:
        blocks = range(asked.start, -(-asked.rounds // ROUNDS_A_BLOCK))
        for done, (block, counts, problem) in enumerate(pool.imap(soak_block, blocks), start=1):
            total += counts
            if problem:
                print(f"punto: block {block} is wrong: {problem}", file=sys.stderr)
                return 1
            if done % 50 == 0:
                print(f"punto: through block {block}: {_told(total)}", flush=True)
    print(f"punto: log, states and ledger fit together after {_told(total)}")
    left = asked.commands if asked.commands is not None else asked.rounds // 10
    met: Counter[str] = Counter()
    while left > 0:
        with tempfile.TemporaryDirectory() as folder:
            met += meet(str(Path(folder) / "crowd.db"), min(left, COMMANDS_A_CROWD), seed=left)
        left -= COMMANDS_A_CROWD
    told = ", ".join(f"{name} {number:,}" for name, number in sorted(met.items()))
    print(f"punto: the history of 64 clients at once has one order: {told}")
    return 0


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {counts[name]:,}" for name in COUNTS)


if __name__ == "__main__":
    sys.exit(main())
