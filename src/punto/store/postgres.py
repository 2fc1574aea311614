"""PostgreSQL through psycopg 3: many programs at one database, rows locked one by one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, LiteralString

import psycopg
from psycopg import errors as driver_errors

from punto.store import errors
from punto.store.connection import Address, Connection
from punto.store.errors import NoDatabase, NoServer, StoreBroken, StoreError

CONNECT_S = 10
COPIED = 8  # From this number of rows on, copying them into a table at once is faster than adding one by one.
LOCK_MS = 30_000  # How long one writer waits for the rows of another.
IDLE_MS = 5_000
"""How long a server may say nothing within a transaction that writes: one that was stopped in the middle, or whose
machine has vanished, must not hold its tables for others to wait. (PostgreSQL forgets this time after a pipeline of
statements, so other servers end the transactions of one that is gone; this is for the last one that is left.)"""
_NAME = "punto-"  # How the names of connections begin that write for a server.


class PostgresConnection(Connection):
    driver: psycopg.Connection
    failures = (psycopg.Error,)
    reading = ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "SELECT 1")
    table_names = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    column_names = (
        "SELECT column_name FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position"
    )
    page_cursor = ("pages",)
    clock = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
    is_shared = True

    def __init__(self, address: Address, options: Mapping[str, Any] | None = None) -> None:
        self._address = address
        self._notified: list[str] = []  # What others have notified, where this connection listens.
        try:
            self.driver = psycopg.connect(
                address.place, autocommit=True, connect_timeout=CONNECT_S, application_name="punto", **(options or {})
            )
            self.driver.add_notify_handler(lambda notify: self._notified.append(notify.payload))
            with self.driver.cursor() as cursor:
                cursor.execute(f"SET lock_timeout = {LOCK_MS}")
                cursor.execute("SHOW synchronous_commit")
                if cursor.fetchone() == ("off",):
                    # Faster, and loses the last commands when the server's machine loses its power.
                    cursor.execute("SET synchronous_commit = on")
        except psycopg.Error as error:
            raise _unreachable(error, address) from None  # the driver quotes what it cannot read

    def begin_write(self, server: str = "") -> None:
        assert not server or server.isalnum()
        settings = {"idle_in_transaction_session_timeout": f"{IDLE_MS}", "application_name": f"'{_NAME}{server}'"}
        local = "".join(f"; SET LOCAL {name} = {value}" for name, value in settings.items() if server)
        try:
            # In one message, which cannot be prepared.
            self.driver.execute(f"BEGIN{local}".encode(), prepare=False)
        except psycopg.Error as error:
            raise self.explained(error) from error

    def commit(self) -> None:
        try:
            status = self.driver.execute("COMMIT").statusmessage
        except psycopg.Error as error:
            is_lost = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
            if is_lost and (self.driver.broken or self.driver.closed):
                sentence = f"the connection to {self._address} was lost while a change was being kept"
                raise errors.CommitUnknown(f"{sentence}: send it again with the same key") from error
            raise self.explained(error) from error
        # PostgreSQL answers the commit of a transaction that had failed with ROLLBACK, and no error.
        assert status == "COMMIT", "a transaction that failed is rolled back, never committed"

    def roll_back(self) -> None:
        with suppress(psycopg.Error):
            self.driver.execute("ROLLBACK")

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        if len(rows) < COPIED:
            super().insert(table, columns, rows)
            return
        copying = self._worded(f"COPY {table} ({', '.join(columns)}) FROM STDIN")
        try:
            with self.driver.cursor() as cursor, cursor.copy(copying) as copy:
                for row in rows:
                    copy.write_row(row)
        except psycopg.Error as error:
            raise self.explained(error) from error

    def next_ids(self, table: str, count: int) -> Sequence[int]:
        rows = self.all("SELECT nextval(pg_get_serial_sequence(?, 'id')) FROM generate_series(1, ?)", (table, count))
        return sorted(number for (number,) in rows)

    def lock(self, *names: str) -> None:
        numbered = "SELECT DISTINCT hashtext(name) AS number FROM unnest(?::text[]) AS name ORDER BY number"
        wanted = [f"punto/{name}" for name in names]
        self.all(f"SELECT pg_advisory_xact_lock(number) FROM ({numbered}) AS numbers", (wanted,))

    def end_transactions(self, servers: Sequence[str]) -> None:
        names = [f"{_NAME}{server}" for server in servers]
        ending = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        self.all(f"{ending} AND application_name = ANY(?) AND pid <> pg_backend_pid()", (names,))

    def without_waiting(self) -> None:
        self.run("SET LOCAL synchronous_commit = off")

    def notified(self) -> list[str]:
        """What others have notified since the last time, as far as it has come."""
        try:
            connection = self.driver.pgconn
            connection.consume_input()
            while (notify := connection.notifies()) is not None:
                self._notified.append(notify.extra.decode())
        except psycopg.Error as error:
            raise self.explained(error) from error
        notified, self._notified = self._notified, []
        return notified

    def restart_ids(self, table: str) -> None:
        last = f"(SELECT max(id) FROM {table})"
        self.all(f"SELECT setval(pg_get_serial_sequence(?, 'id'), {last}) WHERE {last} IS NOT NULL", (table,))

    @property
    def is_lost(self) -> bool:
        return self.driver.broken

    def is_alive(self) -> bool:
        idle = psycopg.pq.TransactionStatus.IDLE
        return not self.driver.closed and self.driver.info.transaction_status == idle

    def explained(self, error: BaseException) -> StoreError:
        if self.driver.broken or self.driver.closed:
            return NoServer(f"the connection to {self._address} was lost: {_first_line(error)}")
        return _explained(error, self._address)

    def _worded(self, statement: str) -> LiteralString:
        return _with_marks(statement)


@cache
def _with_marks(statement: str) -> LiteralString:
    return statement.replace("?", "%s")  # statements are ours; values never stand in them


def _unreachable(error: psycopg.Error, address: Address) -> StoreError:
    if isinstance(error, driver_errors.InvalidCatalogName) or re.search(r'database ".*" does not exist', str(error)):
        return NoDatabase(f"the server has no database at {address}; create it first (createdb)")
    if isinstance(error, psycopg.ProgrammingError) or str(address).endswith("…"):
        return NoServer(f"no connection to {address}: its address has something that PostgreSQL cannot read")
    return NoServer(f"no connection to {address}: {_first_line(error)}")


def _explained(error: BaseException, address: Address) -> StoreError:
    match error:
        case driver_errors.DiskFull():
            return errors.DiskFull(f"there is no room left on the server of {address}; nothing of this was kept")
        case driver_errors.LockNotAvailable() | driver_errors.DeadlockDetected() | driver_errors.SerializationFailure():
            return errors.StoreLocked(f"{address} is locked by another program; try again when it is done")
        case driver_errors.ReadOnlySqlTransaction() | driver_errors.InsufficientPrivilege():
            return errors.StoreReadOnly(f"{address} cannot be written: {_first_line(error)}")
        case driver_errors.CheckViolation() if error.diag.constraint_name == "balances_below_zero":
            return errors.LedgerBroken(f"a posting would take an account below zero in {address}")
        case driver_errors.UniqueViolation():
            return errors.NotUnique(f"that is already in {address}: {_first_line(error)}")
        case _:
            return StoreBroken(f"{address} could not be used: {_first_line(error)}")


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
