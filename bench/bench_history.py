"""How fast a round is told: out of a long log, beside the same round out of a short one.

The aim, on two cores: a round of a table with a million events is shown in under a second, whole process and
all. Baseline, measured in the same run: the same kind of round out of a log of a hundredth of that.

    python bench/bench_history.py            a million events
    python bench/bench_history.py --small    a tenth of that
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.bench_store import missed, player, shoe_log
from punto import books
from punto.audit.history_page import history_page
from punto.audit.round_history import RoundSearch, find_rounds, last_round, place_of, round_history
from punto.documents.text import page_lines
from punto.floor.desk import Desk
from punto.floor.floor import SNAPSHOT_EVERY
from punto.floor.job import encode_command
from punto.floor.loaded_table import book_document
from punto.ledger.postings import movements_of
from punto.rules.authority import Role
from punto.rules.book import digest_of
from punto.store.record import StoredCommand, StoredPerson
from punto.store.store import Store, open_store
from punto.table import State
from punto.table.betting import BetsCalled, PlaceBet
from punto.table.event import Event
from punto.table.header import Person
from punto.table.house import ShoeLoaded
from punto.table.settlement import RoundSettled

LONG = 100_000 if "--small" in sys.argv else 1_000_000
MONEY = 10**12


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "house.db"
        with open_store(str(path)) as store:
            desk = Desk(store)
            for seat in range(5):
                desk.open_account(StoredPerson(player(1, seat)), "USD", 0)
                desk.buy_in(player(1, seat), MONEY, Person("Cas", Role.CASHIER), 0)
            fill(store, "short", LONG // 100)
            fill(store, "long", LONG)
            base = told(store, "short")
            took = told(store, "long")
            print(f"a round of {LONG:,} events: {took * 1000:.0f} ms", end=", ")
            print(f"{took / base:.1f} times that of {LONG // 100:,}")
            search(store)
        began = time.perf_counter()
        ran = subprocess.run(
            [str(Path(sys.executable).parent / "punto"), "audit", "round", "long/1000", "--database", str(path)],
            capture_output=True,
            check=True,
        )
        whole, used = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        assert b"EVERY LINE PAID" in ran.stdout
        print(f"punto audit round, whole process: {whole * 1000:.0f} ms{missed(whole < 1, 'a second')}")
        print(f"    {(used.ru_utime + used.ru_stime) * 1000:.0f} ms of it computing")


def told(store: Store, id: str) -> float:
    """The longest time that one of three rounds takes: near the beginning, in the middle, at the end."""
    longest, book = 0.0, books.load("insurance")
    with store.read() as reader:
        table = reader.table(id)
        assert table is not None
        last = last_round(reader, table)
        for round in (2, last // 2, last - 1):
            began = time.perf_counter()
            place = place_of(reader, table, round)
            assert place is not None
            lines = list(page_lines(history_page(round_history(reader, table, book, place))))
            longest = max(longest, time.perf_counter() - began)
            assert len(lines) > 50
    return longest


def search(store: Store) -> None:
    for words, asked in {
        "the latest 50 rounds": RoundSearch(),
        "a search that finds nothing": RoundSearch(irregularity="void"),
    }.items():
        began = time.perf_counter()
        with store.read() as reader:
            find_rounds(reader, asked, 50)
        print(f"{words}: {(time.perf_counter() - began) * 1000:.0f} ms")


def fill(store: Store, id: str, count: int) -> None:
    """A table with so many events: shoe after shoe, with commands, movements and snapshots."""
    book, shoe = books.load("insurance"), shoe_log()
    with store.write() as transaction:
        transaction.add_book(digest_of(book), book.name, book_document(book))
        transaction.add_table(id, digest_of(book), 0)
    version, state, number = 0, State(), 0
    begin, again = shoe[:7], [event for event in shoe if not isinstance(event, ShoeLoaded)][6:]
    while version < count:
        number += 1
        events = [*begin, *again] if number == 1 else [replace(begin[1], number=number), *again]
        with store.write() as transaction:
            for event in events[: count - version]:
                version += 1
                state = _append(transaction, id, version, state, event)


def _append(transaction: Any, id: str, version: int, state: State, event: Event) -> State:
    changes: dict[str, Any] = {"time": 1_700_000_000_000 + 500 * version}
    if isinstance(event, BetsCalled):
        changes["round"] = state.round + 1
    elif isinstance(event, RoundSettled):
        changes["round"] = state.round
    event = replace(event, **changes)
    transaction.append(id, version - 1, [event])
    command = PlaceBet(actor=event.by, role=Role.PLAYER, time=event.time, box=1, area="tie", amount=1_000)
    kept = StoredCommand(event.by, None, encode_command(command), id, version, version, version)
    transaction.add_command(kept)
    if movements := movements_of(id, state, event):
        transaction.post(movements, time_ms=event.time, table=id, seq=version, actor=event.by)
    state = event.fold(state)
    if version % SNAPSHOT_EVERY == 0:
        transaction.keep_snapshot(id, version, state)
    return state


if __name__ == "__main__":
    main()
