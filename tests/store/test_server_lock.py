"""One server for an SQLite file: others are refused and told who has it, readers and backups are not."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from punto.store.backup import backup
from punto.store.connection import parse_address
from punto.store.errors import StoreInUse
from punto.store.record import StoredAccount
from punto.store.server_lock import check_not_in_use, in_use
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


def served(path: Path) -> AbstractContextManager[str | None]:
    return in_use(parse_address(str(path)), "http://127.0.0.1:2")


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    with served(path), open_store(str(path)) as store, store.write() as transaction:
        transaction.add_account(StoredAccount("Lee", "USD", 0))
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_database_on_a_server_is_for_as_many_servers_as_there_are(postgres: PostgresServer) -> None:
    with (
        postgres.lent_database() as url,
        in_use(parse_address(url), "http://127.0.0.1:1"),
        in_use(parse_address(url), "http://127.0.0.1:2"),
        open_store(url) as store,
        store.write() as transaction,
    ):
        transaction.add_account(StoredAccount("Lee", "USD", 0))
