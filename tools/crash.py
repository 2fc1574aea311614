"""Strikes a house down in every way we know, as often as you like, and checks what is left each time.

    python tools/crash.py all 1000            a thousand of each, every crash point and every failing call
    python tools/crash.py kill power 50       some kinds
    python tools/crash.py all 1000 --again    from the beginning

    kill      kill -9 at random moments, SQLite
    server    kill -9 of the client at random moments, PostgreSQL
    stop      pg_ctl stop -m immediate at random moments
    power     loss of power after a sync or an answer, SQLite (needs strace)
    points    killed at every writing call of bet, close, settle, void and closing the database (needs strace)
    disk      ENOSPC and EIO at each of those calls, once and from there on (needs strace)

How far it came is kept in build/crash.json: after an interruption the same command goes on from there.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.crash.killing import strike  # noqa: E402
from tests.crash.points import KILL, moments, strike_at  # noqa: E402
from tests.crash.power import Recording, cut_power, loses_answers  # noqa: E402
from tests.crash.tracing import STRACE  # noqa: E402
from tests.store.postgres_server import PostgresServer  # noqa: E402

KEPT = ROOT / "build/crash.json"
A_HOUSE = 20
"""Strikes that one house has to bear before the next one is founded."""
STEPS = 40
"""Steps of a worker whose writes are recorded; the log goes into the file several times."""

Block = tuple[int, Counter[str]]
"""How many were done, and what was counted."""


def kill(first: int, folder: Path) -> Iterator[Block]:
    """kill -9, SQLite."""
    for block in _blocks(first):
        path = folder / f"{block}.db"
        yield A_HOUSE, strike(str(path), folder, block, A_HOUSE)


def server(first: int, folder: Path) -> Iterator[Block]:
    """kill -9, PostgreSQL."""
    with _server() as running:
        for block in _blocks(first):
            yield A_HOUSE, strike(running.new_database(), folder, block, A_HOUSE)


def stop(first: int, folder: Path) -> Iterator[Block]:
    """pg_ctl stop -m immediate."""
    with _server() as running:
        for block in _blocks(first):
            yield A_HOUSE, strike(running.new_database(), folder, block, A_HOUSE, running)


def power(first: int, folder: Path) -> Iterator[Block]:
    """Loss of power, each recording with its controls."""
    for setting in ("OFF", "NORMAL"):
        control = folder / setting
        control.mkdir()
        assert loses_answers(Recording(control, 2, f"synchronous={setting}"), 1), f"{setting} is not noticed"
    for block in _blocks(first):
        recorded = folder / str(block)
        recorded.mkdir()
        counts = cut_power(Recording(recorded, STEPS, "checkpoint=100"), block)
        yield counts["cuts"], counts


def points(first: int, folder: Path) -> Iterator[Block]:
    """Every crash point."""
    yield from _each_call(first, folder, [(KILL, "{}")])


def disk(first: int, folder: Path) -> Iterator[Block]:
    """Every failing call."""
    faults = ("error=ENOSPC", "error=EIO")
    yield from _each_call(first, folder, [(fault, nth) for fault in faults for nth in ("{}", "{}+")])


def _each_call(first: int, folder: Path, faults: list[tuple[str, str]]) -> Iterator[Block]:
    number = 0
    for moment in moments(folder):
        for point in moment.points:
            for fault, form in faults:
                number += 1
                if number > first:
                    struck = replace(point, nth=form.format(point.nth))
                    counts = strike_at(moment, folder / "strike", fault, struck)
                    yield 1, counts + Counter({f"points of {moment.name}": 1})


def _blocks(first: int) -> Iterator[int]:
    block = first // A_HOUSE
    while True:
        block += 1
        yield block


@contextmanager
def _server() -> Iterator[PostgresServer]:
    """A server whose commits wait for the disk."""
    running = PostgresServer(is_durable=True)
    try:
        yield running
    finally:
        running.close()


KINDS: dict[str, Callable[[int, Path], Iterator[Block]]] = {
    "kill": kill,
    "server": server,
    "stop": stop,
    "power": power,
    "points": points,
    "disk": disk,
}
WHOLE = ("points", "disk")
"""Kinds that have an end of their own."""
TRACED = ("power", "points", "disk")
"""Kinds that look at a worker through strace."""


def main() -> int:
    """Strike, and say how it went."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("kinds", nargs="+", choices=["all", *KINDS])
    parser.add_argument("count", type=int)
    parser.add_argument("--again", action="store_true", help="from the beginning")
    asked = parser.parse_args()
    kept: dict[str, dict[str, int]] = {} if asked.again or not KEPT.exists() else json.loads(KEPT.read_text())
    KEPT.parent.mkdir(exist_ok=True)
    for kind in KINDS if "all" in asked.kinds else asked.kinds:
        counts = Counter(kept.get(kind, {}))
        if kind in TRACED and shutil.which(STRACE) is None:
            print(f"{kind}: not done, {STRACE} is not on this machine")
            continue
        if kind not in WHOLE and counts["done"] >= asked.count:
            print(f"{kind}: {counts['done']:,} were done before; --again begins anew")
            continue
        with tempfile.TemporaryDirectory(prefix="punto-crash-") as name:
            for done, counted in KINDS[kind](counts["done"], Path(name)):
                counts += counted + Counter(done=done)
                kept[kind] = dict(counts)
                KEPT.write_text(json.dumps(kept, indent=1), encoding="utf-8")
                if sys.stdout.isatty():
                    print(f"\r{kind}: {counts['done']:,}", end="", flush=True)
                if kind not in WHOLE and counts["done"] >= asked.count:
                    break
        told = ", ".join(f"{number:,} {name}" for name, number in sorted(counts.items()) if name != "done")
        start = "\r" if sys.stdout.isatty() else ""
        print(f"{start}{kind}: {counts['done']:,} done, nothing lost, nothing done twice ({told})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
