"""Backup and restore, and how a database that was put back is recognised. A backup is one consistent moment
as one SQLite file, with sealed seeds and never their key. Marks are what a database says of itself; the
witness stands outside of it, beside the key, and knows how far it had come.
"""

from __future__ import annotations

import errno
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from punto.store.connection import Address, Connection, DatabaseKind, Row, parse_address
from punto.store.errors import DiskFull, NoDatabase, NotEmpty, NotOurs, StoreBroken, StoreError, StoreReadOnly
from punto.store.migration import MARK, upgrade
from punto.store.reader import Reader
from punto.store.sqlite import SqliteConnection
from punto.store.store import Store, connect_to, revision_of
from punto.store.transaction import Transaction

DEMONSTRATION = "demonstration"
"""Made by `punto serve` to be tried; its value names the log-ins that were drawn for it."""
_USED_TABLES = ("tables", "books", "accounts", "commands", "movements")
"""Where something is kept as soon as a database is used for anything."""


def mark_of(reader: Reader, name: str) -> str | None:
    """The value of a mark; None where the database does not have it."""
    found = reader.rows("SELECT value FROM marks WHERE name = ?", (name,))
    return next((str(value) for (value,) in found), None)


def set_mark(transaction: Transaction, name: str, value: str) -> None:
    """Set a mark."""
    transaction.connection.run(
        "INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )


def remove_mark(transaction: Transaction, name: str) -> None:
    """Take a mark away."""
    transaction.connection.run("DELETE FROM marks WHERE name = ?", (name,))


def is_database_empty(reader: Reader) -> bool:
    """Whether nothing was ever kept in a database."""
    return not any(reader.rows(f"SELECT 1 FROM {table} LIMIT 1") for table in _USED_TABLES)


# A witness: how far a database has come, kept outside of it, beside the key of the seeds.
#
# Whoever puts a database back to an earlier time takes everything with it that could tell; only what stands
# elsewhere knows that cards were dealt since. The witness is a number of events for each database, written
# after each commit. It is not forced to the disk: after a loss of power it may be behind, never ahead.


RESTORED = "restored"
"""The mark of a database that was read from a backup: the shoes in it may be known."""
IDENTITY = "identity"
"""The mark by which a witness knows a database; copies of it have the same."""
_WITNESS_WIDTH = 20
"""Digits of the number, so that one write replaces another."""


class Witness:
    """What is known outside of one database."""

    def __init__(self, folder: Path | None) -> None:
        """Kept in a folder; without one nothing is kept, and nothing noticed but a mark."""
        self._folder = folder
        self._file: int | None = None
        self._events = 0

    def is_put_back(self, reader: Reader) -> bool:
        """Whether a database says, or the witness knows, that it was at a later time already."""
        if mark_of(reader, RESTORED) is not None:
            return True
        identity = mark_of(reader, IDENTITY)
        if identity is None or self._folder is None:
            return False
        try:
            known = int((self._folder / identity).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return False
        return known > events_in(reader)

    def put_right(self, transaction: Transaction) -> None:
        """Nothing that may be known is in play any more: the database is another one from here on."""
        remove_mark(transaction, RESTORED)
        set_mark(transaction, IDENTITY, secrets.token_hex(16))
        self.close()

    def begin(self, transaction: Transaction, events: int) -> None:
        """Know the database by its mark from here on, and the number of its events."""
        identity = mark_of(transaction, IDENTITY)
        if identity is None:
            identity = secrets.token_hex(16)
            set_mark(transaction, IDENTITY, identity)
        self._events = events
        self.close()
        if self._folder is not None and self._folder.parent.is_dir():
            with suppress(OSError):  # a folder that cannot be written to has no witness
                self._folder.mkdir(mode=0o700, exist_ok=True)
                self._file = os.open(self._folder / identity, os.O_WRONLY | os.O_CREAT, 0o600)

    def note(self, events: int) -> None:
        """Count events that were kept."""
        self._events += events
        if self._file is not None and events:
            with suppress(OSError):
                os.pwrite(self._file, f"{self._events:0{_WITNESS_WIDTH}}".encode(), 0)

    def close(self) -> None:
        """Write no more."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def events_in(reader: Reader) -> int:
    """How many events all tables of a database have."""
    [(found,)] = reader.rows("SELECT COALESCE(SUM(version), 0) FROM tables", ())
    return int(found)


# Backup and restore: everything in a database as one SQLite file, whichever database it came from.
#
# A backup is one consistent moment, taken while tables are being played. It holds the sealed seeds and never
# their key. It is restored only into an empty database; one of an earlier schema is brought up to date
# there.


TABLES = (
    *("books", "tables", "events", "commands", "accounts", "people", "movements", "postings", "balances"),
    *("seeds", "snapshots", "chains", "roles", "sessions", "tickets", "approvals", "failures", "runs"),
    *("pit_calls", "known_addresses", "marks", "house_events"),
)
"""Every table, each after those that it points to."""
NUMBERED = ("commands", "movements")
"""Tables whose rows are numbered by the database."""
YES_OR_NO = {"tables": ("imported",), "people": ("drawn",)}
"""Columns that are a yes or a no; SQLite keeps a number."""
LARGEST_VALUE = 64 * 1024 * 1024
"""Bytes of one value of a backup, or of anything that its file makes us compute."""
ROWS_COPIED = 5_000
"""Rows that are copied at a time."""


def backup(store: Store, path: Path) -> int:
    """Write everything in a store to a new file; the number of rows. `NotEmpty` where there is a file."""
    if path.exists():
        raise NotEmpty(f"{path} is already there; a backup is never written over another file")
    if not path.absolute().parent.is_dir():
        raise NoDatabase(f"{path} cannot be written: there is no folder {path.absolute().parent}")
    draft = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    address = Address(DatabaseKind.SQLITE, str(draft))
    try:
        upgrade(address)
        with store.connection() as source, closing(SqliteConnection(draft)) as target:
            source.begin_read()
            try:
                count = _copy(source, target)
            finally:
                source.roll_back()
            target.run("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
        _publish(draft, path)
    except OSError as error:
        raise _explained(error, path) from error
    except DiskFull:
        raise DiskFull(f"there is no room left for {path}; no backup was made") from None
    finally:
        for leftover in (draft, Path(f"{draft}-wal"), Path(f"{draft}-shm"), Path(f"{draft}-journal")):
            with suppress(OSError):
                leftover.unlink(missing_ok=True)
    return count


def restore(path: Path, url: str | Address) -> int:
    """Write a backup into an empty database, which is made where there is none; the number of rows.

    All of it, or nothing: whatever is wrong with the file, nothing is left where nothing was.
    """
    if not path.is_file():
        raise NoDatabase(f"there is no backup at {path}")
    address = url if isinstance(url, Address) else parse_address(url)
    source_address = Address(DatabaseKind.SQLITE, str(path))
    with closing(SqliteConnection(path, create=False, is_read_only=True)) as source:
        source.driver.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
        source.begin_read()
        revision = revision_of(source, source_address)
        if revision is None:
            raise NotOurs(f"{path} is not a backup of Punto")
        _check_tables(source, path)
        if source.all("PRAGMA quick_check") != [("ok",)] or source.all("PRAGMA foreign_key_check"):
            raise StoreBroken(f"the backup {path} is damaged")
        _check_kinds(source, path)
        with _removed_on_failure(address):
            with closing(connect_to(address, create=True)) as target:
                if revision_of(target, address) is not None and _has_rows(target):
                    raise NotEmpty(f"{address} is not empty; a backup is restored only into an empty database")
                if revision_of(target, address) not in (None, revision):
                    raise NotEmpty(f"{address} has another schema than the backup; restore into a new database")
                upgrade(address, revision)
                count = _copy(source, target)
            try:
                upgrade(address)
            except (TypeError, ValueError, AttributeError, LookupError, RecursionError) as error:
                raise StoreBroken(f"the backup {path} is damaged: {error}") from error
            _mark_restored(address, path)
    return count


def _check_tables(source: SqliteConnection, path: Path) -> None:
    """Only what a backup has: tables of ours, with plain columns, and indexes; nothing that computes."""
    for kind, name, sql in source.all("SELECT type, name, sql FROM sqlite_master"):
        is_ours = (kind == "table" and name in (*TABLES, MARK)) or kind == "index"
        if not is_ours or "VIRTUAL" in str(sql).upper().split():
            raise NotOurs(f"{path} is not a backup of Punto: it has a {kind} {str(name)[:80]!r}")
    for name in _tables_of(source):
        if any(hidden for *_, hidden in source.all(f"PRAGMA table_xinfo({name})")):
            raise NotOurs(f"{path} is not a backup of Punto: columns of its table {name} are computed")


@contextmanager
def _removed_on_failure(address: Address) -> Iterator[None]:
    """Where nothing was before, nothing is left of something that fails."""
    if address.kind is DatabaseKind.SQLITE:
        is_new = not address.path.exists()
    else:
        with closing(connect_to(address, create=True)) as before:
            is_new = not before.tables()
    try:
        yield
    except BaseException:
        if is_new and address.kind is DatabaseKind.SQLITE:
            for end in ("", "-wal", "-shm", "-journal"):
                Path(f"{address.path}{end}").unlink(missing_ok=True)
        elif is_new:
            with closing(connect_to(address, create=True)) as target:
                target.begin_write()
                for table in (*reversed(TABLES), MARK):
                    target.run(f"DROP TABLE IF EXISTS {table}")
                target.commit()
        raise


def _mark_restored(address: Address, path: Path) -> None:
    """Say that it was restored: cards dealt after the backup are known, and would be dealt again."""
    with closing(connect_to(address, create=False)) as target:
        target.begin_write()
        transaction = Transaction(target)
        set_mark(transaction, RESTORED, path.name)
        remove_mark(transaction, IDENTITY)
        transaction.flush()
        target.commit()


def _has_rows(connection: Connection) -> bool:
    return any(connection.all(f"SELECT 1 FROM {table} LIMIT 1") for table in _tables_of(connection))


def _tables_of(connection: Connection) -> list[str]:
    """The tables of its schema, which may be an earlier one."""
    names = connection.tables()
    return [table for table in TABLES if table in names]


def _copy(source: Connection, target: Connection) -> int:
    """Copy every row from a transaction that has begun into one that is committed here."""
    count = 0
    target.begin_write()
    try:
        for table in _tables_of(target):
            columns = target.columns(table)
            places = [columns.index(name) for name in YES_OR_NO.get(table, ()) if name in columns]
            for page in source.pages(f"SELECT {', '.join(columns)} FROM {table}", ROWS_COPIED):
                target.insert(table, columns, [_fitted(row, places) for row in page])
                count += len(page)
        for table in NUMBERED:
            target.restart_ids(table)
        target.commit()
    except BaseException:
        target.roll_back()
        raise
    return count


def _check_kinds(source: SqliteConnection, path: Path) -> None:
    """SQLite keeps any value in any column: each must be of the kind that its column is for, or empty."""
    for table in _tables_of(source):
        kinds = [(str(name), str(kind).upper()) for _, name, kind, *_ in source.all(f"PRAGMA table_info({table})")]
        wrong = " OR ".join(_STORED[kind].format(_quoted(name)) for name, kind in kinds if kind in _STORED)
        is_known = all(kind in _STORED for _, kind in kinds)
        if not is_known or source.all(f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1"):
            raise StoreBroken(f"the backup {path} is damaged: a value in its table {table} is of another kind")


_WHOLE = "typeof({}) NOT IN ('null', 'integer')"
_STORED = {
    "TEXT": "typeof({}) NOT IN ('null', 'text')",
    "BIGINT": _WHOLE,
    "INTEGER": _WHOLE,
    "BOOLEAN": _WHOLE,
    "BLOB": "(typeof({0}) NOT IN ('null', 'blob') AND {0} <> '')",  # an empty one may be kept as text
}
"""By kind of column: what SQLite would not keep there if Punto had written it."""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _fitted(row: Row, places: list[int]) -> Row:
    return tuple(bool(value) if i in places else value for i, value in enumerate(row)) if places else row


def _publish(draft: Path, path: Path) -> None:
    """Give the finished file its name, unless another has come to be there; both outlive a loss of power."""
    _sync(draft)
    try:
        os.link(draft, path)
    except FileExistsError:
        raise NotEmpty(f"{path} is already there; a backup is never written over another file") from None
    _sync(path.absolute().parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _explained(error: OSError, path: Path) -> StoreError:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return DiskFull(f"there is no room left for {path}; no backup was made")
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return StoreReadOnly(f"{path} cannot be written: {error.strerror}")
        case _:
            return StoreBroken(f"{path} cannot be written: {error.strerror}")
