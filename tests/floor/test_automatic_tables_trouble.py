"""A table where the dealer is refused, or the database fails: it tries again, and the log is told once."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future
from itertools import count
from typing import Any

import pytest

from punto.floor import automatic_tables
from punto.floor.automatic_tables import AutomaticPlace
from punto.floor.automatic_tables import House as RunningHouse
from punto.floor.floor import DealtBy, Floor, TableRun
from punto.floor.job import Accepted
from punto.refusal import Reason, Refusal
from punto.store.errors import DiskFull
from punto.store.store import Store
from tests.floor.clockwork import database  # noqa: F401 - a fixture
from tests.floor.house import House
from tests.floor.test_automatic_tables import AUTOMATIC, FAST, Watched, now, stopped

TRIES = 6
REFUSED = Refusal(Reason.SEED_LOCKED, None, {"shoe": 1, "why": "there is no key"})
FULL = DiskFull("there is no room left on the disk")


def test_whoever_is_refused_again_waits_twice_as_long() -> None:
    loaded: Any = None
    place = AutomaticPlace(TableRun(DealtBy.AUTOMATIC), loaded, 0)
    waits = []
    for _ in range(8):
        place.refused += 1
        waits.append(place.retry_ms)
    assert waits == [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 64_000, 64_000]


@pytest.mark.parametrize("trouble", [REFUSED, FULL])
def test_what_fails_again_and_again_is_logged_once(
    store: Store, trouble: Refusal | DiskFull, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    numbers, real = count(1), Floor.submit_step

    def submit_step(floor: Floor, table: str, decide: Any) -> Future[Accepted | Refusal]:
        if next(numbers) > TRIES:
            return real(floor, table, decide)
        answer: Future[Accepted | Refusal] = Future()
        if isinstance(trouble, Refusal):
            answer.set_result(trouble)
        else:
            answer.set_exception(trouble)
        return answer

    async def play(floor: Floor) -> None:
        running, watched = RunningHouse(floor, now, FAST), Watched(floor)
        running.run_table("a", AUTOMATIC)
        task = asyncio.create_task(running.run())
        await watched.rounds(1, "a")
        assert running.problem_of("a") is None
        await stopped(task)

    monkeypatch.setattr(Floor, "submit_step", submit_step)
    monkeypatch.setattr(automatic_tables, "RETRY_MS", 1)
    with House(store) as made, caplog.at_level(logging.WARNING, "punto.house"):
        made.open("a", "ez")
        asyncio.run(play(made.floor))
    assert next(numbers) > TRIES + 1
    told = [record.getMessage() for record in caplog.records if record.name == "punto.house"]
    assert len(told) == 1 and "table a: " in told[0]
    assert ("refused" if isinstance(trouble, Refusal) else "no room left") in told[0]
