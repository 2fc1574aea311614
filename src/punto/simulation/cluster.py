"""Batches on a cluster of machines through Dask distributed.

A batch is a pure function of its shoes, so a worker that dies changes nothing: the scheduler gives its
batches to another one, and they come out the same. Dask is an extra (`punto[cluster]`), loaded only when
asked for.
"""

from __future__ import annotations

import logging
import socket
from importlib import import_module
from typing import Any, Generic

from punto.simulation.run import Pending, PlayedT, Work
from punto.simulation.strategy.own_source import StrategyFault

BATCH_SHOES = 131_072
"""About a tenth of a second for one core: sending it off costs a few thousandths."""
LOCAL = "local"
CONNECT_SECONDS = 5
RETRIES = 3
"""Of a batch that failed; one whose worker died is not a failure and is given to another in any case."""


class NoCluster(Exception):
    """The cluster cannot be used: why, in one sentence."""


def _answers(address: str) -> bool:
    """Whether anything listens at an address such as `tcp://host:8786` or `host:8786`."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        return False
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()
    except OSError:
        return False
    return True


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
        if address != LOCAL and not _answers(address):
            # Dask would try too, but what it leaves behind keeps the process from ending.
            raise NoCluster(f"no cluster answers at {address}")
        try:
            if address == LOCAL:
                self._own = dask.LocalCluster(
                    n_workers=cores,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
            self._client = dask.Client(self._own or address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError):
            raise NoCluster(f"no cluster answers at {address}") from None
        self.ahead = 4 * max(1, sum(self._client.nthreads().values()))

    def submit(self, work: Work[PlayedT], first: int, shoes: int) -> Pending[PlayedT]:
        how = {"pure": False, "retries": RETRIES}
        return _Sent(self._client.submit(_play, work, first, shoes, **how))

    def play(self, work: Work[PlayedT], first: int, shoes: int, last_rounds: int | None = None) -> PlayedT:
        return work.play(first, shoes, last_rounds)

    def close(self) -> None:
        """Leave the cluster; one of our own is taken down."""
        self._client.close()
        if self._own is not None:
            self._own.close()


class _Sent(Generic[PlayedT]):
    """A batch that was sent off."""

    def __init__(self, future: Any) -> None:
        self._future = future

    def result(self) -> PlayedT:
        try:
            played: PlayedT = self._future.result()
        except StrategyFault:
            raise
        except Exception as error:
            raise NoCluster(f"the cluster could not play: {type(error).__name__}: {error}") from error
        return played

    def cancel(self) -> None:
        self._future.cancel()


def _play(work: Work[PlayedT], first: int, shoes: int) -> PlayedT:
    return work.play(first, shoes)
