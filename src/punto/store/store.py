"""A store: the database of a house, opened once and shared by its threads. `read` gives one consistent view,
`write` a transaction; with a group commit many small commands share one transaction, and so one sync of
the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Generic, TypeVar

from punto.store.connection import Address, Connection, DatabaseKind, parse_address
from punto.store.errors import CommitUnknown, NotOurs, SchemaUnknown, StoreError, StoreLocked
from punto.store.migration import MARK, UNRELEASED, make_newest, revisions, upgrade
from punto.store.notice import Notice
from punto.store.reader import Reader
from punto.store.server_lock import check_not_in_use
from punto.store.sqlite import MEMORY, SqliteConnection
from punto.store.transaction import Transaction

if TYPE_CHECKING:
    from punto.store.postgres import PostgresConnection

    AnyConnection = SqliteConnection | PostgresConnection


class Store:
    def __init__(self, address: Address, first: AnyConnection) -> None:
        self.address = address
        self._free = [first]
        self._used = 0  # Connections that somebody has just now.
        self._lock = Lock()
        self._is_closed = False
        self.server = ""
        """The name of the server that has it open, as others know it."""
        self.tell: Callable[[Sequence[Notice]], None] | None = None
        """Is told after each commit what other servers should look at; in the thread that committed."""

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """Read one consistent view of everything."""
        with self.connection() as connection:
            connection.begin_read()
            try:
                yield Reader(connection)
            finally:
                connection.roll_back()

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """Write: all of it is kept when this ends, or nothing if it ends with an error."""
        check_not_in_use(self.address)
        with self.connection() as connection:
            connection.begin_write(self.server)
            try:
                transaction = Transaction(connection, self.server)
                yield transaction
                transaction.finish()
                connection.commit()
            except BaseException:
                connection.roll_back()
                raise
        if self.tell is not None and (notices := transaction.notices()):
            self.tell(notices)

    @property
    def connections(self) -> tuple[int, int]:
        """How many connections are free, and how many are in use."""
        return len(self._free), self._used

    def close(self) -> None:
        """Give every connection back; what is in use is given back when it is done."""
        with self._lock:
            self._is_closed = True
            free, self._free = self._free, []
        for connection in free:
            connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def connection(self) -> Iterator[AnyConnection]:
        with self._lock:
            assert not self._is_closed, "the store is open"
            free = self._free.pop() if self._free else None
            self._used += 1
        try:
            with self._lent(free) as connection:
                yield connection
        finally:
            with self._lock:
                self._used -= 1

    @contextmanager
    def _lent(self, free: AnyConnection | None) -> Iterator[AnyConnection]:
        if free is not None and not free.is_alive():
            free.close()
            free = None
        connection = free or connect_to(self.address, create=False)
        try:
            yield connection
        finally:
            with self._lock:
                is_kept = connection.is_alive() and not self._is_closed
                if is_kept:
                    self._free.append(connection)
            if not is_kept:
                connection.close()
                self._forget_lost(connection)

    def _forget_lost(self, lost: AnyConnection) -> None:
        """Where one connection was lost, those that nobody uses are most likely lost too: others are made."""
        if not lost.is_lost:
            return
        with self._lock:
            free, self._free = self._free, []
        for connection in free:
            connection.close()


def open_store(url: str | Address, *, create: bool = True) -> Store:
    """Open a database by its address; make it where there is none, unless told not to.

    A database of an earlier version is brought up to date. Whatever is wrong is a `StoreError` that says so
    in one sentence.
    """
    address = url if isinstance(url, Address) else parse_address(url)
    connection = connect_to(address, create=create)
    try:
        bring_up_to_date(connection, address)
        return Store(address, connection)
    except BaseException:
        connection.close()
        raise


def store_in_memory() -> Store:
    """A store that is gone when it is closed, for one thread: its one connection is lent to one at a time."""
    connection = SqliteConnection(MEMORY)
    make_newest(connection, DatabaseKind.SQLITE)
    return Store(Address(DatabaseKind.SQLITE, str(MEMORY)), connection)


def connect_to(address: Address, *, create: bool) -> AnyConnection:
    if address.kind is DatabaseKind.SQLITE:
        return SqliteConnection(address.path, create=create)
    from punto.store.postgres import PostgresConnection  # psycopg is loaded where there is a server

    return PostgresConnection(address)


def bring_up_to_date(connection: AnyConnection, address: Address) -> None:
    """Make the newest schema where there is none, or bring an older one to it."""
    revision = revision_of(connection, address)
    if revision is None:
        make_newest(connection, address.kind)
    elif revision != revisions()[-1]:
        upgrade(address)


def revision_of(connection: Connection, address: Address) -> str | None:
    """The schema that a database has, None where it is empty; an error where it is not one of ours."""
    names = connection.tables()
    if MARK not in names:
        if names:
            raise NotOurs(f"{address} is a database of something else; nothing was changed in it")
        return None
    if not (rows := connection.all(f"SELECT version_num FROM {MARK}")):
        return None
    revision = str(rows[0][0])
    if revision in UNRELEASED:
        raise SchemaUnknown(
            f"{address} has the schema {revision} from before the first published version of Punto, which this version "
            "cannot read; begin a new database"
        )
    if revision not in revisions():
        known = f"this version of Punto knows schemas up to {revisions()[-1]}"
        raise SchemaUnknown(f"{address} has the schema {revision} of a newer version; {known}")
    return revision


Job = TypeVar("Job")
Answer = TypeVar("Answer")

LARGEST_BATCH = 1_000
"""Jobs in one batch, more only where they were handed in together: the first waits longest for its answer."""
BATCH_TRIES = 3  # How often a batch is tried that another program's locks stand in the way of.


@dataclass(frozen=True, slots=True)
class _Parcel(Generic[Job, Answer]):
    """Jobs that were handed in together, and who is told what came of them."""

    jobs: Sequence[Job]
    answered: Callable[[Sequence[Answer | BaseException]], None]
    is_wanted: Callable[[], bool] = lambda: True  # Asked once, when its turn comes.


class GroupCommit(Generic[Job, Answer]):
    """A thread that carries out jobs in batches, each batch in one transaction.

    While a batch is being committed, whatever comes in waits and makes the next batch. A job is answered only
    when its batch is safe. A batch that fails as a whole is undone and run again job by job, so that a job
    that cannot be done takes nobody else with it.

    `run_batch` must leave nothing behind but what it writes into the transaction: it may be called again for
    the same jobs. `committed` is called after each commit, before anybody is answered.
    """

    def __init__(
        self,
        store: Store,
        run_batch: Callable[[Transaction, Sequence[Job]], Sequence[Answer]],
        *,
        committed: Callable[[], None] | None = None,
        largest: int = LARGEST_BATCH,
    ) -> None:
        self._store, self._run_batch, self._committed, self._largest = store, run_batch, committed, largest
        self._waiting: SimpleQueue[_Parcel[Job, Answer] | None] = SimpleQueue()
        self._lock, self._is_closed = Lock(), False
        self._thread = Thread(target=self._work, name="punto-commit", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> Future[Answer]:
        """Hand in a job; its future has the answer once it is durable."""
        future: Future[Answer] = Future()
        self._put(_Parcel([job], partial(_fulfil, future), future.set_running_or_notify_cancel))
        return future

    def submit_all(self, jobs: Sequence[Job], answered: Callable[[Sequence[Answer | BaseException]], None]) -> None:
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
                outcomes = iter(self._outcomes([job for each in batch for job in each.jobs]))
                for each in batch:
                    each.answered(list(islice(outcomes, len(each.jobs))))

    def _outcomes(self, jobs: Sequence[Job]) -> Sequence[Answer | BaseException]:
        try:
            return self._run(jobs)
        except BaseException as error:
            # Where nobody knows whether the batch was kept, running it again could do it twice.
            if len(jobs) == 1 or isinstance(error, CommitUnknown):
                return [error] * len(jobs)
            return [outcome for job in jobs for outcome in self._outcomes([job])]

    def _run(self, jobs: Sequence[Job], tries: int = BATCH_TRIES) -> Sequence[Answer]:
        try:
            with self._store.write() as transaction:
                answers = self._run_batch(transaction, jobs)
                assert len(answers) == len(jobs), "every job has an answer"
        except StoreLocked:
            if tries == 1:
                raise
            return self._run(jobs, tries - 1)
        if self._committed is not None:
            self._committed()
        return answers


def _fulfil(future: Future[Answer], outcomes: Sequence[Answer | BaseException]) -> None:
    [outcome] = outcomes
    if isinstance(outcome, BaseException):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
