"""Backup and restore: everything in a database as one SQLite file, whichever database it came from.

A backup is one consistent moment, taken while tables are being played. It holds the sealed seeds and never
their key. It is restored only into an empty database; one of an earlier schema is brought up to date first.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from punto.store.chain import HouseCode, Subject
from punto.store.connection import Address, Connection, DatabaseKind, Row, parse_address
from punto.store.errors import (
    DiskFull,
    NoDatabase,
    NotEmpty,
    NotOurs,
    StoreBroken,
    StoreError,
    StoreInUse,
    StoreReadOnly,
)
from punto.store.migration import MARK, make_newest, revisions, schema_statements, upgrade
from punto.store.sqlite import SqliteConnection, sync
from punto.store.store import Store, bring_up_to_date, connect_to, revision_of
from punto.store.transaction import OPENER, Transaction
from punto.store.witness import IDENTITY, RESTORED, remove_mark, set_mark

TABLES = {
    table[1]: table[2]
    for statement in schema_statements(DatabaseKind.SQLITE)
    if (table := re.search(r"CREATE TABLE (\w+) \((.*)\)", statement, re.DOTALL)) and table[1] != MARK
}
"""Every table with the columns that its statement names, each after those that it points to."""
LARGEST_VALUE = 64 * 1024 * 1024  # Bytes of one value of a backup, or of anything that its file makes us compute.
PASSING = ("servers", "leases", "notices")  # What belongs to the servers that run, and is never copied.
ROWS_COPIED = 5_000  # Rows that are copied at a time.


def backup(store: Store, path: Path) -> int:
    """Write everything in a store to a new file; the number of rows. `NotEmpty` where there is a file."""
    if path.exists():
        raise NotEmpty(f"{path} is already there; a backup is never written over another file")
    if not path.absolute().parent.is_dir():
        raise NoDatabase(f"{path} cannot be written: there is no folder {path.absolute().parent}")
    draft = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        with store.connection() as source, closing(SqliteConnection(draft)) as target:
            make_newest(target, DatabaseKind.SQLITE)
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
        with suppress(OSError):
            _remove(draft)
    return count


def note_backup(store: Store, path: Path, rows: int, by: str) -> None:
    """Write down that a backup was made; for a file that a server has in use, beside it, until the server does so.

    A database that can only be read is left as it is.
    """
    note = BackupNote(time.time_ns() // 1_000_000, by, path.name, rows, _digest(path))
    try:
        with store.write() as transaction:
            _note(transaction, note)
    except StoreInUse:
        with suppress(OSError), _noted(store.address).open("ab") as file:
            file.write(msgspec.json.encode(note) + b"\n")
    except StoreReadOnly:
        return


def note_waiting_backups(transaction: Transaction, address: Address) -> None:
    """Write down the backups that were made beside a running server; once that is kept, they are forgotten."""
    if address.kind is not DatabaseKind.SQLITE:
        return
    waiting, taken = _noted(address), _taken(address)
    if waiting.is_file() and not taken.exists():
        waiting.rename(taken)  # what comes meanwhile makes a new file
    if taken.is_file():
        for line in taken.read_bytes()[:LARGEST_NOTES].splitlines()[:MOST_NOTES]:
            with suppress(msgspec.MsgspecError):
                _note(transaction, msgspec.json.decode(line, type=BackupNote))


def forget_waiting_backups(address: Address) -> None:
    if address.kind is DatabaseKind.SQLITE:
        _taken(address).unlink(missing_ok=True)


class BackupNote(msgspec.Struct, frozen=True):
    """A backup that was made."""

    time: int
    by: str
    file: str
    rows: int
    digest: str  # SHA-256 of the file.


LARGEST_NOTES, MOST_NOTES = 1024 * 1024, 1_000  # Of the file with backups that wait to be written down.


def _noted(address: Address) -> Path:
    return Path(f"{address.path}.backups")


def _taken(address: Address) -> Path:
    return Path(f"{address.path}.backups-taken")


def _note(transaction: Transaction, note: BackupNote) -> None:
    after = {"file": note.file, "rows": note.rows, "sha256": note.digest}
    subject = Subject.DATABASE.of("backup")
    transaction.note(HouseCode.BACKUP_MADE, subject, note.by, note.time, after=after)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
            with closing(connect_to(address, create=True)) as target, _newest(source, revision, path) as newest:
                is_ours = revision_of(target, address) is not None
                if is_ours and any(target.all(f"SELECT 1 FROM {table} LIMIT 1") for table in _tables_of(target)):
                    raise NotEmpty(f"{address} is not empty; a backup is restored only into an empty database")
                bring_up_to_date(target, address)
                count = _copy(newest, target)
            _mark_restored(address, path)
    return count


def moment_of(path: Path) -> int:
    """When the last thing happened that a backup has, in milliseconds; 0 where nothing ever did."""
    with closing(SqliteConnection(path, create=False, is_read_only=True)) as source:
        source.driver.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
        if revision_of(source, Address(DatabaseKind.SQLITE, str(path))) is None:
            raise NotOurs(f"{path} is not a backup of Punto")
        _check_tables(source, path)
        last = [row[0] for look in _LAST for row in source.all(look)]
    return max((int(time) for time in last if isinstance(time, int)), default=0)


_LAST = (
    "SELECT max(json_extract(e.body, '$.time')) FROM events e JOIN tables t ON e.table_id = t.id AND e.seq = t.version",
    "SELECT max(time_ms) FROM movements",
    "SELECT json_extract(body, '$.time') FROM house_events ORDER BY seq DESC LIMIT 1",
)
"""Where the latest times stand."""


def backup_until(place: Path, until: int) -> tuple[Path, int]:
    """The backup in a folder, or the one that is named, which comes nearest to a moment and has nothing after it; and
    its own moment. Files of other kinds are passed over.
    """
    files = sorted(place.iterdir()) if place.is_dir() else [place]
    moments = dict[Path, int]()
    for file in files:
        try:
            moments[file] = moment_of(file)
        except StoreError:
            if file == place:
                raise
    early = {file: moment for file, moment in moments.items() if moment <= until}
    if not early:
        first = min(moments.values(), default=None)
        what = "there is no backup" if first is None else f"the earliest backup has what happened until {_utc(first)}"
        raise NoDatabase(f"{place} has no backup from before {_utc(until)}: {what}")
    return max(early.items(), key=lambda found: (found[1], found[0].name))


def _utc(ms: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ms // 1000))


@contextmanager
def _newest(source: SqliteConnection, revision: str, path: Path) -> Iterator[SqliteConnection]:
    """A backup with the newest schema: itself, or a copy that is brought up to date."""
    if revision == revisions()[-1]:
        yield source
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "backup.db"
        with closing(sqlite3.connect(copy)) as draft:
            source.roll_back()
            source.driver.backup(draft)
        try:
            upgrade(Address(DatabaseKind.SQLITE, str(copy)))
        except (TypeError, ValueError, AttributeError, LookupError, RecursionError) as error:
            raise StoreBroken(f"the backup {path} is damaged: {error}") from error
        with closing(SqliteConnection(copy)) as newest:
            newest.begin_read()
            yield newest


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
            _remove(address.path)
        elif is_new:
            with closing(connect_to(address, create=True)) as target:
                target.begin_write()
                for table in (*reversed(TABLES), MARK):
                    target.run(f"DROP TABLE IF EXISTS {table}")
                target.commit()
        raise


def _remove(database: Path) -> None:
    for end in ("", "-wal", "-shm", "-journal"):
        Path(f"{database}{end}").unlink(missing_ok=True)


def _mark_restored(address: Address, path: Path) -> None:
    """Say that it was restored: cards dealt after the backup are known, and would be dealt again."""
    with closing(connect_to(address, create=False)) as target:
        target.begin_write()
        transaction = Transaction(target)
        set_mark(transaction, RESTORED, path.name)
        remove_mark(transaction, IDENTITY)
        subject, now = Subject.DATABASE.of("house"), time.time_ns() // 1_000_000
        transaction.note(HouseCode.DATABASE_RESTORED, subject, OPENER, now, after={"file": path.name})
        transaction.finish()
        target.commit()


def _tables_of(connection: Connection) -> list[str]:
    """The tables of its schema, which may be an earlier one."""
    names = connection.tables()
    return [table for table in TABLES if table in names and table not in PASSING]


def _copy(source: Connection, target: Connection) -> int:
    """Copy every row from a transaction that has begun into one that is committed here."""
    count = 0
    target.begin_write()
    try:
        for name in _tables_of(target):
            columns = target.columns(name)
            places = [i for i, column in enumerate(columns) if f" {column} BOOLEAN" in TABLES[name]]
            for page in source.pages(f"SELECT {', '.join(columns)} FROM {name}", ROWS_COPIED):
                target.insert(name, columns, [_fitted(row, places) for row in page])
                count += len(page)
            if " id INTEGER" in TABLES[name]:
                target.restart_ids(name)
        target.commit()
    except BaseException:
        target.roll_back()
        raise
    return count


_STORED = {"TEXT": "text", "BIGINT": "integer", "INTEGER": "integer", "BOOLEAN": "integer", "BLOB": "blob"}
"""By kind of column: how SQLite keeps what Punto writes there."""


def _check_kinds(source: SqliteConnection, path: Path) -> None:
    """SQLite keeps any value in any column: each must be of the kind that its column is for, or empty."""
    for table in _tables_of(source):
        columns = [(str(name), str(kind).upper()) for _, name, kind, *_ in source.all(f"PRAGMA table_info({table})")]
        quoted = [('"' + name.replace('"', '""') + '"', _STORED.get(kind)) for name, kind in columns]
        wrong = " OR ".join(f"typeof({name}) NOT IN ('null', '{kind}')" for name, kind in quoted)
        if None in dict(quoted).values() or source.all(f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1"):
            raise StoreBroken(f"the backup {path} is damaged: a value in its table {table} is of another kind")


def _fitted(row: Row, places: list[int]) -> Row:
    """A row for PostgreSQL, which tells yes and no, at these places, from numbers."""
    return tuple(bool(value) if i in places else value for i, value in enumerate(row)) if places else row


def _publish(draft: Path, path: Path) -> None:
    """Give the finished file its name, unless another has come to be there; both outlive a loss of power."""
    sync(draft)
    try:
        os.link(draft, path)
    except FileExistsError:
        raise NotEmpty(f"{path} is already there; a backup is never written over another file") from None
    sync(path.absolute().parent)


def _explained(error: OSError, path: Path) -> StoreError:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return DiskFull(f"there is no room left for {path}; no backup was made")
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return StoreReadOnly(f"{path} cannot be written: {error.strerror}")
        case _:
            return StoreBroken(f"{path} cannot be written: {error.strerror}")
