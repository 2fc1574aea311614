"""Which process has a database in use: one server for an SQLite file, as many as you like for PostgreSQL.

For an SQLite file the server holds a lock on `FILE.lock` for as long as it lives; the operating system lets
go of it when the process ends, however it ends. What stands in the file says who it is. On Linux the database
file itself is locked as well, so that one that was moved, or whose lock was deleted, is not served twice.
Others may not write meanwhile; reading and backups need no lock. The command line hands what it has to write to that
server: the file says where it is, and has a key drawn at its start, which only whoever may open the file can read. Such
a one could write to the database, if no server had it, so the key gives nobody anything that they did not have.

On a PostgreSQL server everybody locks rows, and nothing is needed here: which servers run there, and which of them
deals where, is in `lease`.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import lru_cache
from pathlib import Path

import msgspec

from punto.store.connection import Address, DatabaseKind
from punto.store.errors import StoreError, StoreInUse

_OURS: set[Path] = set()  # The files that this process has in use.


class LockHolder(msgspec.Struct, frozen=True):
    """Which server has a file, where it is, and the key of the command line for it."""

    pid: int
    url: str
    key: str = ""  # Empty where an older server has the file.


def in_use(address: Address, url: str) -> AbstractContextManager[str | None]:
    """Have a database in use for a server at this address; `StoreInUse` names whoever has its file already.

    What comes of it is the key by which the server knows the command line of this machine; None where everybody
    may write.
    """
    return _locked_file(address.path, url) if address.kind is DatabaseKind.SQLITE else nullcontext(None)


def holder_of(address: Address) -> LockHolder | None:
    """Which server, in another process, has the file of a database in use; None where none is known to."""
    if address.kind is not DatabaseKind.SQLITE:
        return None
    path = _lock_of(address.path)
    if path in _OURS:
        return None
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None  # no server has ever had it, or nobody here may know
    try:
        return None if _try(file, fcntl.LOCK_SH) else _holder(file)
    finally:
        os.close(file)


def check_not_in_use(address: Address) -> None:
    """Raise `StoreInUse` if another process has the file of a database in use."""
    if address.kind is not DatabaseKind.SQLITE:
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
def _locked_file(database: Path, url: str) -> Iterator[str]:
    _check_names(database)
    path, key = _lock_of(database), secrets.token_urlsafe(32)
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        why = error.strerror if path.parent.is_dir() else f"there is no folder {path.parent}"
        raise StoreError(f"{database} cannot be written: {why}") from None
    try:
        if not _try(file, fcntl.LOCK_EX):
            raise StoreInUse(_sentence(database, file))
        with _locked_content(database):
            os.fchmod(file, 0o600)  # it may be older than the key
            os.ftruncate(file, 0)
            os.pwrite(file, msgspec.json.encode(LockHolder(os.getpid(), url, key)), 0)
            _OURS.add(path)
            try:
                yield key
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


def _holder(file: int) -> LockHolder | None:
    try:
        return msgspec.json.decode(os.pread(file, 4096, 0), type=LockHolder)
    except (OSError, msgspec.MsgspecError):
        return None


def _sentence(database: Path, file: int) -> str:
    holder = _holder(file)
    if holder is None:
        return f"{database} is in use by another punto serve"
    return f"{database} is in use by punto serve at {holder.url} (process {holder.pid})"
