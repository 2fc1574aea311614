"""Lets a floor run for a while: many tables, bots, players who bet, a bad network, and kills at random.

    python tools/floor_soak.py                      ten minutes, 30 tables
    python tools/floor_soak.py --minutes 1 --tables 5 --seed 4

`punto serve` runs in a process of its own and is struck down with kill -9 every few seconds. Players bet at
several tables, half of them through a proxy that delays, cuts and reorders. After every kill the whole store
is checked: the chain of hashes, every state, every posting, and that what was acknowledged is there once.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from punto import books  # noqa: E402
from punto.client import Refused  # noqa: E402
from punto.dealer.bot import BOTS  # noqa: E402
from punto.floor.automatic_tables import House  # noqa: E402
from punto.floor.floor import DealtBy, Floor, TableRun  # noqa: E402
from punto.refusal import Refusal  # noqa: E402
from punto.rules.authority import Role  # noqa: E402
from punto.store.store import open_store  # noqa: E402
from punto.table.house import OpenTable  # noqa: E402
from punto.table.settlement import RoundSettled  # noqa: E402
from punto.table.terms import default_terms  # noqa: E402
from tests.crash.bettor import Bettor, check_acknowledged  # noqa: E402
from tests.floor.ledger_check import check_store  # noqa: E402
from tests.server.proxy import BadNetwork  # noqa: E402
from tests.server.served import ServedFloor  # noqa: E402

MOST_BETTORS = 6


def open_tables(database: Path, number: int) -> list[str]:
    """Tables of all books in turn, each with an automatic dealer and bots; their ids."""
    ids = []
    with open_store(str(database)) as store, Floor(store) as floor:
        house = House(floor, lambda: time.time_ns() // 1_000_000)
        for n in range(number):
            book = books.load(books.NAMES[n % len(books.NAMES)])
            id = f"soak-{n + 1}"
            opening = OpenTable(actor="house", role=Role.SHIFT_MANAGER, terms=default_terms(book))
            answer = floor.open_table(id, book, opening)
            assert not isinstance(answer, Refusal), answer.sentence
            refusal = house.run_table(id, TableRun(DealtBy.AUTOMATIC, bots=tuple(BOTS)[: 2 + n % 4]))
            assert refusal is None, refusal
            ids.append(id)
    return ids


def soak(folder: Path, minutes: float, tables: int, seed: int) -> str:
    """Run until the time is over; what came of it, in a sentence."""
    random = Random(seed)
    with ServedFloor(folder, "--pace", "0.02", "--rate", "100000") as floor:
        assert not isinstance(floor.client("cashier").buy_in("player", 10**12), Refused)
        floor.stop()
        ids = open_tables(floor.database, tables)
        floor.start()
        port = int(floor.url.rpartition(":")[2])
        with BadNetwork(port, seed, delay_s=0.01, cut=0.02) as network:
            bettors = [
                Bettor(
                    floor.client("player", network.url if n % 2 else None),
                    id,
                    1,
                    Random(seed + n),
                    is_network_bad=bool(n % 2),
                )
                for n, id in enumerate(random.sample(ids, min(MOST_BETTORS, len(ids))))
            ]
            end, kills = time.monotonic() + 60 * minutes, 0
            while time.monotonic() < end:
                for bettor in bettors:
                    bettor.start()
                time.sleep(random.uniform(2, 12))
                floor.kill()
                kills += 1
                for bettor in bettors:
                    bettor.stop()
                check(floor.database, bettors)
                floor.start()
            assert floor.stop() == 0
            check(floor.database, bettors)
            return told(floor.database, bettors, kills, network)


def check(database: Path, bettors: list[Bettor]) -> None:
    """The store fits together, and what was acknowledged is in it, once."""
    with open_store(str(database)) as store:
        check_store(store)
        for bettor in bettors:
            assert bettor.problems == [], bettor.problems
            check_acknowledged(store, bettor.journal)


def told(database: Path, bettors: list[Bettor], kills: int, network: BadNetwork) -> str:
    """What the floor has been through."""
    rounds = events = 0
    with open_store(str(database)) as store, store.read() as reader:
        for stored in reader.tables():
            events += stored.version
            rounds += sum(isinstance(record.event, RoundSettled) for record in reader.records(stored.id))
    sent = [sent for bettor in bettors for sent in bettor.journal]
    done = sum(each.done is not None for each in sent)
    return (
        f"{kills} kills, {rounds:,} rounds, {events:,} events, {len(sent):,} commands of players, "
        f"{done:,} acknowledged, {network.cuts:,} connections cut: nothing lost, nothing twice, ledger exact"
    )


def main() -> int:
    """Soak, and say how it went."""
    parser = argparse.ArgumentParser(description="A floor with kills and a bad network.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(soak(Path(folder), asked.minutes, asked.tables, asked.seed))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
