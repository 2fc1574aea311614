"""A store: the database of a house, opened once and shared by its threads.

`read` gives one consistent view, `write` a transaction that is committed at the end and undone on an error.
Connections are kept and given to whoever comes next.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING

from punto.store.address import Address, DatabaseKind, parse_address
from punto.store.errors import NotOurs, SchemaUnknown
from punto.store.migrations import HEAD, MARK, REVISIONS, make_newest, upgrade
from punto.store.reader import Reader
from punto.store.running.lock import check_writable
from punto.store.sqlite import SqliteConnection
from punto.store.transaction import Transaction

if TYPE_CHECKING:
    from punto.store.postgres import PostgresConnection

    AnyConnection = SqliteConnection | PostgresConnection


class Store:
    """A database that is open."""

    def __init__(self, address: Address, first: AnyConnection) -> None:
        self.address = address
        self._free = [first]
        self._lock = Lock()
        self._is_closed = False

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
        check_writable(self.address)
        with self.connection() as connection:
            connection.begin_write()
            try:
                transaction = Transaction(connection)
                yield transaction
                transaction.finish()
                connection.commit()
            except BaseException:
                connection.roll_back()
                raise

    def close(self) -> None:
        """Give every connection back; what is in use is given back when it is done."""
        with self._lock:
            self._is_closed = True
            free, self._free = self._free, []
        for connection in free:
            connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def connection(self) -> Iterator[AnyConnection]:
        """A connection for as long as it is needed."""
        with self._lock:
            assert not self._is_closed, "the store is open"
            free = [self._free.pop()] if self._free else []
        for dead in (each for each in free if not each.is_alive()):
            dead.close()
            free = []
        connection = free[0] if free else connect_to(self.address, create=False)
        try:
            yield connection
        finally:
            with self._lock:
                is_kept = connection.is_alive() and not self._is_closed
                if is_kept:
                    self._free.append(connection)
            if not is_kept:
                connection.close()


def open_store(url: str | Address, *, create: bool = True) -> Store:
    """Open a database by its address; make it where there is none, unless told not to.

    A database of an earlier version is brought up to date. Whatever is wrong is a `StoreError` that says so
    in one sentence.
    """
    address = url if isinstance(url, Address) else parse_address(url)
    connection = connect_to(address, create=create)
    try:
        revision = revision_of(connection, address)
        if revision is None and isinstance(connection, SqliteConnection):
            make_newest(connection)
            revision = revision_of(connection, address)
        if revision != HEAD:
            upgrade(address)
        return Store(address, connection)
    except BaseException:
        connection.close()
        raise


def connect_to(address: Address, *, create: bool) -> AnyConnection:
    """A connection of the right kind."""
    if address.kind is DatabaseKind.SQLITE:
        return SqliteConnection(address.path, create=create)
    from punto.store.postgres import PostgresConnection  # psycopg is loaded where there is a server

    return PostgresConnection(address)


def revision_of(connection: AnyConnection, address: Address) -> str | None:
    """The schema that a database has, None where it is empty; an error where it is not one of ours."""
    names = connection.tables()
    if MARK not in names:
        if names:
            raise NotOurs(f"{address} is a database of something else; nothing was changed in it")
        return None
    found = [revision for (revision,) in connection.all(f"SELECT version_num FROM {MARK}")]
    if not found:
        return None
    if found[0] not in REVISIONS:
        known = f"this version of Punto knows schemas up to {HEAD}"
        raise SchemaUnknown(f"{address} has the schema {found[0]} of a newer version; {known}")
    return str(found[0])
