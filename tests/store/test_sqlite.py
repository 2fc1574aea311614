"""What SQLite is asked for, and what each of its errors means in one sentence."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from punto.store.errors import (
    DiskFull,
    NoDatabase,
    NotOurs,
    SchemaUnknown,
    StoreBroken,
    StoreError,
    StoreLocked,
    StoreReadOnly,
)
from punto.store.people import erase_person
from punto.store.record import StoredAccount, StoredPerson
from punto.store.sqlite import SqliteConnection, connect
from punto.store.store import open_store, store_in_memory
from tests.store.sessions import add_table, events_of

pytestmark = pytest.mark.usefixtures("durable")

EVENTS = events_of("insurance/banker-insurance-after-four-cards")


def sentence(error: pytest.ExceptionInfo[StoreError], path: Path) -> str:
    text = str(error.value)
    assert str(path) in text and "\n" not in text
    return text


def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    connection = connect(tmp_path / "house.db")
    asked = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")}
    assert asked == {"journal_mode": "wal", "synchronous": 2}
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    connection.close()


def test_a_store_in_memory_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with store_in_memory() as store, store_in_memory() as other:
        with store.write() as transaction:
            transaction.add_account(StoredAccount("ann", "USD", 0))
        with store.read() as reader, other.read() as empty:
            assert reader.account("ann") is not None
            assert empty.account("ann") is None
    assert list(tmp_path.iterdir()) == []


def test_no_folder_no_file_a_folder(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase) as caught:
        open_store(str(tmp_path / "nowhere" / "house.db"))
    assert "there is no folder" in sentence(caught, tmp_path)
    with pytest.raises(NoDatabase) as caught:
        open_store(str(tmp_path / "house.db"), create=False)
    assert "there is no database" in sentence(caught, tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(NotOurs) as other:
        open_store(str(tmp_path))
    assert "is a folder" in sentence(other, tmp_path)


def test_another_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(b"Dear Sir or Madam, " * 100)
    with pytest.raises(NotOurs) as caught:
        open_store(str(path))
    assert "is not a database" in sentence(caught, path)
    assert path.read_bytes() == b"Dear Sir or Madam, " * 100


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    with pytest.raises(NotOurs) as caught:
        open_store(str(path))
    assert "something else" in sentence(caught, path)


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    open_store(str(path)).close()
    with sqlite3.connect(path) as other:
        other.execute("UPDATE punto_schema SET version_num = '9999'")
    other.close()
    with pytest.raises(SchemaUnknown) as caught:
        open_store(str(path))
    assert "9999" in sentence(caught, path)


def test_a_locked_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.store.sqlite.BUSY_MS", 10)
    path = tmp_path / "house.db"
    with open_store(str(path)) as store, open_store(str(path)) as other, store.write() as transaction:
        add_table(transaction, "t1")
        with pytest.raises(StoreLocked) as caught, other.write():
            pass
        assert "locked by another program" in sentence(caught, path)


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with open_store(str(path)) as store:
        with store.write() as transaction:
            add_table(transaction, "t1")
            transaction.append("t1", 0, EVENTS[:2])
        with store.connection() as connection:
            connection.all("PRAGMA max_page_count = 1")  # as many as there are now
        with pytest.raises(DiskFull) as caught, store.write() as transaction:
            transaction.append("t1", 2, EVENTS * 40)
        assert "no room left" in sentence(caught, path)
        with store.connection() as connection:
            connection.all("PRAGMA max_page_count = 1000000")
        with store.write() as transaction:
            transaction.append("t1", 2, EVENTS[2:])
        with store.read() as reader:
            assert [record.event for record in reader.records("t1")] == list(EVENTS)


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with open_store(str(path)) as store, store.write() as transaction:
        add_table(transaction, "t1")
        transaction.append("t1", 0, EVENTS)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises((StoreBroken, NotOurs)) as caught, open_store(str(path)) as store, store.read() as reader:
        reader.records("t1")
    sentence(caught, path)


READ_ONLY = """
import os, sys
from punto.store.errors import StoreError
from punto.store.store import open_store
from punto.store.errors import *
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    with open_store(sys.argv[1]) as store, store.write() as transaction:
        transaction.add_book("d", "n", "{}")
except StoreError as error:
    print(type(error).__name__, error)
"""


def test_a_file_that_may_only_be_read() -> None:
    with TemporaryDirectory(prefix="punto-") as name:
        folder, path = Path(name), Path(name) / "house.db"
        open_store(str(path)).close()
        path.chmod(0o444)
        folder.chmod(0o555)
        command = [sys.executable, "-c", READ_ONLY, str(path)]
        told = subprocess.run(command, capture_output=True, text=True)
        folder.chmod(0o755)
        kind, _, text = told.stdout.strip().partition(" ")
        assert kind in (StoreReadOnly.__name__, NoDatabase.__name__), told
        assert str(path) in text and "\n" not in text
        assert list(folder.iterdir()) == [path]


def test_a_reader_of_a_backup_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    open_store(str(path)).close()
    before = path.read_bytes()
    reader = SqliteConnection(path, create=False, is_read_only=True)
    with pytest.raises(StoreReadOnly):
        reader.run("DELETE FROM tables")
    reader.close()
    assert path.read_bytes() == before


def test_a_file_needs_no_driver_of_servers(tmp_path: Path) -> None:
    """A command that opens a file that is there loads neither psycopg nor SQLAlchemy."""
    path = tmp_path / "house.db"
    open_store(str(path)).close()
    code = "import sys; from punto.store.store import open_store; open_store(sys.argv[1]).close(); print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert not {"psycopg", "sqlalchemy", "alembic", "cryptography"} & set(told.stdout.split())


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with open_store(str(path)) as store, store.write() as transaction:
        add_table(transaction, "t1")
        modes = {entry.stat().st_mode & 0o777 for entry in tmp_path.iterdir()}
        assert modes == {0o600}


def test_what_is_erased_is_not_left_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with open_store(str(path)) as store:
        with store.write() as transaction:
            transaction.add_account(StoredAccount("Lee", "USD", 1))
            transaction.set_person(StoredPerson("Lee", "Leopold Wong", "wong@example.org"), "house", 0)
        with store.write() as transaction:
            assert erase_person(transaction, "Lee", "house", 0)
    content = path.read_bytes()
    assert b"Lee" in content and b"Leopold" not in content and b"wong@" not in content
