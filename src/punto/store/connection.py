"""Reaching a database: its address, a file for SQLite or a server for PostgreSQL, and what the store asks of
a connection. Statements are written once, with `?` for a value and `FOR UPDATE` where rows are to be
locked; `sqlite` and `postgres` turn them into the words of their database, and errors of a driver into sentences.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote, urlsplit

from punto.store.errors import BadAddress, StoreError

EXPECTED = "expected a path, sqlite:///path or postgresql://user@host/database"


class DatabaseKind(Enum):
    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


@dataclass(frozen=True, slots=True, repr=False)
class Address:
    kind: DatabaseKind
    place: str  # The path of the file, or the address of the server as PostgreSQL itself reads it.

    @property
    def path(self) -> Path:
        assert self.kind is DatabaseKind.SQLITE
        return Path(self.place)

    @property
    def whole(self) -> Address:
        """The same place, for whoever reads it in another folder: a file with its whole path."""
        return Address(self.kind, str(self.path.absolute())) if self.kind is DatabaseKind.SQLITE else self

    def __repr__(self) -> str:
        return f"<Address {self}>"

    def __str__(self) -> str:
        """For people: without a password."""
        return self.place if self.kind is DatabaseKind.SQLITE else shown_address(self.place)


def parse_address(text: str) -> Address:
    """Read an address, or raise `BadAddress` with what was expected."""
    scheme, separator, rest = text.partition("://")
    if not separator and _SECRET.search(text):
        raise BadAddress(f"a list of settings is not the address of a database; {EXPECTED}")
    is_slip = _LIKE_A_SERVER.search(text) or text.lower().startswith(("sqlite:", "postgresql:", "postgres:"))
    if not text.strip() or "\0" in text or (not separator and is_slip):
        raise BadAddress(f"{shown_address(text)!r} is not the address of a database; {EXPECTED}")
    if not separator:
        return _file(text, text)
    match scheme.lower():
        case "sqlite" if not rest.startswith("/") or "?" in rest:
            raise BadAddress(f"{shown_address(text)!r} is not the address of an SQLite file; expected sqlite:///path")
        case "sqlite":
            return _file(unquote(rest[1:]), text)
        case "postgresql" | "postgres":
            return _server(text)
        case _:
            raise BadAddress(f"{scheme}:// is not a kind of database that Punto uses; {EXPECTED}")


def _file(path: str, text: str) -> Address:
    if not path or path == ":memory:" or path.endswith("/"):
        raise BadAddress(f"{text!r} does not name the file of a database; {EXPECTED}")
    return Address(DatabaseKind.SQLITE, path)


def _server(text: str) -> Address:
    address = Address(DatabaseKind.POSTGRESQL, text)
    try:
        split = urlsplit(text)
        _ = split.port
    except ValueError:
        raise BadAddress(f"{address} is not the address of a server; {_ENCODED}") from None
    if _BROKEN.search(text):
        raise BadAddress(f"{address} has a percent sign that stands for nothing; {_ENCODED}")
    return address


_BROKEN = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ENCODED = "in a name or password write % as %25, / as %2F, ? as %3F, # as %23 and @ as %40"


def shown_address(text: str) -> str:
    """An address as it is shown to people: without a password, wherever in it that stands.

    What cannot be taken apart for certain is not shown: a password may have any of the signs that part an
    address.
    """
    scheme, separator, rest = text.partition("://")
    if not separator:
        is_path = "@" not in text and not _SECRET.search(text) and not _LIKE_A_SERVER.search(text)
        return text if is_path else f"{text.partition(':')[0] if ':' in text else ''}…"
    place, _, query = rest.partition("?")
    host, slash, name = place.partition("/")
    user, at, host = host.rpartition("@")
    user = user.partition(":")[0]
    is_certain = rest.count("@") <= 1 and _HOSTS.fullmatch(host) and _PLAIN.fullmatch(user + name)
    if not is_certain or (at and "@" in query):
        return f"{scheme}://…"
    public = [part for part in query.split("&") if part.partition("=")[0] in _TOLD and "@" not in part]
    return f"{scheme}://{user}{at}{host}{slash}{name}{'?' if public else ''}{'&'.join(public)}"


_SECRET = re.compile(r"pass\w*\s*=", re.IGNORECASE)
_LIKE_A_SERVER = re.compile(r"//.*:.*@|^postgres\w*[:=]", re.IGNORECASE)
"""A slip of the pen: as the name of a file it would be shown."""
_HOST = r"(\[[0-9A-Fa-f:.]*\]|[\w.%\-]*)(:[0-9]*)?"
_HOSTS = re.compile(f"{_HOST}(,{_HOST})*")
_PLAIN = re.compile(r"[\w.%\-]*")
_TOLD = ("host", "port", "user", "dbname", "sslmode", "application_name", "connect_timeout")
"""What of the query of an address is shown; everything else may be a secret."""


Row = tuple[Any, ...]


class Connection(ABC):
    """One connection to a database; one transaction at a time."""

    driver: Any
    failures: ClassVar[tuple[type[Exception], ...]]  # What its driver raises.
    reading: ClassVar[tuple[str, str]]  # How reading begins; the first look fixes what is seen.
    table_names: ClassVar[str]
    column_names: ClassVar[str]
    page_cursor: ClassVar[tuple[str, ...]] = ()  # The name of a cursor that the database keeps.
    clock: ClassVar[str]  # The time of the database in milliseconds, as an expression.
    is_shared: ClassVar[bool] = False  # Whether several servers may have the database in use.

    def begin_read(self) -> None:
        """Begin to read: everything is seen as it is at this moment, whatever others write meanwhile."""
        begin, look = self.reading
        self.run(begin)
        self.all(look)

    @abstractmethod
    def begin_write(self, server: str = "") -> None:
        """Begin to write, for a server of this name: if it falls silent in the middle, others need not wait for it."""

    @abstractmethod
    def commit(self) -> None:
        """Keep everything that was written; once this returns, it outlives a loss of power."""

    @abstractmethod
    def roll_back(self) -> None:
        """Leave everything as it was; nothing is raised where there is nothing to leave."""

    def all(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows that a statement finds."""
        try:
            rows: list[Row] = self._execute(statement, values).fetchall()
        except self.failures as error:
            raise self.explained(error) from error
        return rows

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Carry out a statement; the number of rows it touched."""
        try:
            return int(self._execute(statement, values).rowcount)
        except self.failures as error:
            raise self.explained(error) from error

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> int:
        """Carry out a statement with each of these rows; the number of rows it touched."""
        if not rows:
            return 0
        try:
            with closing(self.driver.cursor()) as cursor:
                cursor.executemany(self._worded(statement), rows)
                return int(cursor.rowcount)
        except self.failures as error:
            raise self.explained(error) from error

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        self.many(inserting(table, columns), rows)

    def put(self, table: str, key: Sequence[str], row: Mapping[str, Any]) -> None:
        """Add a row to a table, or change the one that has the same key."""
        changes = ", ".join(f"{name} = excluded.{name}" for name in row if name not in key)
        statement = f"{inserting(table, [*row])} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}"
        self.run(statement, [*row.values()])

    @abstractmethod
    def next_ids(self, table: str, count: int) -> Sequence[int]:
        """Fresh numbers for the column `id` of a table, rising."""

    def lock(self, *names: str) -> None:  # noqa: B027
        """In a transaction that writes: whoever asks for one of these names waits until this one ends.

        Names are locked in one order, whoever asks for them. Where there is one writer, nothing has to be done.
        """

    def end_transactions(self, servers: Sequence[str]) -> None:  # noqa: B027
        """End whatever servers that have gone were writing: it is undone, and what they held is free."""

    def without_waiting(self) -> None:  # noqa: B027
        """In a transaction that writes: it need not outlive a loss of power, so nobody waits for the disk."""

    def restart_ids(self, table: str) -> None:  # noqa: B027
        """After rows were written with their numbers: what `next_ids` gives lies above them."""

    def tables(self) -> set[str]:
        return {name for (name,) in self.all(self.table_names)}

    def columns(self, table: str) -> list[str]:
        """The names of the columns of a table, in their order."""
        return [name for (name,) in self.all(self.column_names, (table,))]

    def pages(self, statement: str, size: int) -> Iterator[list[Row]]:
        """The rows that a statement finds, a block at a time."""
        try:
            with closing(self.driver.cursor(*self.page_cursor)) as cursor:
                cursor.execute(self._worded(statement))
                while page := cursor.fetchmany(size):
                    yield page
        except self.failures as error:
            raise self.explained(error) from error

    @property
    def is_lost(self) -> bool:
        """Whether the other end has gone."""
        return False

    @abstractmethod
    def is_alive(self) -> bool:
        """Whether the connection can be used again."""

    def close(self) -> None:
        self.driver.close()

    @abstractmethod
    def explained(self, error: BaseException) -> StoreError:
        """What an error of the driver means, in one sentence."""

    @abstractmethod
    def _worded(self, statement: str) -> str:
        """A statement in the words of the database."""

    def _execute(self, statement: str, values: Sequence[Any]) -> Any:
        # Without values a driver leaves percent signs alone.
        return self.driver.execute(self._worded(statement), *((values,) if values else ()))


def inserting(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({placeholders(len(columns))})"


def placeholders(count: int) -> str:
    return ", ".join("?" * count)
