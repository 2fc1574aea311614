"""How fast the reports of a house are: a gaming day of 100,000 rounds at 70 tables, every kind of report.

The aim is 5 seconds for a report, with memory that does not grow with the rounds. A round has four bets of players who
sit at the table; half of the tables are dealt by the commission book. Baseline, measured in the same run: a bare
SELECT over the events of the same day, every row fetched and nothing done with it.

    python bench/bench_reports.py              100,000 rounds
    python bench/bench_reports.py --small      a tenth of them
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from punto import books
from punto.audit.house_report import ReportKind
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.floor.desk import Desk
from punto.floor.gaming_day import SpanQuery, house_report, prepare_day
from punto.floor.house_rules import HouseRules
from punto.floor.loaded_table import book_document
from punto.floor.shoe import fresh_seed, shoe_order
from punto.ledger.postings import movements_of
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import Book, digest_of
from punto.store.reader import Reader
from punto.store.record import StoredPerson
from punto.store.store import Store, open_store
from punto.table import Phase, State, Table, act, default_terms
from punto.table.betting import CallBets, CloseBets, PlaceBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.event import Event
from punto.table.header import Person
from punto.table.house import LoadShoe, OpenTable, TakeSeat, is_shoe_finished
from punto.table.settlement import SettleRound

SMALL, MEASURE = "--small" in sys.argv, "--measure"
TABLES, ROUNDS = 70, 143 if SMALL else 1_429  # Rounds of each table.
AIM = 5.0  # Seconds.
DAY = 86_400_000
START = 1_794_895_200_000  # When a gaming day begins, by the default rules of a house: 2026-11-17 06:00.
DEALER: dict[str, Any] = {"actor": "Dan", "role": Role.DEALER}
PLAYERS = tuple(f"p{seat}" for seat in range(1, 5))
AREAS = ("player", "banker", "banker", "tie")


class Written(NamedTuple):
    events: int
    movements: int


def main() -> None:
    if MEASURE in sys.argv:
        with open_store(sys.argv[-1], create=False) as store:
            measure(store)
        return
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        database = str(Path(folder) / "bench.db")
        with open_store(database) as store:
            written = found(store)
        rounds = f"{TABLES} tables, {TABLES * ROUNDS:,} rounds"
        print(f"{rounds}, {written.events:,} events, {written.movements:,} movements", flush=True)
        # In a process of its own, which has not held the day in memory.
        subprocess.run([sys.executable, __file__, MEASURE, database], check=True)


def measure(store: Store) -> None:
    query, now = SpanQuery(from_=START, to=START + DAY), START + DAY + 1
    with store.read() as reader:
        began, busy = time.perf_counter(), time.process_time()
        rows = fetch(reader)
        alone, alone_cpu = time.perf_counter() - began, time.process_time() - busy
        print(f"bare SELECT over {rows:,} events: {alone:.2f} s, of which it computed {alone_cpu:.2f} s")
        for kind in ReportKind:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            began, busy = time.perf_counter(), time.process_time()
            report = house_report(reader, kind, query, now)
            took, computed = time.perf_counter() - began, time.process_time() - busy
            assert not isinstance(report, Refusal)
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            told = "" if took <= AIM else "MISSES its "
            aim = f"{told}aim: {AIM:.0f} s"
            ratio = f"computed {computed:.2f} s, {computed / alone_cpu:.2f} of the SELECT"
            print(f"report {kind.value}: {took:.2f} s ({aim}); {ratio}; +{grown:.0f} MB")
        began = time.perf_counter()
        prepare_day(reader, HouseRules().day_of(START), now)
        print(f"all reports of closing the day, with their files: {time.perf_counter() - began:.2f} s")


def fetch(reader: Reader) -> int:
    statement = "SELECT seq, v, body FROM events WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
    return sum(1 for table in reader.tables() for _ in reader.each_row(statement, (table.id,)))


def played(book: Book) -> list[tuple[Event, ...]]:
    """The events of each command at one table over a day."""
    table, given = Table(book), list[tuple[Event, ...]]()
    terms = replace(default_terms(book), burn="none", source=SourceKind.ENTERED, maximum=None)
    cards: Iterator[Card] = iter(())
    shoe = 0
    step_ms = DAY // (ROUNDS * 13 + 100)

    def give(command: Command) -> None:
        nonlocal table
        step = act(table, replace(command, time=START + len(given) * step_ms))
        assert not isinstance(step, Refusal), step
        table = step.table
        given.append(step.events)

    give(OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms))
    for box, player in enumerate(PLAYERS, 1):
        give(TakeSeat(actor=player, role=Role.PLAYER, box=box))
    while table.state.round < ROUNDS or table.state.is_in_round:
        if table.state.shoe is None or is_shoe_finished(table.state):
            shoe += 1
            give(LoadShoe(**DEALER))
            cards = iter(shoe_order(fresh_seed("t1", shoe), 8))
        give(CallBets(**DEALER))
        for box, (player, area) in enumerate(zip(PLAYERS, AREAS, strict=True), 1):
            round = table.state.round
            give(PlaceBet(actor=player, role=Role.PLAYER, box=box, area=area, amount=1_000, round=round))
        give(CloseBets(**DEALER))
        while table.state.phase is Phase.DEALING:
            give(DealCard(**DEALER, card=next(cards)))
        give(SettleRound(**DEALER))
    return given


def found(store: Store) -> Written:
    """The same day at every table, with its movements."""
    desk, events, movements = Desk(store), 0, 0
    for player in PLAYERS:
        assert not isinstance(desk.open_account(StoredPerson(player), "USD", 0), Refusal)
        assert not isinstance(desk.buy_in(player, 10**14, Person("Cas", Role.CASHIER), START), Refusal)
    days = [(book, played(book)) for book in map(books.load, ("commission", "easy-six"))]
    for number in range(TABLES):
        book, given = days[number % 2]
        id, state, version = f"t{number}", State(), 0
        with store.write() as transaction:
            transaction.add_book(digest_of(book), book.name, book_document(book))
            transaction.add_table(id, digest_of(book), START)
            for step in given:
                for record in transaction.append(id, version, step):
                    moved = movements_of(id, state, record.event)
                    movements += len(moved)
                    transaction.post(moved, time_ms=record.event.time, table=id, seq=record.seq, actor=record.event.by)
                    state = record.event.fold(state)
                version += len(step)
            transaction.keep_snapshot(id, version, state)
        events += version
    return Written(events, movements)


if __name__ == "__main__":
    main()
