"""How tables are run is kept on every database, and tables deal by themselves on each."""

from __future__ import annotations

import asyncio
import time

import pytest

from punto.floor.automatic_tables import House as RunningHouse
from punto.floor.floor import DealtBy, TableRun, keep_table_run, pace_of_seconds, table_run, table_runs
from punto.store.store import Store
from tests.floor.house import House
from tests.floor.ledger_check import check_store
from tests.floor.test_automatic_tables import AUTOMATIC, FAST, Watched, stopped


@pytest.mark.usefixtures("house")
def test_a_run_is_kept(store: Store) -> None:
    run = TableRun(DealtBy.AUTOMATIC, pace_of_seconds(3), ("Amber", "Birch"))
    with store.write() as transaction:
        keep_table_run(transaction, "t1", TableRun(DealtBy.AUTOMATIC), "house", 0)
        keep_table_run(transaction, "t1", run, "house", 0)
    with store.read() as reader:
        assert table_run(reader, "t1") == run
        assert table_runs(reader) == {"t1": run}
        assert table_run(reader, "other") == TableRun(DealtBy.PERSON)


@pytest.mark.slow
def test_a_table_deals_by_itself(house: House) -> None:
    async def play() -> None:
        running = RunningHouse(house.floor, lambda: time.time_ns() // 1_000_000, FAST)
        watched = Watched(house.floor)
        assert running.run_table("t1", AUTOMATIC) is None
        task = asyncio.create_task(running.run())
        await watched.rounds(2, "t1")
        await stopped(task)

    asyncio.run(play())
    check_store(house.store)
