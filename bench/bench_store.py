"""How fast stored tables are: durable bets, the time one of them takes, replaying a log, opening a long one.

The aims, on two cores: 5,000 durable bets a second over many tables on SQLite with synchronous=FULL, 3,000 on
PostgreSQL; 20 ms for 99 of 100 bets that come at 500 a second; 200,000 events a second replayed from the
store; a table with a million events open in a second. Baselines, measured in the same run: the same bets one
by one, each with a commit of its own, and folding the same events in memory.

    python bench/bench_store.py              both databases
    python bench/bench_store.py --small      a tenth of everything
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from punto import books
from punto.cards.source import SourceKind
from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.floor.job import Accepted
from punto.floor.loaded_table import book_document
from punto.floor.shoe import fresh_seed, shoe_order
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import digest_of
from punto.store.record import StoredPerson
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from punto.table import Phase, State, Table, act, default_terms
from punto.table.betting import CallBets, CloseBets, PlaceBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.event import Event
from punto.table.header import Person
from punto.table.house import BurnCards, LoadShoe, OpenTable, TakeSeat, is_shoe_finished
from punto.table.settlement import SettleRound

SMALL = "--small" in sys.argv
TABLES, SEATS = 100, 7
BETS = 5_000 if SMALL else 50_000
ALONE = 50 if SMALL else 300
PACED = 500 if SMALL else 5_000
A_SECOND = 500
LOG = 20_000 if SMALL else 100_000
LONG = 100_000 if SMALL else 1_000_000
AREAS = ("player", "banker", "tie")
DEALER: dict[str, Any] = {"actor": "Dan", "role": Role.DEALER}


def main() -> None:
    print(f"{TABLES} tables, {TABLES * SEATS} players, bets with keys; every answer is durable")
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        measure("SQLite, synchronous=FULL", str(Path(folder) / "bench.db"), 5_000)
        with postgres() as address:
            measure("PostgreSQL", address, 3_000)
        with open_store(str(Path(folder) / "logs.db")) as store:
            replay(store)
            open_long(store)


# ── Bets ─────────────────────────────────────────────────────────────────────────────────────────


def measure(name: str, database: str, aim: int) -> None:
    with open_store(database) as store, Floor(store, Seal(bytes(32))) as floor:
        prepare(store, floor)
        jobs = bets(1, ALONE)
        began = time.perf_counter()
        for table, bet in jobs:
            assert isinstance(floor.give(table, bet), Accepted)
        alone = ALONE / (time.perf_counter() - began)
        began, busy = time.perf_counter(), time.process_time()
        waiting = [floor.submit(table, bet) for table, bet in bets(2, BETS)]
        assert all(isinstance(future.result(), Accepted) for future in waiting)
        rate = BETS / (time.perf_counter() - began)
        of_cpu = BETS / (time.process_time() - busy)
        print(f"{name}: {rate:,.0f} bets a second{missed(rate >= aim, f'{aim:,}')}")
        print(f"    {rate / alone:.1f} times as many as one by one ({alone:,.0f} a second)")
        print(f"    {of_cpu:,.0f} for each second that this process computed")
        times = sorted(paced(floor))
        last = times[int(len(times) * 0.99)] * 1000
        half = times[len(times) // 2] * 1000
        told = missed(last <= 20, "20 ms")
        print(f"    at {A_SECOND} a second: median {half:.1f} ms, 99th percentile {last:.1f} ms{told}")


def prepare(store: Store, floor: Floor) -> None:
    """Tables with their players seated and bets open."""
    desk, book = Desk(store), books.load("commission")
    terms = replace(default_terms(book), maximum=None)
    opening = OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms)
    for table in range(TABLES):
        assert isinstance(floor.open_table(f"t{table}", book, opening), Accepted)
    for table in range(TABLES):
        for seat in range(SEATS):
            person = StoredPerson(player(table, seat))
            assert not isinstance(desk.open_account(person, "USD", 0), Refusal)
            assert not isinstance(desk.buy_in(person.handle, 10**12, Person("Cas", Role.CASHIER), 0), Refusal)
    waiting: list[Future[Accepted | Refusal]] = []
    for table in range(TABLES):
        for version, kind in enumerate((LoadShoe, BurnCards, CallBets), start=1):
            waiting.append(floor.submit(f"t{table}", kind(**DEALER), version))
        for seat in range(SEATS):
            sit = TakeSeat(actor=player(table, seat), role=Role.PLAYER, box=seat + 1)
            waiting.append(floor.submit(f"t{table}", sit))
    assert all(isinstance(future.result(), Accepted) for future in waiting)


def player(table: int, seat: int) -> str:
    return f"p{table}-{seat}"


def bets(block: int, count: int) -> list[tuple[str, Command]]:
    """Bets in turn over all tables, seats and areas."""
    found: list[tuple[str, Command]] = []
    for number in range(count):
        table, seat = number % TABLES, number // TABLES % SEATS
        bet = PlaceBet(
            actor=player(table, seat),
            role=Role.PLAYER,
            key=f"{block}-{number}",
            box=seat + 1,
            area=AREAS[number // (TABLES * SEATS) % len(AREAS)],
            amount=1_000,
            round=1,
        )
        found.append((f"t{table}", bet))
    return found


def paced(floor: Floor) -> list[float]:
    """How long each of many bets took that came one after the other, whether or not others were waiting."""
    took: list[float] = []
    waiting = []
    began = time.perf_counter()
    for number, (table, bet) in enumerate(bets(3, PACED)):
        due = began + number / A_SECOND
        while time.perf_counter() < due:
            time.sleep(max(0.0, due - time.perf_counter()))
        future = floor.submit(table, bet)
        future.add_done_callback(partial(_note, took, due))
        waiting.append(future)
    assert all(isinstance(future.result(), Accepted) for future in waiting)
    while len(took) < PACED:
        time.sleep(0.001)
    return took


def _note(took: list[float], due: float, _: Future[Accepted | Refusal]) -> None:
    took.append(time.perf_counter() - due)


@contextmanager
def postgres() -> Iterator[str]:
    from tests.store.postgres_server import PostgresServer

    server = PostgresServer()
    try:
        yield server.new_database()
    finally:
        server.close()


# ── Logs ─────────────────────────────────────────────────────────────────────────────────────────


def shoe_log() -> list[Event]:
    """The events of a table that plays one shoe to its end, with ten bets a round."""
    book = books.load("insurance")
    table, log = Table(book), list[Event]()
    terms = replace(default_terms(book), burn="none", source=SourceKind.ENTERED)
    cards = iter(shoe_order(fresh_seed("t1", 1), 8))

    def give(command: Command) -> None:
        nonlocal table
        step = act(table, command)
        assert not isinstance(step, Refusal), step
        table = step.table
        log.extend(step.events)

    give(OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms))
    give(LoadShoe(**DEALER))
    for seat in range(5):
        give(TakeSeat(actor=player(1, seat), role=Role.PLAYER, box=seat + 1))
    while not is_shoe_finished(table.state):
        give(CallBets(**DEALER))
        for number in range(10):
            who = {"actor": player(1, number % 5), "role": Role.PLAYER, "box": number % 5 + 1}
            give(PlaceBet(**who, area=("banker", "tie")[number // 5], amount=1_000))  # type: ignore[arg-type]
        give(CloseBets(**DEALER))
        while table.state.phase is not Phase.FINISHED:
            give(DealCard(**DEALER, card=next(cards)))
        give(SettleRound(**DEALER))
    return log


def stored_log(store: Store, id: str, count: int) -> list[Event]:
    """A table with so many events: the same shoe over and over."""
    book, log = books.load("insurance"), shoe_log()
    with store.write() as transaction:
        transaction.add_book(digest_of(book), book.name, book_document(book))
        transaction.add_table(id, digest_of(book), 0)
    version = 0
    while version < count:
        with store.write() as transaction:
            some = (log if not version else log[1:] * 10)[: count - version]
            transaction.append(id, version, some)
        version += len(some)
    return log


def replay(store: Store) -> None:
    log = stored_log(store, "replayed", LOG)
    began = time.perf_counter()
    for _ in range(LOG // len(log)):
        folded(log)
    alone = LOG // len(log) * len(log) / (time.perf_counter() - began)
    began, busy = time.perf_counter(), time.process_time()
    with store.read() as reader:
        folded(record.event for record in reader.each_record("replayed"))
    rate = LOG / (time.perf_counter() - began)
    of_cpu = LOG / (time.process_time() - busy)
    print(f"replay from the store: {rate:,.0f} events a second{missed(rate >= 200_000, '200,000')}")
    print(f"    {rate / alone:.2f} of what folding alone does ({alone:,.0f} a second)")
    print(f"    {of_cpu:,.0f} for each second that this process computed")


def folded(events: Any) -> State:
    state = State()
    for event in events:
        state = event.fold(state)
    return state


def open_long(store: Store) -> None:
    stored_log(store, "long", LONG)
    with store.read() as reader:
        state = folded(record.event for record in reader.each_record("long", 0, LONG - 999))
    with store.write() as transaction:
        transaction.keep_snapshot("long", LONG - 999, state)
    with Floor(store, Seal(bytes(32))) as floor:
        began = time.perf_counter()
        loaded = floor.table("long")
        took = time.perf_counter() - began
    assert loaded is not None
    assert loaded.version == LONG
    print(f"a table with {LONG:,} events opens in {took * 1000:.0f} ms{missed(took < 1, 'a second')}")


def missed(is_met: bool, aim: str) -> str:
    return f" (aim: {aim})" if is_met else f" (MISSES its aim of {aim})"


if __name__ == "__main__":
    main()
