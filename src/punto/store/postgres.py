"""PostgreSQL through psycopg 3: many programs at one database, rows locked one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, LiteralString

import psycopg
from psycopg import errors

from punto.store.connection import Address, Row, inserting
from punto.store.errors import (
    CommitUnknown,
    DiskFull,
    LedgerBroken,
    NoDatabase,
    NoServer,
    NotUnique,
    StoreBroken,
    StoreError,
    StoreLocked,
    StoreReadOnly,
)

CONNECT_S = 10
COPIED = 8  # From this number of rows on, copying them into a table at once is faster than adding one by one.
LOCK_MS = 30_000  # How long one writer waits for the rows of another.


class PostgresConnection:
    def __init__(self, address: Address, options: Mapping[str, Any] | None = None) -> None:
        self._address = address
        try:
            self._connection = psycopg.connect(
                address.place, autocommit=True, connect_timeout=CONNECT_S, application_name="punto", **(options or {})
            )
            with self._connection.cursor() as cursor:
                cursor.execute(f"SET lock_timeout = {LOCK_MS}")
                cursor.execute("SHOW synchronous_commit")
                if cursor.fetchone() == ("off",):
                    # Faster, and loses the last commands when the server's machine loses its power.
                    cursor.execute("SET synchronous_commit = on")
        except psycopg.Error as error:
            raise _unreachable(error, address) from None  # the driver quotes what it cannot read

    @property
    def driver(self) -> psycopg.Connection:
        return self._connection

    def begin_read(self) -> None:
        self.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        self.all("SELECT 1")  # the first look fixes what is seen

    def begin_write(self) -> None:
        self.run("BEGIN")

    def commit(self) -> None:
        try:
            status = self._connection.execute("COMMIT").statusmessage
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            if self._connection.broken or self._connection.closed:
                sentence = f"the connection to {self._address} was lost while a change was being kept"
                raise CommitUnknown(f"{sentence}: send it again with the same key") from error
            raise self.explained(error) from error
        except psycopg.Error as error:
            raise self.explained(error) from error
        # PostgreSQL answers the commit of a transaction that had failed with ROLLBACK, and no error.
        assert status == "COMMIT", "a transaction that failed is rolled back, never committed"

    def roll_back(self) -> None:
        with suppress(psycopg.Error):
            self._connection.execute("ROLLBACK")

    def all(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        try:
            return self._connection.execute(_worded(statement), values or None).fetchall()
        except psycopg.Error as error:
            raise self.explained(error) from error

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        try:
            return self._connection.execute(_worded(statement), values or None).rowcount
        except psycopg.Error as error:
            raise self.explained(error) from error

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> int:
        if not rows:
            return 0
        try:
            with self._connection.cursor() as cursor:
                cursor.executemany(_worded(statement), rows)
                return cursor.rowcount
        except psycopg.Error as error:
            raise self.explained(error) from error

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        if len(rows) < COPIED:
            self.many(inserting(table, columns), rows)
            return
        copying = _worded(f"COPY {table} ({', '.join(columns)}) FROM STDIN")
        try:
            with self._connection.cursor() as cursor, cursor.copy(copying) as copy:
                for row in rows:
                    copy.write_row(row)
        except psycopg.Error as error:
            raise self.explained(error) from error

    def next_ids(self, table: str, count: int) -> Sequence[int]:
        rows = self.all("SELECT nextval(pg_get_serial_sequence(?, 'id')) FROM generate_series(1, ?)", (table, count))
        return sorted(number for (number,) in rows)

    def lock(self, name: str) -> None:
        self.all("SELECT pg_advisory_xact_lock(hashtext(?))", (f"punto/{name}",))

    def lock_all(self, names: Sequence[str]) -> None:
        numbered = "SELECT DISTINCT hashtext(name) AS number FROM unnest(?::text[]) AS name ORDER BY number"
        wanted = [f"punto/{name}" for name in names]
        self.all(f"SELECT pg_advisory_xact_lock(number) FROM ({numbered}) AS numbers", (wanted,))

    def restart_ids(self, table: str) -> None:
        last = f"(SELECT max(id) FROM {table})"
        self.all(f"SELECT setval(pg_get_serial_sequence(?, 'id'), {last}) WHERE {last} IS NOT NULL", (table,))

    def tables(self) -> set[str]:
        rows = self.all("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return {name for (name,) in rows}

    def columns(self, table: str) -> list[str]:
        statement = (
            "SELECT column_name FROM information_schema.columns "
            "WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position"
        )
        return [name for (name,) in self.all(statement, (table,))]

    def pages(self, statement: str, size: int) -> Iterator[list[Row]]:
        try:
            with self._connection.cursor("pages") as cursor:
                cursor.execute(_worded(statement))
                while page := cursor.fetchmany(size):
                    yield page
        except psycopg.Error as error:
            raise self.explained(error) from error

    def is_alive(self) -> bool:
        idle = psycopg.pq.TransactionStatus.IDLE
        return not self._connection.closed and self._connection.info.transaction_status == idle

    def close(self) -> None:
        self._connection.close()

    def explained(self, error: BaseException) -> StoreError:
        """What an error of the driver means, in one sentence."""
        if self._connection.broken or self._connection.closed:
            return NoServer(f"the connection to {self._address} was lost: {_first_line(error)}")
        return _explained(error, self._address)


@cache
def _worded(statement: str) -> LiteralString:
    # Statements are ours; values never stand in them.
    return statement.replace("?", "%s")


def _unreachable(error: psycopg.Error, address: Address) -> StoreError:
    if isinstance(error, errors.InvalidCatalogName) or re.search(r'database ".*" does not exist', str(error)):
        return NoDatabase(f"the server has no database at {address}; create it first (createdb)")
    if isinstance(error, psycopg.ProgrammingError) or str(address).endswith("…"):
        return NoServer(f"no connection to {address}: its address has something that PostgreSQL cannot read")
    return NoServer(f"no connection to {address}: {_first_line(error)}")


def _explained(error: BaseException, address: Address) -> StoreError:
    match error:
        case errors.DiskFull():
            return DiskFull(f"there is no room left on the server of {address}; nothing of this was kept")
        case errors.LockNotAvailable() | errors.DeadlockDetected() | errors.SerializationFailure():
            return StoreLocked(f"{address} is locked by another program; try again when it is done")
        case errors.ReadOnlySqlTransaction() | errors.InsufficientPrivilege():
            return StoreReadOnly(f"{address} cannot be written: {_first_line(error)}")
        case errors.CheckViolation() if error.diag.constraint_name == "balances_below_zero":
            return LedgerBroken(f"a posting would take an account below zero in {address}")
        case errors.UniqueViolation():
            return NotUnique(f"that is already in {address}: {_first_line(error)}")
        case _:
            return StoreBroken(f"{address} could not be used: {_first_line(error)}")


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
