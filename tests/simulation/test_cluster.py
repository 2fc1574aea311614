"""A cluster: a real scheduler and two worker processes over TCP, one of which is killed in mid-run."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from punto.books import load
from punto.simulation.cluster import Cluster, NoCluster
from punto.simulation.deals import Batch, ShoeTerms
from punto.simulation.run import Tally, Threads, deals_of, sums
from punto.simulation.sessions import Sessions, SessionTally
from punto.simulation.strategy import Progression, Strategy

ROUNDS = 40_000_000

SCHEDULER = """
import asyncio
from distributed import Scheduler
async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False, dashboard_address=":0") as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
asyncio.run(main())
"""
WORKER = """
import asyncio, sys
from distributed import Worker
async def main():
    async with Worker(sys.argv[1], nthreads=1, dashboard=False) as worker:
        print("ready", flush=True)
        await worker.finished()
asyncio.run(main())
"""


class Machines:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, stack: ExitStack, workers: int = 2) -> None:
        self._stack = stack
        self.scheduler, self.address = self._start(SCHEDULER)
        self.workers = [self._start(WORKER, self.address)[0] for _ in range(workers)]

    def _start(self, program: str, *arguments: str) -> tuple[subprocess.Popen[str], str]:
        process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._stack.enter_context(process)
        self._stack.callback(process.kill)
        assert process.stdout is not None
        return process, process.stdout.readline().strip()


@pytest.fixture
def machines() -> Iterator[Machines]:
    with ExitStack() as stack:
        yield Machines(stack)


def last(start: Any, hands: Any, rounds: int = ROUNDS) -> Any:
    *_, total = sums(start, rounds, hands)
    hands.close()
    return total


@pytest.mark.slow
def test_a_killed_worker_changes_nothing(machines: Machines) -> None:
    deals = deals_of(load("commission"), ShoeTerms(), 31)
    assert machines.address.startswith("tcp://127.0.0.1:")
    cluster = Cluster(machines.address, 1)
    cluster.batch_shoes = 4096
    start = Tally.empty(deals)
    totals = sums(start, ROUNDS, cluster)
    begun = [next(totals) for _ in range(5)]
    machines.workers[0].kill()
    assert begun[-1].rounds < ROUNDS / 2, "there is still most of the run to play"
    *_, tally = totals
    cluster.close()
    alone = last(start, Threads(2))
    assert tally.rounds == ROUNDS
    assert all((tally.arrays()[name] == alone.arrays()[name]).all() for name in alone.arrays())


@pytest.mark.slow
def test_a_strategy_on_a_cluster(machines: Machines) -> None:
    book = load("commission")
    strategy = Strategy(stakes={"banker": 100}, progression=Progression.MARTINGALE, bankroll=5000)
    sessions = Sessions(deals_of(book, ShoeTerms(), 1), book, strategy)
    cluster, threads = Cluster(machines.address, 1), Threads(2)
    cluster.batch_shoes = threads.batch_shoes = sessions.batch_shoes
    start = SessionTally.empty(sessions)
    # Here first: what was compiled once is on disk, and the workers find it there.
    here, there = last(start, threads, 2_000_000), last(start, cluster, 2_000_000)
    assert all((there.arrays()[name] == here.arrays()[name]).all() for name in here.arrays())


@pytest.mark.slow
def test_work_that_fails_is_told_in_one_sentence(machines: Machines) -> None:
    class Broken:
        least_rounds = together = 1

        def play(self, first: int, shoes: int, last_rounds: int | None = None) -> Batch:
            raise ValueError(f"no shoe {first} of {shoes} to {last_rounds}")

    cluster = Cluster(machines.address, 1)
    with pytest.raises(NoCluster, match="the cluster could not play: ValueError: no shoe 5"):
        cluster.submit(Broken(), 5, 2).result()
    cluster.close()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "127.0.0.1", ":", "127.0.0.1:99999"])
def test_nobody_answers(address: str) -> None:
    with pytest.raises(NoCluster, match=f"no cluster answers at {address}"):
        Cluster(address, 1)


@pytest.mark.slow
def test_what_only_listens_is_no_cluster() -> None:
    """Something takes the connection and never says a word: one sentence, and no thread stays behind."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        before = threading.active_count()
        with pytest.raises(NoCluster, match=f"no cluster answers at {address}"):
            Cluster(address, 1)
        assert threading.active_count() == before


@pytest.mark.slow
def test_a_scheduler_without_workers_is_told() -> None:
    with ExitStack() as stack:
        machines = Machines(stack, workers=0)
        with pytest.raises(NoCluster, match=f"the cluster at {machines.address} has no workers"):
            Cluster(machines.address, 1)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["every worker is gone", "the scheduler says nothing more"])
def test_a_cluster_that_stops_answering_ends_the_run(
    machines: Machines, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    cluster = Cluster(machines.address, 1)
    cluster.batch_shoes = 1024
    totals = sums(Tally.empty(deals_of(load("commission"), ShoeTerms(), 31)), 10**12, cluster)
    next(totals)
    monkeypatch.setattr("punto.simulation.cluster.CONNECT_SECONDS", 1)  # only now: who is there has time to answer
    monkeypatch.setattr("punto.simulation.cluster.WORKER_SECONDS", 2)
    if how == "every worker is gone":
        for worker in machines.workers:
            worker.kill()
    else:
        machines.scheduler.send_signal(signal.SIGSTOP)
    with pytest.raises(NoCluster, match=f"{machines.address} has had no workers for 2 seconds"):
        list(totals)
    cluster.close()


def test_batches_travel_whole() -> None:
    import pickle

    batch = deals_of(load("ez"), ShoeTerms(), 1).play(0, 3)
    back = pickle.loads(pickle.dumps(batch))
    assert isinstance(back, Batch)
    assert (back.histogram == batch.histogram).all()
