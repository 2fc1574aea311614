"""Group commit: many small commands share one transaction, and so one sync of the disk.

While a batch is being committed, whatever comes in waits and makes the next batch. A job is answered only
when its batch is safe. A batch that fails as a whole is undone and run again job by job, so that a job that
cannot be done takes nobody else with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Generic, TypeVar

from punto.store.errors import CommitUnknown, StoreError, StoreLocked
from punto.store.store import Store
from punto.store.transaction import Transaction

Job = TypeVar("Job")
Answer = TypeVar("Answer")

LARGEST = 1_000
"""Jobs in one batch: what waits longest for its answer is the first of a batch."""
TRIES = 3
"""How often a batch is tried that another program's locks stand in the way of."""


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
        self._waiting: SimpleQueue[tuple[Job, Future[Answer]] | None] = SimpleQueue()
        self._lock, self._is_closed = Lock(), False
        self._thread = Thread(target=self._work, name="punto-commit", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> Future[Answer]:
        """Hand in a job; its future has the answer once it is durable."""
        future: Future[Answer] = Future()
        with self._lock:
            if self._is_closed:
                raise StoreError("the store is closing and takes no more commands")
            self._waiting.put((job, future))
        return future

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
            entry = self._waiting.get()
            batch = []
            while entry is not None:
                if entry[1].set_running_or_notify_cancel():
                    batch.append(entry)
                if len(batch) >= self._largest:
                    break
                try:
                    entry = self._waiting.get_nowait()
                except Empty:
                    break
            is_open = entry is not None
            if batch:
                self._carry_out(batch)

    def _carry_out(self, batch: list[tuple[Job, Future[Answer]]]) -> None:
        """Every future of the batch gets its answer or its error."""
        jobs = [job for job, _ in batch]
        try:
            answers = self._run(jobs)
        except BaseException as error:
            # Where nobody knows whether the batch was kept, running it again could do it twice.
            if len(batch) == 1 or isinstance(error, CommitUnknown):
                for _, future in batch:
                    future.set_exception(error)
            else:
                for entry in batch:
                    self._carry_out([entry])
            return
        for (_, future), answer in zip(batch, answers, strict=True):
            future.set_result(answer)

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
