"""What PostgreSQL is asked for, what its errors mean, and that a lost connection loses nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from punto.store.errors import NoDatabase, NoServer, NotOurs, SchemaUnknown, StoreLocked, StoreReadOnly
from punto.store.store import open_store
from tests.store.postgres_server import PostgresServer
from tests.store.sessions import add_table, events_of

EVENTS = events_of("insurance/banker-insurance-after-four-cards")


def test_no_server(tmp_path: Path) -> None:
    with pytest.raises(NoServer) as caught:
        open_store(f"postgresql://lee:secret@/punto?host={tmp_path}")
    assert "\n" not in str(caught.value) and "secret" not in str(caught.value)


def test_no_database(postgres: PostgresServer) -> None:
    with pytest.raises(NoDatabase, match="createdb"):
        open_store(postgres.address("nowhere"))


def test_the_database_of_another_program_is_left_alone(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    with psycopg.connect(address) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(NotOurs):
        open_store(address)


def test_a_newer_schema_is_refused(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    open_store(address).close()
    with psycopg.connect(address) as other:
        other.execute("UPDATE punto_schema SET version_num = '9999'")
    with pytest.raises(SchemaUnknown, match="9999"):
        open_store(address)


def test_a_commit_waits_for_the_disk_whatever_the_server_says(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    name = address.partition("@/")[2].partition("?")[0]
    with psycopg.connect(address, autocommit=True) as other:
        other.execute(f"ALTER DATABASE {name} SET synchronous_commit = off".encode())
    with open_store(address) as store, store.read() as reader:
        assert reader.rows("SHOW synchronous_commit") == [("on",)]


def test_a_server_that_may_only_be_read(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    open_store(address).close()
    name = address.partition("@/")[2].partition("?")[0]
    with psycopg.connect(address, autocommit=True) as other:
        other.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
    with open_store(address) as store, pytest.raises(StoreReadOnly), store.write() as transaction:
        transaction.add_book("d", "n", "{}")


def test_a_locked_table(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.store.postgres.LOCK_MS", 10)
    address = postgres.new_database()
    with open_store(address) as store, open_store(address) as other:
        with store.write() as transaction:
            add_table(transaction, "t1")
        with store.write() as transaction:
            transaction.lock_tables(["t1"])
            with pytest.raises(StoreLocked), other.write() as second:
                second.lock_tables(["t1"])


def test_a_connection_that_was_lost_is_replaced(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    with open_store(address) as store:
        with store.write() as transaction:
            add_table(transaction, "t1")
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'punto'"
        with psycopg.connect(address, autocommit=True) as other:
            other.execute(end)
        with pytest.raises(NoServer), store.write() as transaction:
            transaction.append("t1", 0, EVENTS)
        with store.write() as transaction:
            transaction.append("t1", 0, EVENTS)
        with store.read() as reader:
            assert len(reader.records("t1")) == len(EVENTS)


def test_many_programs_open_a_new_database_at_once(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    with ThreadPoolExecutor(4) as pool:
        for store in pool.map(lambda _: open_store(address), range(4)):
            store.close()
