"""Which process has a database file in use: one server for a file, and nobody else writes to it meanwhile.

The server holds a lock on `FILE.lock` for as long as it lives; the operating system lets go of it when the
process ends, however it ends. What stands in the file says who it is. Reading and backups need no lock. On a
PostgreSQL server rows are locked instead, and nothing is needed here.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import msgspec

from punto.store.address import Address, DatabaseKind
from punto.store.errors import StoreError, StoreInUse

_OURS: set[Path] = set()
"""The files that this process has in use."""


class LockHolder(msgspec.Struct, frozen=True):
    """Who has a file in use."""

    pid: int
    url: str


@contextmanager
def held(address: Address, url: str) -> Iterator[None]:
    """Have a database file in use for a server at this address; `StoreInUse` names whoever has it already."""
    if address.kind is not DatabaseKind.SQLITE:
        yield
        return
    path = _lock_of(address.path)
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        why = error.strerror if path.parent.is_dir() else f"there is no folder {path.parent}"
        raise StoreError(f"{address.path} cannot be written: {why}") from None
    try:
        if not _try(file, fcntl.LOCK_EX):
            raise StoreInUse(_sentence(address.path, file))
        os.ftruncate(file, 0)
        os.pwrite(file, msgspec.json.encode(LockHolder(os.getpid(), url)), 0)
        _OURS.add(path)
        try:
            yield
        finally:
            _OURS.discard(path)
            os.ftruncate(file, 0)
    finally:
        os.close(file)


def check_writable(address: Address) -> None:
    """Raise `StoreInUse` if another process has the file of a database in use."""
    if address.kind is not DatabaseKind.SQLITE:
        return
    path = _lock_of(address.path)
    if path in _OURS:
        return
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return  # no server has ever had it, or nobody here may know
    try:
        if not _try(file, fcntl.LOCK_SH):
            raise StoreInUse(f"{_sentence(address.path, file)}; stop it first, or do it there")
    finally:
        os.close(file)


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
