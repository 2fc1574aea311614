"""The floor: gives commands to stored tables, many at once, and answers when what came of them is durable.

Load, act, append: everybody who runs a table comes through here, whatever process they are in. Commands that
wait at the same time are decided in one transaction, so they share the time that a disk takes.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from types import TracebackType

from punto.floor.batch import JobBatch, Memory, PutBack
from punto.floor.change import Change, Subscribers
from punto.floor.job import Accepted, Decide, DueJob, Job, WaitToKeep
from punto.floor.loaded import LoadedTable, load
from punto.floor.promise import replacement
from punto.floor.seed import Seeds, fresh_seed
from punto.floor.shelf import book_document
from punto.refusal import Reason, Refusal
from punto.rules.book import Book
from punto.rules.digest import digest_of
from punto.store.access.approvals import approval_of, lock_keys
from punto.store.group import GroupCommit
from punto.store.seal import Seal
from punto.store.store import Store
from punto.store.transaction import Transaction
from punto.store.witness import Witness, events_in
from punto.table.acting import refusal_of
from punto.table.command import Command, OpenTable
from punto.table.state import Table

TABLE_ID = re.compile(r"[a-z0-9-]{1,40}")
_log = logging.getLogger("punto.floor")
MOST_TABLES = 10_000
"""Tables that are kept in memory."""


Answered = Callable[[Sequence[Accepted | Refusal | BaseException]], None]
"""Is told what came of each of several commands."""


class Floor:
    """Stored tables that can be run."""

    def __init__(self, store: Store, seal: Seal | None = None, seeds: Seeds = fresh_seed) -> None:
        self.store = store
        self._memory = Memory(seal or Seal(), seeds)
        self._batch: JobBatch | None = None
        folder = self._memory.seal.folder
        self._witness = Witness(folder / "witness" if folder is not None else None)
        self._is_looked_at = False
        """Whether it is known that the database was not put back to an earlier time."""
        self._subscribers = Subscribers()
        self._group: GroupCommit[Job | DueJob, Accepted | Refusal] = GroupCommit(
            store, self._run, committed=self._remember
        )

    @property
    def seal(self) -> Seal:
        """Seals seeds, and signs what the house acts on by itself."""
        return self._memory.seal

    def __enter__(self) -> Floor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Finish what is in hand; nothing more can be given after it."""
        self._group.close()
        self._witness.close()

    def look(self) -> None:
        """Look at once whether the database was put back to an earlier time, and put its shoes right.

        The first command that is given would do the same; a dealer's would then be for an older version.
        """
        with self.store.read() as reader:
            is_put_back = self._witness.is_put_back(reader)
        if is_put_back:
            self._group.submit(DueJob("", lambda _: None)).result()

    def bound_refusals(self, wait_to_keep: WaitToKeep) -> None:
        """Keep refused commands only as far as this lets somebody; the rest is not decided."""
        self._memory.wait_to_keep = wait_to_keep

    def submit(self, table: str, command: Command, expected: int | None = None) -> Future[Accepted | Refusal]:
        """Give a command; the answer comes when what it caused is durable."""
        return self._group.submit(Job(table, command, expected))

    def submit_all(self, jobs: Sequence[Job], answered: Answered) -> None:
        """Give commands that came together; `answered` is called in the thread that commits."""
        self._group.submit_all(jobs, answered)

    def submit_step(self, table: str, decide: Decide) -> Future[Accepted | Refusal]:
        """Decide on a command in its turn, on the table as it is then, and give it.

        Where nothing is to be done, the answer has no records. `decide` runs in the thread that commits, may
        be asked twice, and should only look.
        """
        return self._group.submit(DueJob(table, decide))

    def give(self, table: str, command: Command, expected: int | None = None) -> Accepted | Refusal:
        """Give a command and wait for the answer."""
        return self.submit(table, command, expected).result()

    def open_table(self, table: str, book: Book, command: OpenTable) -> Accepted | Refusal:
        """Open a new table by a book, which is stored with it."""
        assert TABLE_ID.fullmatch(table), "an id has letters, digits and hyphens"
        refusal = refusal_of(Table(book), command)
        if refusal is not None:
            return refusal  # nothing is stored of a table that cannot be opened
        with self.store.write() as transaction:
            if transaction.table(table) is not None:
                return Refusal(Reason.TABLE_EXISTS, None, {"table": table})
            if command.key:
                lock_keys(transaction, [(command.actor, command.key)])
                if _is_used(transaction, command.actor, command.key):
                    return Refusal(
                        Reason.KEY_REUSED, None, {"key": command.key}
                    )  # else it would be half a table
            transaction.add_book(digest_of(book), book.name, book_document(book))
            transaction.add_table(table, digest_of(book), command.time, command.actor)
            batch = JobBatch(transaction, self._memory, [Job(table, command, 0)])
            [answer] = batch.run()
        self._told(batch)
        return answer

    def subscribe(self, callback: Callable[[Sequence[Change]], None]) -> Callable[[], None]:
        """Have every change told once it is durable; what is returned ends it.

        It is called in the thread that commits, before whoever gave the commands has an answer, in the order
        of the streams. It should only hand the changes on: commands wait while it runs.
        """
        return self._subscribers.add(callback)

    def table(self, id: str, at: int | None = None) -> LoadedTable | None:
        """A table as it is stored now, or as it was after an earlier event; None where there is none."""
        with self.store.read() as reader:
            stored = reader.table(id)
            if stored is None or (at is not None and not 0 <= at <= stored.version):
                return None
            return load(reader, self._memory.shelf, stored, self._memory.tables.get(id), at)

    def remember(self, loaded: LoadedTable) -> None:
        """Take up from here at the next look; for a process that only reads, and hears of no commit."""
        known = self._memory.tables.get(loaded.id)
        if known is None or known.version < loaded.version:
            self._memory.tables[loaded.id] = loaded

    def _run(self, transaction: Transaction, jobs: Sequence[Job | DueJob]) -> list[Accepted | Refusal]:
        if self._is_looked_at:
            try:
                self._batch = JobBatch(transaction, self._memory, jobs)
                return self._batch.run()
            except PutBack:
                self._is_looked_at = False
                self._memory.forget()
                return self._run_anew(transaction, jobs, is_put_back=True)
        return self._run_anew(transaction, jobs, is_put_back=self._witness.is_put_back(transaction))

    def _run_anew(
        self, transaction: Transaction, jobs: Sequence[Job | DueJob], *, is_put_back: bool
    ) -> list[Accepted | Refusal]:
        """The first jobs on a database; before them, shoes whose cards may be known are replaced."""
        events, instead = events_in(transaction), list[DueJob]()
        if is_put_back:
            instead = [DueJob(table.id, replacement) for table in transaction.tables() if not table.imported]
            _log.warning("the database was put back to an earlier time: its shoes are replaced")
        self._batch = JobBatch(transaction, self._memory, [*instead, *jobs])
        answers = self._batch.run()
        if is_put_back and not any(isinstance(answer, Refusal) for answer in answers[: len(instead)]):
            self._witness.put_right(transaction)
        self._witness.begin(transaction, events)
        return answers[len(instead) :]

    def _remember(self) -> None:
        """What a batch leads to is taken up by the next one only once it is kept."""
        assert self._batch is not None
        tables = self._memory.tables
        tables.update(self._batch.tables)
        while len(tables) > MOST_TABLES:
            del tables[next(iter(tables))]
        self._is_looked_at = True
        self._told(self._batch)

    def _told(self, batch: JobBatch) -> None:
        self._witness.note(sum(len(change.records) for change in batch.changes.values()))
        self._subscribers.tell(batch.changes)


def _is_used(transaction: Transaction, actor: str, key: str) -> bool:
    """Whether somebody has used a key before."""
    return transaction.answer(actor, key) is not None or approval_of(transaction, actor, key) is not None
