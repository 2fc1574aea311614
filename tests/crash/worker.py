"""A program that runs the tables of the house as fast as it can, until somebody ends it.

    python -m tests.crash.worker ADDRESS JOURNAL STEPS [OPTION ...]

runs a number of steps in the foreground, for strace to watch or to disturb. Options: `tries=N` tries so often
what failed; `alone` gives one command at a time; `synchronous=OFF` and `checkpoint=N` set SQLite otherwise.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import Future, wait
from multiprocessing import parent_process
from pathlib import Path
from sqlite3 import Connection

from punto.floor.floor import Floor
from punto.floor.job import Accepted, Job
from punto.refusal import Refusal
from punto.store import sqlite
from punto.store.errors import StoreError
from punto.store.store import open_store
from tests.crash.house import due, floor_of
from tests.crash.journal import Journal

LOST = 3
"""How the program ends when its database has gone."""


def work(
    address: str, journal_path: Path, again: list[Job], steps: int | None = None, *, tries: int = 1, alone: bool = False
) -> None:
    """Send again what was not answered, then run every table, so many steps or for ever."""
    journal = Journal(journal_path)
    try:
        with open_store(address, create=False) as store, floor_of(store) as floor:
            with store.read() as reader:
                tables = [table.id for table in reader.tables()]
            failed = bool(give(floor, journal, again))
            while not failed and (steps is None or steps > 0) and not _is_orphan():
                jobs = []
                for table in tables:
                    loaded = floor.table(table)
                    assert loaded is not None
                    jobs += due(loaded)
                jobs = jobs[:1] if alone else jobs
                for _ in range(tries):
                    jobs = give(floor, journal, jobs)
                failed = bool(jobs)
                steps = None if steps is None else steps - 1
    except StoreError as error:
        print(error, file=sys.stderr)
        failed = True
    if failed:
        os._exit(LOST)


def give(floor: Floor, journal: Journal, jobs: list[Job]) -> list[Job]:
    """Give several commands at once, each answer going to the journal; those that could not be done."""
    futures: list[Future[Accepted | Refusal]] = []
    for job in jobs:
        journal.sent(job)
        future = floor.submit(job.table, job.command, job.expected)
        future.add_done_callback(lambda done, job=job: _note(journal, job, done))  # type: ignore[misc]
        futures.append(future)
    wait(futures)
    return [job for job, future in zip(jobs, futures, strict=True) if future.exception() is not None]


def _is_orphan() -> bool:
    """Whether nobody is left to end a worker that has no end of its own."""
    parent = parent_process()
    return parent is not None and not parent.is_alive()


def _note(journal: Journal, job: Job, done: Future[Accepted | Refusal]) -> None:
    error = done.exception()
    if error is not None:
        journal.failed(job, error)
    else:
        journal.answered(job, done.result())


def main() -> None:
    address, path, steps, *others = sys.argv[1:]
    options = dict(option.partition("=")[::2] for option in others)
    if "synchronous" in options:
        sqlite.SYNCHRONOUS = options["synchronous"]
    if "checkpoint" in options:
        connect = sqlite.connect

        def connect_and_set(path: Path, **how: bool) -> Connection:
            connection = connect(path, **how)
            connection.execute(f"PRAGMA wal_autocheckpoint={options['checkpoint']}")
            return connection

        sqlite.connect = connect_and_set
    tries = int(options.get("tries", 1))
    work(address, Path(path), [], int(steps), tries=tries, alone="alone" in options)


if __name__ == "__main__":
    main()
