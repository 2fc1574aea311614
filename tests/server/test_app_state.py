"""The tray: commands of one turn of the loop go to the floor together, and each has its own answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import httpx
import pytest

from punto.floor.floor import TellAnswers
from punto.floor.job import Accepted, Job
from punto.rules.authority import Role
from punto.server import app_state
from punto.server.app_state import CommandQueue
from punto.store.connection import parse_address
from punto.store.errors import StoreError
from punto.store.store import connect_to
from punto.table.house import TakeSeat
from tests.server.running_floor import running_floor


class Counter:
    """A floor that answers when it is told to, from another thread."""

    def __init__(self) -> None:
        self.parcels: list[tuple[list[Job], TellAnswers]] = []
        self.is_closed = False

    def submit_all(self, jobs: Sequence[Job], tell: TellAnswers) -> None:
        if self.is_closed:
            raise StoreError("closing")
        self.parcels.append((list(jobs), tell))

    async def answer(self, outcome: Any) -> None:
        """Answer the first parcel."""
        jobs, answered = self.parcels.pop(0)
        await asyncio.to_thread(answered, [outcome(job) for job in jobs])


def seat(name: str) -> TakeSeat:
    return TakeSeat(actor=name, role=Role.PLAYER, box=1)


def accepted(job: Job) -> Accepted:
    return Accepted(job.table, int(job.command.actor), ())


def test_each_has_its_own_answer_and_those_of_one_turn_go_together() -> None:
    async def play() -> None:
        floor = Counter()
        queue = CommandQueue(floor)  # type: ignore[arg-type]
        first = [queue.give("t1", seat(str(n)), n) for n in range(5)]
        assert floor.parcels == [], "nothing is handed over before the turn is over"
        await asyncio.sleep(0)
        second = queue.give("t2", seat("7"))
        await asyncio.sleep(0)
        assert [[job.expected for job in jobs] for jobs, _ in floor.parcels] == [[0, 1, 2, 3, 4], [None]]
        await floor.answer(accepted)
        assert [(await answer).version for answer in first] == [0, 1, 2, 3, 4]  # type: ignore[union-attr]
        assert not second.done()
        await floor.answer(accepted)
        assert await second == Accepted("t2", 7, ())

    asyncio.run(play())


def test_an_error_goes_to_whom_it_belongs_and_who_has_gone_is_passed_over() -> None:
    def outcome(job: Job) -> Accepted | BaseException:
        return StoreError("no room") if job.command.actor == "1" else accepted(job)

    async def play() -> None:
        floor = Counter()
        queue = CommandQueue(floor)  # type: ignore[arg-type]
        answers = [queue.give("t1", seat(str(n))) for n in range(4)]
        await asyncio.sleep(0)
        answers[2].cancel()
        await floor.answer(outcome)
        assert (await answers[0], await answers[3]) == (Accepted("t1", 0, ()), Accepted("t1", 3, ()))
        with pytest.raises(StoreError, match="no room"):
            await answers[1]

    asyncio.run(play())


def test_a_floor_that_closes_leaves_nobody_without_an_answer() -> None:
    async def play() -> None:
        floor = Counter()
        floor.is_closed = True
        queue = CommandQueue(floor)  # type: ignore[arg-type]
        answers = [queue.give("t1", seat(str(n))) for n in range(3)]
        for found in await asyncio.gather(*answers, return_exceptions=True):
            assert isinstance(found, StoreError)

    asyncio.run(play())


def test_ready_means_that_the_database_can_be_written(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a real write: whoever holds what it needs, or reads only, makes it say no; then it says yes again."""
    monkeypatch.setattr(app_state, "CHECKED_S", 0.0)
    monkeypatch.setattr(app_state, "WRITING_S", 0.2)
    with running_floor(database, {}) as floor, closing(connect_to(parse_address(database), create=False)) as other:
        ready = f"{floor.url}/ready"
        assert httpx.get(ready).status_code == 200
        other.begin_write()
        other.run("DELETE FROM marks WHERE name = 'nothing'")
        if database.startswith("postgresql"):
            other.run("LOCK TABLE marks")
        try:
            assert httpx.get(ready).status_code == 503
            assert httpx.get(f"{floor.url}/health").status_code == 200
        finally:
            other.roll_back()
        while httpx.get(ready).status_code != 200:  # the check that waited is done
            pass
        monkeypatch.setattr(floor.app_state.writing, "_write", _cannot)
        assert httpx.get(ready).status_code == 503


def _cannot() -> None:
    raise StoreError("it is read-only")
