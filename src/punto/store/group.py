"""Group commit: many small commands share one transaction, and so one sync of the disk.

While a batch is being committed, whatever comes in waits and makes the next batch. A job is answered only
when its batch is safe. A batch that fails as a whole is undone and run again job by job, so that a job that
cannot be done takes nobody else with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Generic, TypeVar

from punto.store.errors import CommitUnknown, StoreError, StoreLocked
from punto.store.store import Store
from punto.store.transaction import Transaction

Job = TypeVar("Job")
Answer = TypeVar("Answer")

LARGEST = 1_000
"""Jobs in one batch, more only where they were handed in together: the first waits longest for its answer."""
TRIES = 3
"""How often a batch is tried that another program's locks stand in the way of."""


@dataclass(frozen=True, slots=True)
class _Parcel(Generic[Job, Answer]):
    """Jobs that were handed in together, and who is told what came of them."""

    jobs: Sequence[Job]
    answered: Callable[[Sequence[Answer | BaseException]], None]
    is_wanted: Callable[[], bool] = lambda: True
    """Asked once, when its turn comes."""


class GroupCommit(Generic[Job, Answer]):
    """A thread that carries out jobs in batches, each batch in one transaction.

    `run_batch` must leave nothing behind but what it writes into the transaction: it may be called again for
    the same jobs. `committed` is called after each commit, before anybody is answered.
    """

    def __init__(
        self,
        store: Store,
        run_batch: Callable[[Transaction, Sequence[Job]], Sequence[Answer]],
        *,
        committed: Callable[[], None] | None = None,
        largest: int = LARGEST,
    ) -> None:
        self._store, self._run_batch, self._largest = store, run_batch, largest
        self._committed = committed
        self._waiting: SimpleQueue[_Parcel[Job, Answer] | None] = SimpleQueue()
        self._lock, self._is_closed = Lock(), False
        self._thread = Thread(target=self._work, name="punto-commit", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> Future[Answer]:
        """Hand in a job; its future has the answer once it is durable."""
        future: Future[Answer] = Future()
        self._put(_Parcel([job], partial(_fulfil, future), future.set_running_or_notify_cancel))
        return future

    def submit_all(
        self, jobs: Sequence[Job], answered: Callable[[Sequence[Answer | BaseException]], None]
    ) -> None:
        """Hand in jobs that share a batch; `answered` gets the answer or the error of each, in their order.

        It is called in the thread that commits and must not fail.
        """
        self._put(_Parcel(jobs, answered))

    def _put(self, parcel: _Parcel[Job, Answer]) -> None:
        with self._lock:
            if self._is_closed:
                raise StoreError("the store is closing and takes no more commands")
            self._waiting.put(parcel)

    def close(self) -> None:
        """Carry out everything that was handed in, then stop."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        is_open = True
        while is_open:
            parcel = self._waiting.get()
            batch, size = list[_Parcel[Job, Answer]](), 0
            while parcel is not None:
                if parcel.is_wanted():
                    batch.append(parcel)
                    size += len(parcel.jobs)
                if size >= self._largest:
                    break
                try:
                    parcel = self._waiting.get_nowait()
                except Empty:
                    break
            is_open = parcel is not None
            if batch:
                self._carry_out(batch)

    def _carry_out(self, batch: list[_Parcel[Job, Answer]]) -> None:
        """Everybody who handed something in is told what came of it."""
        outcomes = self._outcomes([job for parcel in batch for job in parcel.jobs])
        start = 0
        for parcel in batch:
            end = start + len(parcel.jobs)
            parcel.answered(outcomes[start:end])
            start = end

    def _outcomes(self, jobs: Sequence[Job]) -> Sequence[Answer | BaseException]:
        """The answer of each job, or its error."""
        try:
            return self._run(jobs)
        except BaseException as error:
            # Where nobody knows whether the batch was kept, running it again could do it twice.
            if len(jobs) == 1 or isinstance(error, CommitUnknown):
                return [error] * len(jobs)
            return [outcome for job in jobs for outcome in self._outcomes([job])]

    def _run(self, jobs: Sequence[Job]) -> Sequence[Answer]:
        for left in reversed(range(TRIES)):
            try:
                with self._store.write() as transaction:
                    answers = self._run_batch(transaction, jobs)
                    assert len(answers) == len(jobs), "every job has an answer"
            except StoreLocked:
                if not left:
                    raise
            else:
                if self._committed is not None:
                    self._committed()
                return answers
        raise AssertionError("the last try returns or raises")


def _fulfil(future: Future[Answer], outcomes: Sequence[Answer | BaseException]) -> None:
    [outcome] = outcomes
    if isinstance(outcome, BaseException):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
