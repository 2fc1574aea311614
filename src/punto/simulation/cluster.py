"""Batches on a cluster of machines through Dask distributed.

A batch is a pure function of its shoes, so a worker that dies changes nothing: the scheduler gives its batches to
another one, and they come out the same. Dask is an extra (`punto[cluster]`), loaded only when asked for.
"""

from __future__ import annotations

import asyncio
import logging
import time
from importlib import import_module
from typing import Any, Generic

from punto.simulation.own_strategy import StrategyFault
from punto.simulation.run import Pending, PlayedT, Work

BATCH_SHOES = 131_072  # About a tenth of a second for one core: sending it off costs a few thousandths.
LOCAL = "local"
CONNECT_SECONDS = 5
WORKER_SECONDS = 30  # How long a run waits for a cluster that has lost all its workers: others may be on their way.
RETRIES = 3  # Of a batch that failed; one whose worker died is not a failure and is given to another in any case.


class NoCluster(Exception):
    """The cluster cannot be used: why, in one sentence."""


def _answers(dask: Any, address: str) -> bool:
    """Whether a scheduler speaks at an address such as `tcp://host:8786` or `host:8786`. Asked by hand: a client of
    Dask that got no answer leaves threads behind that keep the process from ending, and something that only listens
    would keep it waiting for good."""

    async def ask() -> bool:
        async with dask.rpc(address, timeout=CONNECT_SECONDS) as scheduler:
            return bool((await scheduler.identity())["type"] == "Scheduler")

    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        return False
    try:
        return asyncio.run(asyncio.wait_for(ask(), CONNECT_SECONDS))
    except Exception:  # whatever else may listen there, a scheduler does not
        return False


class Cluster:
    """The workers of a Dask scheduler, or as many processes on this machine as it has cores."""

    def __init__(self, address: str, cores: int) -> None:
        try:
            dask: Any = import_module("distributed")
        except ImportError:
            raise NoCluster("a cluster needs Dask, which is not installed; install punto[cluster]") from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # one sentence says what matters
        self.batch_shoes = BATCH_SHOES
        self._own: Any = None
        if address != LOCAL and not _answers(dask, address):
            raise NoCluster(f"no cluster answers at {address}")
        try:
            if address == LOCAL:
                self._own = dask.LocalCluster(
                    n_workers=cores, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
                )
            self._client = dask.Client(self._own or address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError):
            raise NoCluster(f"no cluster answers at {address}") from None
        self._address = address
        self._heard = time.monotonic()  # When the cluster was last known to have workers.
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            self.close()
            raise NoCluster(f"the cluster at {address} has no workers") from None
        self.ahead = 4 * max(1, sum(self._client.nthreads().values()))

    def submit(self, work: Work[PlayedT], first: int, shoes: int) -> Pending[PlayedT]:
        return _Sent(self, self._client.submit(work.play, first, shoes, pure=False, retries=RETRIES))

    def expect_workers(self) -> None:
        """`NoCluster` if there have been no workers for a while: a batch would never come back. A worker that plays is
        heard of, however long its batch takes."""
        try:
            workers = self._client.sync(self._client.scheduler.ncores, callback_timeout=CONNECT_SECONDS)
        except Exception:  # the scheduler is silent or gone
            workers = {}
        if workers:
            self._heard = time.monotonic()
        elif time.monotonic() - self._heard > WORKER_SECONDS:
            raise NoCluster(f"the cluster at {self._address} has had no workers for {WORKER_SECONDS} seconds")

    def play(self, work: Work[PlayedT], first: int, shoes: int, last_rounds: int | None = None) -> PlayedT:
        return work.play(first, shoes, last_rounds)

    def close(self) -> None:
        """Leave the cluster; one of our own is taken down."""
        self._client.close(timeout=CONNECT_SECONDS)
        if self._own is not None:
            self._own.close()


class _Sent(Generic[PlayedT]):
    def __init__(self, cluster: Cluster, future: Any) -> None:
        self._cluster, self._future = cluster, future

    def result(self) -> PlayedT:
        while True:
            try:
                played: PlayedT = self._future.result(timeout=CONNECT_SECONDS)
                return played
            except StrategyFault:
                raise
            except TimeoutError as error:
                if self._future.status == "error":  # the batch timed out by itself
                    raise _not_played(error) from error
            except Exception as error:
                raise _not_played(error) from error
            self._cluster.expect_workers()

    def cancel(self) -> None:
        self._future.cancel()


def _not_played(error: Exception) -> NoCluster:
    return NoCluster(f"the cluster could not play: {type(error).__name__}: {error}")
