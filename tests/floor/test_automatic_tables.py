"""The house by the real clock: tables deal by themselves, and go on where another process stopped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from punto.dealer.bot import BOTS
from punto.floor.automatic_tables import House as RunningHouse
from punto.floor.floor import DealtBy, Floor, TableRun, pace_of_seconds
from punto.floor.loaded_table import Change
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from punto.table.betting import BetPlaced, PlaceBet
from punto.table.house import CardsBurned, LoadShoe
from punto.table.settlement import RoundSettled
from tests.floor.clockwork import database  # noqa: F401 - a fixture
from tests.floor.house import KEY, House
from tests.floor.ledger_check import check_store

FAST = pace_of_seconds(0.05)
ANN: Any = {"actor": "Ann", "role": Role.PLAYER, "box": 1}
AUTOMATIC = TableRun(DealtBy.AUTOMATIC, bots=tuple(BOTS)[:3])


def now() -> int:
    return time.time_ns() // 1_000_000


class Watched:
    """Waits for events at the tables of a floor, without ever looking at a clock."""

    def __init__(self, floor: Floor) -> None:
        self.settled: dict[str, int] = {}
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        floor.subscribe(self._told)

    def _told(self, changes: Sequence[Change]) -> None:
        rounds = [
            (change.table, sum(isinstance(record.event, RoundSettled) for record in change.records))
            for change in changes
        ]
        self._loop.call_soon_threadsafe(self._count, rounds)

    def _count(self, rounds: list[tuple[str, int]]) -> None:
        for table, number in rounds:
            self.settled[table] = self.settled.get(table, 0) + number
        self._changed.set()

    async def rounds(self, number: int, *tables: str) -> None:
        async with asyncio.timeout(60):
            while not all(self.settled.get(table, 0) >= number for table in tables):
                self._changed.clear()
                await self._changed.wait()


async def stopped(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def test_tables_deal_by_themselves_and_bots_buy_their_own_chips(store: Store) -> None:
    async def play(house: House) -> None:
        running, watched = RunningHouse(house.floor, now, FAST), Watched(house.floor)
        for table in ("a", "b"):
            assert running.run_table(table, AUTOMATIC) is None
        task = asyncio.create_task(running.run())
        await watched.rounds(3, "a", "b")
        assert running.pace_of("a") == FAST and running.pace_of("idle") is None
        assert running.problem_of("a") is None
        await stopped(task)

    with House(store) as house:
        for table in ("a", "b", "idle"):
            house.open(table, "insurance" if table == "b" else "commission")
        asyncio.run(play(house))
        assert house.version("idle") == 1
        with store.read() as reader:
            assert {account.handle for account in reader.accounts()} == set(AUTOMATIC.bots)
            bets = [r for r in reader.records("a") if isinstance(r.event, BetPlaced)]
        assert bets
    check_store(store)


@pytest.mark.gli("2.2.1")
def test_tables_go_on_where_the_clock_of_the_machine_was_put_back(store: Store) -> None:
    """In mid-round, and once more before another process takes over."""
    back = 0

    def put_back() -> int:
        return now() - back

    async def play(house: House) -> None:
        nonlocal back
        for _ in range(2):
            running, watched = RunningHouse(house.floor, put_back, FAST), Watched(house.floor)
            running.run_table("a", AUTOMATIC)
            task = asyncio.create_task(running.run())
            await watched.rounds(1, "a")
            back += 3_600_000
            await watched.rounds(3, "a")
            await stopped(task)
            back += 3_600_000

    with House(store) as house:
        house.open("a", "insurance")
        asyncio.run(play(house))
    check_store(store)


def test_a_damaged_table_stands_still_alone(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    async def play(house: House) -> None:
        running, watched = RunningHouse(house.floor, now, FAST), Watched(house.floor)
        task = asyncio.create_task(running.run())
        await watched.rounds(1, "whole")
        await stopped(task)

    with House(store) as house:
        for table, book in (("damaged", "ez"), ("whole", "commission")):
            house.open(table, book)
            RunningHouse(house.floor, now, FAST).run_table(table, AUTOMATIC)
    with store.write() as transaction:
        assert transaction.connection.run("UPDATE books SET document = '{}' WHERE name = 'ez'") == 1
    with House(store) as house:
        asyncio.run(play(house))
    told = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(told) == 1 and told[0].startswith("table damaged is damaged and stands still: ")


def test_a_crowd_of_bets_does_not_hold_the_dealer_up(store: Store) -> None:
    """While somebody bets as fast as the floor answers, every round still closes and is settled."""

    async def play(house: House) -> int:
        running, watched = RunningHouse(house.floor, now, FAST), Watched(house.floor)
        running.run_table("t1", TableRun(DealtBy.AUTOMATIC))
        task = asyncio.create_task(running.run())
        answered = 0

        async def bet() -> None:
            nonlocal answered
            while True:
                number = house.floor._memory.tables["t1"].table.state.round
                waiting = [
                    asyncio.wrap_future(
                        house.floor.submit(
                            "t1",
                            PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=1_000, round=number),
                        )
                    )
                    for _ in range(20)
                ]
                answered += len(await asyncio.gather(*waiting))

        crowd = asyncio.create_task(bet())
        await watched.rounds(3, "t1")
        await stopped(crowd)
        await stopped(task)
        return answered

    with House(store) as house:
        house.open("t1", "commission", maximum=None)
        house.buy_in("Ann", 10**12)
        house.seat("Ann")
        assert asyncio.run(play(house)) > 100
        with store.read() as reader:
            refused = [command for command in reader.commands("t1") if command.refusal is not None]
            assert not any(command.actor == "the dealer" for command in refused)
    check_store(store)


def test_a_table_can_be_given_to_a_person_and_back(store: Store) -> None:
    async def play(house: House) -> None:
        running, watched = RunningHouse(house.floor, now, FAST), Watched(house.floor)
        task = asyncio.create_task(running.run())
        assert await asyncio.to_thread(running.run_table, "t1", AUTOMATIC) is None
        await watched.rounds(1, "t1")
        assert await asyncio.to_thread(running.run_table, "t1", TableRun(DealtBy.PERSON)) is None
        assert running.pace_of("t1") is None
        assert await asyncio.to_thread(running.run_table, "t1", AUTOMATIC) is None
        await watched.rounds(watched.settled["t1"] + 1, "t1")
        assert isinstance(await asyncio.to_thread(running.run_table, "none", AUTOMATIC), Refusal)
        await stopped(task)

    with House(store) as house:
        house.open("t1", "commission")
        asyncio.run(play(house))


def test_a_table_that_is_given_to_the_house_while_it_starts_is_not_forgotten(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house reads how tables are run; the order comes after the reading and before its answer."""

    async def play(house: House) -> None:
        running, watched = RunningHouse(house.floor, now, FAST), Watched(house.floor)
        read = running._stored_runs

        def read_and_be_late() -> dict[str, TableRun]:
            known = read()
            assert running.run_table("t1", AUTOMATIC) is None
            return known

        monkeypatch.setattr(running, "_stored_runs", read_and_be_late)
        task = asyncio.create_task(running.run())
        await watched.rounds(1, "t1")
        assert running.pace_of("t1") == FAST
        await stopped(task)

    with House(store) as house:
        house.open("t1", "commission")
        asyncio.run(play(house))


@pytest.mark.slow
def test_another_process_goes_on_in_mid_round(tmp_path: Path) -> None:
    """The floor is given up at any moment, whatever is on the table; the next one takes it from there."""
    url = str(tmp_path / "house.db")
    with open_store(url) as store, House(store) as house:
        house.open("t1", "insurance")
        RunningHouse(house.floor, now, FAST).run_table("t1", AUTOMATIC)
    phases = set()
    for change in range(8):

        async def play(house: House, steps: int) -> None:
            watched, enough = 0, asyncio.Event()
            loop = asyncio.get_running_loop()

            def count(_: Sequence[Change]) -> None:
                nonlocal watched
                watched += 1
                if watched >= steps:
                    loop.call_soon_threadsafe(enough.set)

            house.floor.subscribe(count)
            task = asyncio.create_task(RunningHouse(house.floor, now, FAST).run())
            async with asyncio.timeout(60):
                await enough.wait()
            await stopped(task)

        with open_store(url) as store, House(store, seal=Seal(KEY)) as house:
            asyncio.run(play(house, 5 + change))
            phases.add(house.table().state.phase)
            check_store(store)
    assert len(phases) > 1, "it stopped in the middle of things"


def test_the_time_to_add_bytes_goes_on_in_another_process(store: Store) -> None:
    """A shoe was loaded half an hour ago and the process killed: nobody waits for bytes once more."""
    slow = replace(FAST, rounds=1_800_000)

    async def play(house: House) -> None:
        began = now()
        loading = LoadShoe(actor="the dealer", role=Role.DEALER, time=began - 1_800_000)
        assert not isinstance(house.floor.give("t1", loading, house.version("t1")), Refusal)
        burned = asyncio.Event()
        loop = asyncio.get_running_loop()

        def told(changes: Sequence[Change]) -> None:
            if any(isinstance(r.event, CardsBurned) for change in changes for r in change.records):
                loop.call_soon_threadsafe(burned.set)

        house.floor.subscribe(told)
        running = RunningHouse(house.floor, now, slow)
        assert running.run_table("t1", TableRun(DealtBy.AUTOMATIC)) is None
        task = asyncio.create_task(running.run())
        async with asyncio.timeout(60):
            await burned.wait()
        await stopped(task)

    with House(store) as house:
        house.open("t1", "commission")
        house.seat("Ann")
        asyncio.run(play(house))
