"""One server for a database: others are refused and told who has it, readers and backups are not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest

from punto.store import server_lock as lock
from punto.store.backup import backup
from punto.store.connection import parse_address
from punto.store.errors import NoServer, StoreInUse
from punto.store.record import StoredAccount
from punto.store.server_lock import ServerLock, check_not_in_use, in_use
from punto.store.store import open_store
from tests.store.postgres_server import PostgresServer

HOLDER = """
import sys
from punto.store.connection import parse_address
from punto.store.server_lock import in_use
with in_use(parse_address(sys.argv[1]), "http://127.0.0.1:1234"):
    print("in use", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "house.db"
    open_store(str(made)).close()
    return made


def occupy(path: Path | str) -> subprocess.Popen[str]:
    """Another process that has a database in use."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "in use\n"
    return process


def test_a_second_server_and_other_writers_are_told_who_has_it(path: Path, tmp_path: Path) -> None:
    process = occupy(path)
    other = tmp_path / "other-name.db"
    other.symlink_to(path)
    named = f"is in use by punto serve at http://127.0.0.1:1234 (process {process.pid})"
    with pytest.raises(StoreInUse) as second, in_use(parse_address(str(other)), "http://127.0.0.1:2"):
        pass
    assert named in str(second.value)
    with open_store(str(path)) as store:
        with pytest.raises(StoreInUse) as writing, store.write() as transaction:
            transaction.add_account(StoredAccount("Lee", "USD", 0))
        assert named in str(writing.value)
        with store.read() as reader:
            assert reader.accounts() == []
        backup(store, tmp_path / "kept.db")
    process.kill()
    process.communicate()
    with open_store(str(path)) as store, store.write() as transaction:
        transaction.add_account(StoredAccount("Lee", "USD", 0))
    with in_use(parse_address(str(path)), "http://127.0.0.1:3"):
        pass


def test_whoever_has_it_writes(path: Path) -> None:
    address = parse_address(str(path))
    with in_use(address, "http://127.0.0.1:1"), open_store(address) as store:
        with store.write() as transaction:
            transaction.add_account(StoredAccount("Lee", "USD", 0))
        with pytest.raises(StoreInUse), in_use(address, "http://127.0.0.1:2"):
            pass
    check_not_in_use(address)


def test_a_file_is_served_once_whatever_its_name_is(path: Path, tmp_path: Path) -> None:
    """By a link, by a hard link, after it was moved, and after its lock was deleted."""
    process = occupy(path)
    link, hard, moved = (tmp_path / name for name in ("link.db", "hard.db", "moved.db"))
    (tmp_path / "folder").mkdir()
    link.symlink_to(path)
    others = [link, tmp_path / "folder" / ".." / path.name, Path(os.path.relpath(path))]
    for other in others:
        with pytest.raises(StoreInUse, match="is in use by punto serve at"), served(other):
            pass
    hard.hardlink_to(path)
    for name in (hard, path):
        with pytest.raises(StoreInUse, match="has 2 names"), served(name):
            pass
        with (
            open_store(str(name)) as store,
            pytest.raises(StoreInUse, match=r"has 2 names|is in use"),
            store.write() as transaction,
        ):
            transaction.add_account(StoredAccount("Lee", "USD", 0))
    hard.unlink()
    path.rename(moved)
    with pytest.raises(StoreInUse, match="knows it by another name"), served(moved):
        pass
    moved.rename(path)
    path.with_name("house.db.lock").unlink()
    with pytest.raises(StoreInUse, match="in use by another punto serve"), served(path):
        pass
    process.kill()
    process.communicate()
    with served(path):
        pass


def served(path: Path) -> AbstractContextManager[ServerLock]:
    return in_use(parse_address(str(path)), "http://127.0.0.1:2")


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    with served(path), open_store(str(path)) as store, store.write() as transaction:
        transaction.add_account(StoredAccount("Lee", "USD", 0))
    assert path.stat().st_mode & 0o777 == 0o600


# ── On a server ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def url(postgres: PostgresServer) -> Iterator[str]:
    with postgres.lent_database() as lent:
        open_store(lent).close()
        yield lent


def test_a_second_server_on_one_postgresql_is_refused(url: str) -> None:
    process = occupy(url)
    other = f"{url}&application_name=other"
    for address in (url, other):
        with (
            pytest.raises(StoreInUse, match=r"is in use by punto serve at http://127.0.0.1:1234"),
            in_use(parse_address(address), "http://127.0.0.1:2"),
        ):
            pass
    with open_store(url) as store, store.write() as transaction:
        transaction.add_account(StoredAccount("Lee", "USD", 0))  # short acts lock rows
    process.kill()
    process.communicate()
    with in_use(parse_address(url), "http://127.0.0.1:3") as found:
        assert found.taken is None


def test_other_databases_and_schemas_of_a_server_are_other_houses(url: str, postgres: PostgresServer) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA IF NOT EXISTS second")
    try:
        with (
            postgres.lent_database() as lent,
            in_use(parse_address(url), "http://127.0.0.1:1"),
            in_use(parse_address(lent), "http://127.0.0.1:2"),
            in_use(parse_address(f"{url}&options=-csearch_path%3Dsecond"), "http://127.0.0.1:3"),
        ):
            pass
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA second CASCADE")


def wait_until(is_so: Callable[[], bool]) -> None:
    """However long it takes; a test that hangs is seen."""
    while not is_so():
        pass


def end_holder(url: str) -> None:
    """The connection that holds the lock is cut."""
    with psycopg.connect(url, autocommit=True) as connection:
        gone = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name LIKE 'punto serve%' AND datname = current_database()"
        ).fetchall()
        assert gone == [(True,)]


def test_a_lock_that_was_lost_is_noticed_and_held_again(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    address, goes_on, lost = parse_address(url), Event(), Event()
    lock_again = lock._locked

    def later(*given: Any) -> Any:
        lost.set()
        assert goes_on.wait(60)
        return lock_again(*given)

    with in_use(address, "http://127.0.0.1:1") as found, open_store(address) as store:
        monkeypatch.setattr(lock, "_locked", later)
        end_holder(url)
        assert lost.wait(60) and found.is_lost
        with pytest.raises(NoServer, match=r"lock on .* was lost"), store.write():
            pass
        with store.read() as reader:
            assert reader.accounts() == []
        goes_on.set()
        wait_until(lambda: not found.is_lost)
        with store.write() as transaction:
            transaction.add_account(StoredAccount("Lee", "USD", 0))
        with pytest.raises(StoreInUse, match=r"http://127\.0\.0\.1:1"), in_use(address, "http://127.0.0.1:2"):
            pass


def test_a_server_whose_lock_was_taken_stops(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    address, others, stopped = parse_address(url), list[subprocess.Popen[str]](), Event()
    lock_again = lock._locked

    def too_late(*given: Any) -> Any:
        others.append(occupy(url))
        return lock_again(*given)

    with in_use(address, "http://127.0.0.1:1") as found, open_store(address) as store:
        found.when_taken(stopped.set)
        monkeypatch.setattr(lock, "_locked", too_late)
        end_holder(url)
        assert stopped.wait(60)
        assert found.taken is not None and "http://127.0.0.1:1234" in found.taken
        with pytest.raises(NoServer), store.write():
            pass
    for process in others:
        process.kill()
        process.communicate()
