"""Keeping leases: a server says every second that it is there, has its share of the automatic tables run by its
house, and reads the clock of the database, which is the clock of the house.

What a server holds it holds for a few seconds after it last said so, by a clock of its own that nobody puts. One that
was held up for longer (stopped, swapped out, cut off from the database) finds that out by itself and deals nothing
until it has asked again; what it sends nevertheless is decided on the table as it is then.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from punto.store import lease
from punto.store.errors import StoreError
from punto.store.lease import BEAT_S, LEASE_MS, RunningServer, Standing, database_time
from punto.store.notice import NoticeKind
from punto.store.pit import stored_runs
from punto.store.store import Store

AUTOMATIC_RUN = "automatic"  # Who deals at a table that needs a lease, as its row says.
_log = logging.getLogger("punto.house")

Hold = Callable[[Collection[str]], Awaitable[None]]
Problems = Callable[[], Mapping[str, str | None]]


def machine_ms() -> int:
    return time.time_ns() // 1_000_000


class LeaseKeeper:
    def __init__(
        self,
        store: Store,
        name: str,
        machine: Callable[[], int] = machine_ms,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """For a server of this name, with the clock of its machine and one that only goes on."""
        self._store, self._name, self._machine, self._monotonic = store, name, machine, monotonic
        self.url = ""  # Where it is reached, for people.
        self._hold: Hold = _hold_nothing
        self._problems: Problems = dict
        self._standing = Standing(0, (), ())
        self._held: frozenset[str] = frozenset()
        self._until = 0.0  # Until when what it holds is its own.
        self._offset_ms = 0  # How far the clock of the database is ahead of that of the machine.
        self._hurried: asyncio.Event | None = None
        self._is_leaving = False
        self._is_troubled = False
        self._thread = ThreadPoolExecutor(1, "punto-lease")
        """Its own: whoever else waits for the database does not delay a beat."""
        self.read_clock()

    def attach(self, hold: Hold, problems: Problems) -> None:
        """Have these told what to run, and asked what stands still."""
        self._hold, self._problems = hold, problems

    def time(self) -> int:
        """The time of the database, as well as this machine knows it, in milliseconds."""
        return self._machine() + self._offset_ms

    def read_clock(self) -> None:
        with self._store.read() as reader:
            before = self._machine()
            now = database_time(reader)
            self._offset_ms = now - (before + self._machine()) // 2

    def holds(self, table: str) -> bool:
        """Whether this server deals at a table; from any thread."""
        return table in self._held and self._monotonic() < self._until

    def held(self) -> frozenset[str]:
        """Everything that this server may run now."""
        return self._held if self._monotonic() < self._until else frozenset()

    @property
    def standing(self) -> Standing:
        """How things stood at the last beat."""
        return self._standing

    @property
    def others(self) -> tuple[RunningServer, ...]:
        """The other servers of the house that are there."""
        return tuple(server for server in self._standing.servers if server.name != self._name)

    def problem_of(self, table: str) -> str | None:
        """Why the dealer of a table cannot go on, as whoever deals there says."""
        return next((each.problem for each in self._standing.leases if each.table == table), None)

    def hurry(self) -> None:
        """Something may be free, or too much: do not wait for the next second. On the loop."""
        if self._hurried is not None:
            self._hurried.set()

    def beat(self) -> None:
        """Say that this server is there, and have its share."""
        began = self._monotonic()
        with self._store.write() as transaction:
            transaction.connection.without_waiting()
            runs = stored_runs(transaction)
            tables = [table for table, run in runs.items() if run["dealer"] == AUTOMATIC_RUN]
            before = self._machine()
            standing = lease.beat(transaction, self._name, self.url, tables, self._problems())
            if standing.share.given_up:
                transaction.tell(NoticeKind.LEASES, "")
        self._offset_ms = standing.now - before
        self._standing = standing
        self._held, self._until = standing.held_by(self._name), began + LEASE_MS / 1000

    def leave(self) -> None:
        """Give everything up at once; others are told."""
        self._held = frozenset()
        with self._store.write() as transaction:
            transaction.connection.without_waiting()
            if lease.leave(transaction, self._name):
                transaction.tell(NoticeKind.LEASES, "")

    async def keep_running(self) -> None:
        """Until cancelled, or until it leaves."""
        self._hurried = asyncio.Event()
        while not self._is_leaving:
            try:
                await asyncio.get_running_loop().run_in_executor(self._thread, self.beat)
                self._is_troubled = False
            except StoreError as error:
                if not self._is_troubled:
                    _log.warning("the other servers cannot be told that this one is there: %s", error)
                self._is_troubled = True
            except Exception:
                _log.exception("leases are looked at again")
            try:
                if not self._is_leaving:
                    await self._hold(self.held())
            except StoreError as error:
                _log.warning("a table could not be read that this server deals at: %s", error)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurried.wait(), BEAT_S)
            self._hurried.clear()

    async def hand_over(self) -> None:
        """The server stops: others deal from now on. A database that cannot be reached does not keep it."""
        if self._is_leaving:
            return
        self._is_leaving = True
        self.hurry()
        await self._hold(())
        try:
            await asyncio.to_thread(self.leave)
        except StoreError as error:
            _log.warning("the tables could not be handed over: %s", error)
        self._thread.shutdown(wait=False)


async def _hold_nothing(_: Collection[str]) -> None:
    """Before there is a house."""
