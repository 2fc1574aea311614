"""Which process has a database in use: one server for a database, until several are supported.

For an SQLite file the server holds a lock on `FILE.lock` for as long as it lives; the operating system lets
go of it when the process ends, however it ends. What stands in the file says who it is. On Linux the database
file itself is locked as well, so that one that was moved, or whose lock was deleted, is not served twice.
Others may not write meanwhile; reading and backups need no lock.

On a PostgreSQL server the lock is an advisory one, of a connection that is for nothing else. It is lost with
the connection: that is noticed at once, nothing is written until it is ours again, and if another server was
faster this one stops. Commands of the command line lock rows and need nothing here.
"""

from __future__ import annotations

import fcntl
import logging
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

import msgspec

from punto.store.connection import Address, DatabaseKind
from punto.store.errors import NoServer, StoreError, StoreInUse, StoreLocked

if TYPE_CHECKING:
    from punto.store.postgres import PostgresConnection

HEARTBEAT_S = 5.0
"""How often the connection that holds a lock is asked whether it is there; that it was closed is seen at once."""
AGAIN_S = 1.0  # After a lock was lost, the time between two tries to have it again.
PATIENCE_MS = 3_000  # How long a server that starts waits for one that was just killed to be gone.
_SERVERS = 0x50756E74  # The kind of advisory lock that servers lock, "Punt"; which one of them is the schema's.
_LOCK = f"SELECT pg_advisory_lock({_SERVERS}, hashtext(current_schema()))"
_WHO = f"""
SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
WHERE l.locktype = 'advisory' AND l.granted AND l.classid = {_SERVERS} AND a.datname = current_database()
AND l.objid = ((hashtext(current_schema())::bigint + 4294967296) % 4294967296)::oid
"""
_OPTIONS = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 10_000}
"""So that a connection whose other end has vanished without a word is found broken within seconds."""
_LONGEST_NAME = 63  # Bytes of the name that a connection has.
_OURS: set[Path] = set()  # The files that this process has in use.
_LOCKS: dict[str, ServerLock] = {}  # The databases on servers that this process has in use, by their addresses.
_log = logging.getLogger("punto.server")


class LockHolder(msgspec.Struct, frozen=True):
    pid: int
    url: str


class ServerLock:
    """A database that this process has in use for its server."""

    def __init__(self) -> None:
        self.is_lost = False
        """Nobody knows whether another server has it now; nothing may be written."""
        self.taken: str | None = None
        """Another server has it: the sentence that says so."""
        self._stop: Callable[[], None] = lambda: None

    def when_taken(self, stop: Callable[[], None]) -> None:
        """What to do when another server has taken the database; may be called from another thread."""
        self._stop = stop
        if self.taken is not None:
            stop()

    def lose(self, sentence: str) -> None:
        self.taken = sentence
        self._stop()


def in_use(address: Address, url: str) -> AbstractContextManager[ServerLock]:
    """Have a database in use for a server at this address; `StoreInUse` names whoever has it already."""
    is_file = address.kind is DatabaseKind.SQLITE
    return _locked_file(address.path, url) if is_file else _locked_server(address, url)


def check_not_in_use(address: Address) -> None:
    """Raise `StoreInUse` if another process has the file of a database in use.

    On a PostgreSQL server others may write; only a server that has lost its lock may not.
    """
    if address.kind is not DatabaseKind.SQLITE:
        lock = _LOCKS.get(address.place)
        if lock is not None and (lock.is_lost or lock.taken is not None):
            raise NoServer(f"the lock on {address} was lost: another server may have it")
        return
    path = _lock_of(address.path)
    if path in _OURS:
        return
    _check_names(address.path)
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return  # no server has ever had it, or nobody here may know
    try:
        if not _try(file, fcntl.LOCK_SH):
            raise StoreInUse(f"{_sentence(address.path, file)}; stop it first, or do it there")
    finally:
        os.close(file)


@contextmanager
def _locked_file(database: Path, url: str) -> Iterator[ServerLock]:
    _check_names(database)
    path = _lock_of(database)
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        why = error.strerror if path.parent.is_dir() else f"there is no folder {path.parent}"
        raise StoreError(f"{database} cannot be written: {why}") from None
    try:
        if not _try(file, fcntl.LOCK_EX):
            raise StoreInUse(_sentence(database, file))
        with _locked_content(database):
            os.ftruncate(file, 0)
            os.pwrite(file, msgspec.json.encode(LockHolder(os.getpid(), url)), 0)
            _OURS.add(path)
            try:
                yield ServerLock()
            finally:
                _OURS.discard(path)
                os.ftruncate(file, 0)
    finally:
        os.close(file)


@contextmanager
def _locked_content(database: Path) -> Iterator[None]:
    """Lock the file itself, whatever its name is now.

    Only on Linux, where this is apart from the locks that SQLite sets on the same file. It is opened before
    SQLite does so and closed after it: closing it any earlier would let go of SQLite's locks.
    """
    if sys.platform != "linux":
        yield
        return
    try:
        file = os.open(database, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield  # whoever opens the database next says what is wrong with it
        return
    try:
        if not _try(file, fcntl.LOCK_EX):
            raise StoreInUse(f"{database} is in use by another punto serve, which knows it by another name")
        yield
    finally:
        os.close(file)


def _check_names(database: Path) -> None:
    """A file with several names would be damaged: SQLite keeps the latest changes beside one of them."""
    with suppress(OSError):
        names = database.stat().st_nlink
        if names > 1 and not database.is_dir():
            raise StoreInUse(
                f"{database} has {names} names (hard links), and under each SQLite would miss what was "
                "written under another; remove the others first"
            )


@lru_cache(maxsize=64)
def _lock_of(database: Path) -> Path:
    # Asked with every write. The same file under another name has the same lock.
    real = database.resolve()
    return real.with_name(f"{real.name}.lock")


def _try(file: int, kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise StoreError(f"the lock of a database cannot be used: {error.strerror}") from None
    return True


def _sentence(database: Path, file: int) -> str:
    try:
        holder = msgspec.json.decode(os.pread(file, 4096, 0), type=LockHolder)
    except (OSError, msgspec.MsgspecError):
        return f"{database} is in use by another punto serve"
    return f"{database} is in use by punto serve at {holder.url} (process {holder.pid})"


@contextmanager
def _locked_server(address: Address, url: str) -> Iterator[ServerLock]:
    lock = ServerLock()
    watch = _Watch(address, url, lock, _locked(address, url, PATIENCE_MS))
    _LOCKS[address.place] = lock
    try:
        yield lock
    finally:
        watch.end()
        _LOCKS.pop(address.place, None)


def _locked(address: Address, url: str, patience_ms: int) -> PostgresConnection:
    """A connection that holds the lock; `StoreInUse` where another server has it."""
    from punto.store.postgres import PostgresConnection

    connection = PostgresConnection(address, _OPTIONS)
    try:
        connection.all("SELECT set_config('application_name', ?, false)", (f"punto serve at {url}"[:_LONGEST_NAME],))
        connection.run(f"SET lock_timeout = {patience_ms}")
        connection.all(_LOCK)
    except StoreLocked:
        names = [name for (name,) in connection.all(_WHO) if name]
        connection.close()
        who = names[0] if names else "another punto serve"
        raise StoreInUse(f"{address} is in use by {who}; one server at a time has a database") from None
    except BaseException:
        connection.close()
        raise
    return connection


class _Watch:
    """Notices that a lock was lost, and has it again if nobody else does."""

    def __init__(self, address: Address, url: str, lock: ServerLock, connection: PostgresConnection) -> None:
        self._address, self._url, self._lock, self._ended = address, url, lock, Event()
        self._waking, self._woken = os.pipe()
        self._thread = Thread(target=self._run, args=(connection,), name="punto-lock", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        os.write(self._woken, b".")  # so that it looks at once
        self._thread.join()
        os.close(self._waking)
        os.close(self._woken)

    def _run(self, connection: PostgresConnection | None) -> None:
        """In a thread, until it has ended or another server has the lock."""
        try:
            while not self._ended.is_set() and self._lock.taken is None:
                if connection is None:
                    connection = self._again()
                elif not self._is_there(connection):
                    self._lock.is_lost = True
                    _log.warning("the lock on the database was lost", extra={"database": str(self._address)})
                    connection.close()
                    connection = None
        finally:
            if connection is not None:
                connection.close()

    def _is_there(self, connection: PostgresConnection) -> bool:
        """Wait a while; whether the lock is still ours then, or it has ended."""
        poll = select.poll()
        for file in (connection.driver.fileno(), self._waking):
            poll.register(file, select.POLLIN)
        poll.poll(HEARTBEAT_S * 1000)
        if self._ended.is_set():
            return True
        try:
            connection.all("SELECT 1")
        except StoreError:
            return False
        return True

    def _again(self) -> PostgresConnection | None:
        """The lock once more; None where the server does not answer yet, or another has it now."""
        try:
            connection = _locked(self._address, self._url, 1)
        except StoreInUse as taken:
            self._lock.lose(str(taken))
            return None
        except StoreError:
            self._ended.wait(AGAIN_S)
            return None
        self._lock.is_lost = False
        _log.warning("the lock on the database is ours again", extra={"database": str(self._address)})
        return connection
