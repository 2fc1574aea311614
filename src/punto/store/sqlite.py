"""SQLite: one file, durable when a commit returns, one writer at a time.

The write-ahead log with `synchronous=FULL` syncs the log before a commit returns. `connect` is the one place
where a file is opened, so what holds there holds for everything that the store does.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from punto.store import errors
from punto.store.connection import Connection
from punto.store.errors import NoDatabase, NotOurs, StoreBroken, StoreError

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
            connection.execute("PRAGMA journal_mode=WAL")  # kept in the file: only the first opening writes
        connection.execute("PRAGMA cache_size=-65536")
        connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        raise _explained(error, path) from error
    return connection


class SqliteConnection(Connection):
    driver: sqlite3.Connection
    failures = (sqlite3.Error, OverflowError, UnicodeDecodeError)  # the last: of a message about damaged names
    reading = ("BEGIN", "SELECT 1 FROM sqlite_master LIMIT 1")
    table_names = "SELECT name FROM sqlite_master WHERE type = 'table'"
    column_names = "SELECT name FROM pragma_table_info(?) ORDER BY cid"
    clock = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

    def __init__(self, path: Path, *, create: bool = True, is_read_only: bool = False) -> None:
        self._path = path
        self.driver = connect(path, create=create, is_read_only=is_read_only)

    def begin_write(self, server: str = "") -> None:  # noqa: ARG002
        self.run("BEGIN IMMEDIATE")  # nobody else serves the file

    def commit(self) -> None:
        try:
            self.driver.commit()
        except sqlite3.Error as error:
            raise self.explained(error) from error

    def roll_back(self) -> None:
        try:
            self.driver.rollback()
        except sqlite3.Error:
            # A failed write may leave nothing to roll back, or no way to: what is not committed is not kept.
            self.close()

    def next_ids(self, table: str, count: int) -> Sequence[int]:
        # There is one writer, and rows with numbers are never removed.
        [(last,)] = self.all(f"SELECT coalesce(max(id), 0) FROM {table}")
        return range(last + 1, last + 1 + count)

    def is_alive(self) -> bool:
        try:
            return not self.driver.in_transaction
        except sqlite3.Error:
            return False

    def explained(self, error: BaseException) -> StoreError:
        return _explained(error, self._path)

    def _worded(self, statement: str) -> str:
        return statement.removesuffix(" FOR UPDATE")  # one writer at a time has every row locked


def sync(path: Path) -> None:
    """Have a file or a folder outlive a loss of power."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _explained(error: BaseException, path: Path) -> StoreError:
    if isinstance(error, UnicodeDecodeError):
        return StoreBroken(f"{path} is damaged: a name in it cannot be read; restore a backup")
    match getattr(error, "sqlite_errorcode", -1) & 0xFF:  # the primary code of it
        case sqlite3.SQLITE_FULL:
            return errors.DiskFull(f"there is no room left on the disk of {path}; nothing of this was kept")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return errors.StoreLocked(f"{path} is locked by another program; try again when it is done")
        case sqlite3.SQLITE_NOTADB:
            return NotOurs(f"{path} is not a database")
        case sqlite3.SQLITE_CORRUPT:
            return StoreBroken(f"{path} is damaged: {error}; restore a backup")
        case sqlite3.SQLITE_READONLY:
            return errors.StoreReadOnly(f"{path} cannot be written: the file or its folder may only be read")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return NoDatabase(f"{path} cannot be opened: check the path and who may read and write it")
        case sqlite3.SQLITE_IOERR:
            return StoreBroken(f"{path} could not be read or written ({error}); nothing of this was kept")
        case sqlite3.SQLITE_CONSTRAINT if "balances_below_zero" in str(error):
            return errors.LedgerBroken(f"a posting would take an account below zero in {path}")
        case sqlite3.SQLITE_CONSTRAINT if "UNIQUE" in str(error):
            return errors.NotUnique(f"that is already in {path}: {error}")
        case _:
            return StoreBroken(f"{path} could not be used: {error}")
