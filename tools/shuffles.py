"""Tests very many shuffles of a shoe, and the stream of bytes that they are drawn from.

    python tools/shuffles.py                    a million shoes, all tests, about two minutes
    python tools/shuffles.py --shuffle modulo   a bad shuffle: naive, sattolo, modulo, short, reused
    python tools/shuffles.py --runs 200         200 runs of 20,000 shoes: how often honest shuffles fail
    python tools/shuffles.py --stream           PractRand or dieharder on the stream, where one is installed
    python tools/shuffles.py --stream raw       the stream itself on stdout, without an end

The seeds follow from `--name`, so that a failure can be repeated.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.audit import shuffles  # noqa: E402
from tests.audit.battery import LEVEL, Tally, failed  # noqa: E402

AT_ONCE = 20_000
SHUFFLES = {
    "ours": (shuffles.ours, shuffles.honest),
    "naive": (shuffles.naive, shuffles.honest),
    "sattolo": (shuffles.sattolo, shuffles.honest),
    "modulo": (shuffles.modulo, shuffles.honest),
    "short": (shuffles.ours, shuffles.short),
    "reused": (shuffles.ours, shuffles.reused),
}
TESTERS = {"RNG_test": ["stdin8", "-tlmax", "{size}"], "dieharder": ["-a", "-g", "200"]}
"""Programs that test a stream, and how they read it."""


def tallied(shuffle: str, name: str, shoes: int) -> Tally:
    """So many shoes of a shuffle."""
    way, seeds = SHUFFLES[shuffle]
    tally = Tally()
    for start in range(0, shoes, AT_ONCE):
        number = min(AT_ONCE, shoes - start)
        tally.add(way(shuffles.streams(seeds(f"{name}/{start}", number)), shuffles.CARDS))
        if sys.stderr.isatty():
            print(f"\r{start + number:,} shoes", end="", file=sys.stderr)
    return tally


def look(shuffle: str, name: str, shoes: int) -> int:
    """Test so many shoes, and say how it went."""
    found = tallied(shuffle, name, shoes).results()
    for test, p in sorted(found.items()):
        print(f"{test:28} {p:.4g}")
    bad = failed(found)
    print(f"{shoes:,} shoes, {len(found)} tests, {1 - LEVEL:.0%} for all together: ", end="")
    print(f"failed {', '.join(bad)}" if bad else "no failure")
    return 1 if bad else 0


def calibrate(name: str, runs: int) -> int:
    """How often honest shuffles fail: about one run in a hundred, or fewer."""
    bad: Counter[str] = Counter()
    tests: Counter[str] = Counter()
    for run in range(runs):
        found = tallied("ours", f"{name}, run {run}", AT_ONCE).results()
        names = failed(found)
        bad["runs"] += bool(names)
        bad.update(names)
        tests.update(test for test, p in found.items() if p < 0.05)
    print(f"{runs} runs of {AT_ONCE:,} shoes: {bad['runs']} failed {dict(bad)}")
    print(f"below 5 %, of {runs}: {dict(tests)}")
    return 0


def stream(name: str) -> Iterator[bytes]:
    """What shoes are shuffled from: the beginning of the keystream of one seed after the other."""
    seed = 0
    while True:
        seeds = [sha256(f"{name}/{i}".encode()).digest() for i in range(seed, seed + AT_ONCE)]
        yield shuffles.streams(seeds).T.astype(">u2").tobytes()
        seed += AT_ONCE


def test_stream(name: str, size: str, program: str | None) -> int:
    """Give the stream to a program that tests such streams, and pass on what it says."""
    found = program or next((tester for tester in TESTERS if shutil.which(tester)), None)
    if found is None:
        print(f"none of {', '.join(TESTERS)} is installed: the stream was not tested", file=sys.stderr)
        return 2
    options = [option.format(size=size) for option in TESTERS.get(Path(found).name, [])]
    with subprocess.Popen([found, *options], stdin=subprocess.PIPE) as tester:
        assert tester.stdin is not None
        with suppress(BrokenPipeError):  # it has seen enough
            for part in stream(name):
                tester.stdin.write(part)
    return tester.returncode


def main() -> int:
    """Test what was asked for."""
    parser = argparse.ArgumentParser(description="Test the shuffle of a shoe.")
    parser.add_argument("--shoes", type=int, default=1_000_000)
    parser.add_argument("--shuffle", choices=SHUFFLES, default="ours")
    parser.add_argument("--name", default="punto", help="fixes the seeds")
    parser.add_argument("--runs", type=int, help="how often to test 20,000 honest shoes")
    parser.add_argument("--stream", nargs="?", const="test", choices=("test", "raw"))
    parser.add_argument("--size", default="64GB", help="how much PractRand looks at")
    parser.add_argument("--program", help="the program that tests the stream, if it is not on the path")
    asked = parser.parse_args()
    if asked.stream == "raw":
        with suppress(BrokenPipeError):
            for part in stream(asked.name):
                sys.stdout.buffer.write(part)
        return 0
    if asked.stream:
        return test_stream(asked.name, asked.size, asked.program)
    if asked.runs:
        return calibrate(asked.name, asked.runs)
    return look(asked.shuffle, asked.name, asked.shoes)


if __name__ == "__main__":
    sys.exit(main())
