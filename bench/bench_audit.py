"""How fast verification is: every hash, every posting and every command of a floor, looked at again.

The aim is 200,000 events a second on two cores. The floor has many tables, each with one shoe played to its
end, ten bets a round, a command for every event and a movement for every bet. Baseline, measured in the same
run: the same records read from the store and folded, with nothing compared.

    python bench/bench_audit.py              100,000 events
    python bench/bench_audit.py --small      a tenth of them
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from punto import books
from punto.audit.verification import several_processes, verify
from punto.cards.source import SourceKind
from punto.floor.desk import Desk
from punto.floor.job import encode_command
from punto.floor.loaded_table import book_document
from punto.floor.shoe import fresh_seed, shoe_order
from punto.ledger.movement import Movement
from punto.ledger.play import AccountMovement, PlayCount, followed
from punto.ledger.postings import movements_of
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import digest_of
from punto.store.house_settings import GamingDay
from punto.store.protection import keep_plays, stored_plays
from punto.store.record import StoredCommand, StoredPerson
from punto.store.store import Store, open_store
from punto.table import Phase, State, Table, act, default_terms
from punto.table.betting import CallBets, CloseBets, PlaceBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.event import Event
from punto.table.header import Person
from punto.table.house import LoadShoe, OpenTable, TakeSeat, is_shoe_finished
from punto.table.settlement import SettleRound

SMALL = "--small" in sys.argv
EVENTS = 10_000 if SMALL else 100_000
AIM = 200_000
DEALER: dict[str, Any] = {"actor": "Dan", "role": Role.DEALER}
BOOK = books.load("commission")
PLAYERS = tuple(f"p{seat}" for seat in range(1, 6))
AREAS = ("player", "banker", "tie")


class Given(NamedTuple):
    """A command and what came of it."""

    command: Command
    events: tuple[Event, ...]


def main() -> None:
    shoe = played()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder, open_store(str(Path(folder) / "bench.db")) as store:
        measure(store, found(store, shoe))


def measure(store: Store, tables: int) -> None:
    with store.read() as reader:
        [(movements,)] = reader.rows("SELECT count(*) FROM movements")
        began, busy, events = time.perf_counter(), time.process_time(), 0
        for table in reader.tables():
            state = State()
            for record in reader.each_record(table.id):
                state = record.event.fold(state)
                events += 1
        alone, alone_cpu = events / (time.perf_counter() - began), events / (time.process_time() - busy)
        began, busy = time.perf_counter(), time.process_time()
        done = verify(reader)
        rate, of_cpu = events / (time.perf_counter() - began), events / (time.process_time() - busy)
    assert done.ok and done.events == events
    shared = measure_shared(store, events)
    print(f"{tables} tables, {events:,} events, {movements:,} movements")
    told = "" if shared >= AIM else "MISSES its "
    print(f"verification by one process per core: {shared:,.0f} events a second ({told}aim: {AIM:,})")
    print(f"    by one process: {rate:,.0f}; {of_cpu:,.0f} for each second that it computed")
    print(f"    {rate / alone:.2f} of what replaying alone does ({alone:,.0f}; {alone_cpu:,.0f} computed)")


def measure_shared(store: Store, events: int) -> float:
    """Events a second with one process per core, once they have started."""
    with store.read() as reader, several_processes(store.address, os.cpu_count() or 1) as begin:
        verify(reader, reader.tables()[0], begin=begin)
        began = time.perf_counter()
        assert verify(reader, begin=begin).events == events
        return events / (time.perf_counter() - began)


def played() -> list[Given]:
    """One shoe, from opening the table to its last round."""
    table, given = Table(BOOK), list[Given]()
    terms = replace(default_terms(BOOK), burn="none", source=SourceKind.ENTERED, maximum=None)
    cards = iter(shoe_order(fresh_seed("t1", 1), 8))

    def give(command: Command) -> None:
        nonlocal table
        step = act(table, command)
        assert not isinstance(step, Refusal), step
        table = step.table
        given.append(Given(command, step.events))

    give(OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms))
    give(LoadShoe(**DEALER))
    for box, player in enumerate(PLAYERS, 1):
        give(TakeSeat(actor=player, role=Role.PLAYER, box=box))
    while not is_shoe_finished(table.state):
        give(CallBets(**DEALER))
        for number in range(10):
            player, box = PLAYERS[number % 5], number % 5 + 1
            bet = PlaceBet(
                actor=player,
                role=Role.PLAYER,
                box=box,
                area=AREAS[(number + number // 5) % 3],
                amount=1_000,
                round=table.state.round,
                key=f"{table.state.round}-{number}",
            )
            give(bet)
        give(CloseBets(**DEALER))
        while table.state.phase is Phase.DEALING:
            give(DealCard(**DEALER, card=next(cards)))
        give(SettleRound(**DEALER))
    return given


def found(store: Store, shoe: list[Given]) -> int:
    """Write the shoe to as many tables as it takes; the number of tables."""
    desk, of_shoe = Desk(store), sum(len(given.events) for given in shoe)
    for player in PLAYERS:
        assert not isinstance(desk.open_account(StoredPerson(player), "USD", 0), Refusal)
        assert not isinstance(desk.buy_in(player, 10**15, Person("Cas", Role.CASHIER), 0), Refusal)
    with store.read() as reader:
        plays = stored_plays(reader, PLAYERS)
    count = max(1, round(EVENTS / of_shoe))
    for number in range(count):
        id, state, version = f"t{number}", State(), 0
        with store.write() as transaction:
            transaction.add_book(digest_of(BOOK), BOOK.name, book_document(BOOK))
            transaction.add_table(id, digest_of(BOOK), 0)
            for command, events in shoe:
                key = f"{id}-{command.key}" if command.key else None
                last, body = version + len(events), encode_command(command)
                transaction.add_command(StoredCommand(command.actor, key, body, id, last, version + 1, last))
                for record in transaction.append(id, version, events, key):
                    moved = movements_of(id, state, record.event)
                    transaction.post(moved, time_ms=0, table=id, seq=record.seq, actor=record.event.by)
                    follow(plays, moved)
                    state = record.event.fold(state)
                version = last
            keep_plays(transaction, plays)
    return count


def follow(plays: dict[str, PlayCount], movements: tuple[Movement, ...]) -> None:
    """Count what players play, as a floor does with every movement of their accounts."""
    for movement in movements:
        for posting in movement.postings:
            handle = posting.account.removeprefix("player/")
            if handle in plays:
                moved = AccountMovement(movement.kind, posting.amount, 0, movement.table, movement.round)
                plays[handle] = followed(plays[handle], moved, GamingDay().play_day)


if __name__ == "__main__":
    main()
