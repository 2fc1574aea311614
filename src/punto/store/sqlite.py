"""SQLite: one file, durable when a commit returns, one writer at a time.

The write-ahead log with `synchronous=FULL` syncs the log before a commit returns. `connect` is the one place
where a file is opened, so what holds there holds for everything that the store does.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from punto.store.connection import Row, inserting
from punto.store.errors import (
    DiskFull,
    LedgerBroken,
    NoDatabase,
    NotOurs,
    NotUnique,
    StoreBroken,
    StoreError,
    StoreLocked,
    StoreReadOnly,
)

BUSY_MS = 10_000  # How long one writer waits for another.

SYNCHRONOUS = "FULL"  # Anything less can lose an acknowledged command when the power fails.

CHECKPOINT_PAGES = 4_000
"""Pages in the write-ahead log before they are moved to the file: what many bets change is moved once."""


MEMORY = Path(":memory:")  # In the place of a file: a database that is gone when its only connection is closed.


def connect(path: Path, *, create: bool = True, is_read_only: bool = False) -> sqlite3.Connection:
    """Open the file of a database. Everything that the store writes goes through here."""
    if path == MEMORY:
        return _set_up("file::memory:", path, is_read_only=False)
    folder = path.absolute().parent
    if not folder.is_dir():
        raise NoDatabase(f"{path} cannot be a database: there is no folder {folder}")
    if path.is_dir():
        raise NotOurs(f"{path} is a folder; the address of a database names a file")
    if not create and not path.exists():
        raise NoDatabase(f"there is no database at {path}")
    mode = "ro" if is_read_only else "rwc" if create else "rw"
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    if mode == "rwc" and not path.exists():
        # Names, passwords and sealed seeds are in it: whoever else may read it, its owner decides.
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return _set_up(uri, path, is_read_only=is_read_only)


def _set_up(uri: str, path: Path, *, is_read_only: bool) -> sqlite3.Connection:
    connection = None
    try:
        connection = sqlite3.connect(
            uri, uri=True, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
        connection.execute("PRAGMA secure_delete=ON")  # what is erased is not left lying in the file
        if not is_read_only:
            # Kept in the file: only the first opening writes.
            connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA cache_size=-65536")
        connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        raise _explained(error, path) from error
    return connection


class SqliteConnection:
    def __init__(self, path: Path, *, create: bool = True, is_read_only: bool = False) -> None:
        self._path = path
        self._connection = connect(path, create=create, is_read_only=is_read_only)

    @property
    def driver(self) -> sqlite3.Connection:
        return self._connection

    def begin_read(self) -> None:
        self.run("BEGIN")
        self.all("SELECT 1 FROM sqlite_master LIMIT 1")  # the first look fixes what is seen

    def begin_write(self) -> None:
        self.run("BEGIN IMMEDIATE")

    def commit(self) -> None:
        try:
            self._connection.commit()
        except sqlite3.Error as error:
            raise self.explained(error) from error

    def roll_back(self) -> None:
        try:
            self._connection.rollback()
        except sqlite3.Error:
            # A failed write may leave nothing to roll back, or no way to: what is not committed is not kept.
            self.close()

    def all(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        try:
            return self._connection.execute(_worded(statement), values).fetchall()
        except (sqlite3.Error, OverflowError) as error:
            raise self.explained(error) from error

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        try:
            return self._connection.execute(statement, values).rowcount
        except (sqlite3.Error, OverflowError) as error:
            raise self.explained(error) from error

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> int:
        try:
            return self._connection.executemany(statement, rows).rowcount
        except (sqlite3.Error, OverflowError) as error:
            raise self.explained(error) from error

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        self.many(inserting(table, columns), rows)

    def next_ids(self, table: str, count: int) -> Sequence[int]:
        # There is one writer, and rows with numbers are never removed.
        [(last,)] = self.all(f"SELECT coalesce(max(id), 0) FROM {table}")
        return range(last + 1, last + 1 + count)

    def lock(self, name: str) -> None:
        pass  # there is one writer

    def lock_all(self, names: Sequence[str]) -> None:
        pass

    def restart_ids(self, table: str) -> None:
        pass

    def tables(self) -> set[str]:
        return {name for (name,) in self.all("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def columns(self, table: str) -> list[str]:
        return [name for _, name, *_ in self.all(f"PRAGMA table_info({table})")]

    def pages(self, statement: str, size: int) -> Iterator[list[Row]]:
        try:
            cursor = self._connection.execute(statement)
            while page := cursor.fetchmany(size):
                yield page
        except sqlite3.Error as error:
            raise self.explained(error) from error

    def is_alive(self) -> bool:
        try:
            return not self._connection.in_transaction
        except sqlite3.Error:
            return False

    def close(self) -> None:
        self._connection.close()

    def explained(self, error: BaseException) -> StoreError:
        """What an error of the driver means, in one sentence."""
        return _explained(error, self._path)


def _worded(statement: str) -> str:
    # One writer at a time has every row locked.
    return statement.removesuffix(" FOR UPDATE")


def _explained(error: BaseException, path: Path) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    match primary:
        case sqlite3.SQLITE_FULL:
            return DiskFull(f"there is no room left on the disk of {path}; nothing of this was kept")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreLocked(f"{path} is locked by another program; try again when it is done")
        case sqlite3.SQLITE_NOTADB:
            return NotOurs(f"{path} is not a database")
        case sqlite3.SQLITE_CORRUPT:
            return StoreBroken(f"{path} is damaged: {error}; restore a backup")
        case sqlite3.SQLITE_READONLY:
            return StoreReadOnly(f"{path} cannot be written: the file or its folder may only be read")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return NoDatabase(f"{path} cannot be opened: check the path and who may read and write it")
        case sqlite3.SQLITE_IOERR:
            return StoreBroken(f"{path} could not be read or written ({error}); nothing of this was kept")
        case sqlite3.SQLITE_CONSTRAINT if "balances_below_zero" in str(error):
            return LedgerBroken(f"a posting would take an account below zero in {path}")
        case sqlite3.SQLITE_CONSTRAINT if "UNIQUE" in str(error):
            return NotUnique(f"that is already in {path}: {error}")
        case _:
            return StoreBroken(f"{path} could not be used: {error}")
