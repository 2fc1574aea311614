"""One server for a database file: others are refused and told who has it, readers and backups are not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from punto.store.address import parse_address
from punto.store.backup import backup
from punto.store.errors import StoreInUse
from punto.store.running.lock import check_writable, held
from punto.store.store import open_store
from punto.store.stored import StoredAccount

HOLDER = """
import sys
from punto.store.address import parse_address
from punto.store.running.lock import held
with held(parse_address(sys.argv[1]), "http://127.0.0.1:1234"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "house.db"
    open_store(str(made)).close()
    return made


def hold(path: Path) -> subprocess.Popen[str]:
    """Another process that has the file in use."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_a_second_server_and_other_writers_are_told_who_has_it(path: Path, tmp_path: Path) -> None:
    process = hold(path)
    other = tmp_path / "other-name.db"
    other.symlink_to(path)
    named = f"is in use by punto serve at http://127.0.0.1:1234 (process {process.pid})"
    with pytest.raises(StoreInUse) as second, held(parse_address(str(other)), "http://127.0.0.1:2"):
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
    with held(parse_address(str(path)), "http://127.0.0.1:3"):
        pass


def test_whoever_has_it_writes(path: Path) -> None:
    address = parse_address(str(path))
    with held(address, "http://127.0.0.1:1"), open_store(address) as store:
        with store.write() as transaction:
            transaction.add_account(StoredAccount("Lee", "USD", 0))
        with pytest.raises(StoreInUse), held(address, "http://127.0.0.1:2"):
            pass
    check_writable(address)


def test_a_server_has_no_file_to_hold() -> None:
    address = parse_address("postgresql://nowhere/none")
    with held(address, "http://127.0.0.1:1"):
        check_writable(address)
