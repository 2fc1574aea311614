"""Changes a house in as many ways as you like, one at a time, and counts what verification says.

    python tools/tamper.py 10000              ten thousand changes to an SQLite house
    python tools/tamper.py 1000 --postgres    the same on a PostgreSQL server that it starts
    python tools/tamper.py 1 --from 4711      one change again, by its seed

Every change must be found, or reported as unanchored. One that is neither is named with its seed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.audit.house import build, opened  # noqa: E402
from tests.audit.tampering import is_honest, look, tamper  # noqa: E402


def main() -> int:
    """Tamper, and say how it went."""
    parser = argparse.ArgumentParser(description="Changes to a house, each looked for.")
    parser.add_argument("count", type=int, nargs="?", default=10_000)
    parser.add_argument("--from", dest="start", type=int, default=0, help="the seed to begin with")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL; default: SQLite")
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    with _address(asked.postgres) as address:
        anchor = build(address)
        with opened(address) as connection:
            for seed in range(asked.start, asked.start + asked.count):
                connection.begin_write()
                done = tamper(connection, random.Random(seed))
                found = look(connection, anchor)
                connection.roll_back()
                if not is_honest(done, found, anchor):
                    counts["missed"] += 1
                    print(f"punto: seed {seed} is not found: {done.what}", file=sys.stderr)
                else:
                    counts["found" if not found.ok else "unanchored"] += 1
    told = f"{counts['found']:,} found, {counts['unanchored']:,} reported as unanchored"
    print(f"{asked.count:,} changes: {told}, {counts['missed']:,} missed")
    return 1 if counts["missed"] else 0


@contextmanager
def _address(on_server: bool) -> Iterator[str]:
    if not on_server:
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "house.db")
        return
    from tests.store.postgres_server import PostgresServer

    server = PostgresServer()
    try:
        yield server.new_database()
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main())
