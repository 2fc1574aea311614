"""Log-ins for a demonstration: drawn and hashed at the first start, kept, and drawn anew if they are lost."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from punto.rules.role import Role
from punto.server.access import password
from punto.server.access.password import is_password
from punto.server.demonstration import demonstration_logins
from punto.server.drawn_logins import NAMES, DrawnLogins, keep_logins, kept_logins, logins_file
from punto.server.settings import WrongSetting
from punto.store.access.people import erase_person
from punto.store.access.roles import roles_of
from punto.store.store import Store, open_store
from tests.server.running_floor import CHEAP


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(password, "_hasher", CHEAP)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "house.db")) as opened:
        yield opened


def test_every_role_has_a_password_of_its_own() -> None:
    drawn = DrawnLogins()
    assert [login.role for login in drawn.logins] == list(NAMES) == list(Role)
    hashes = drawn.hashes()
    for n, login in enumerate(drawn.logins):
        assert [is_password(hashed, login.password) for hashed in hashes] == [
            n == m for m in range(len(hashes))
        ]
    drawn.close()


def test_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    path, drawn = logins_file(tmp_path / "house.db"), DrawnLogins()
    assert path.name == "house.db.logins" and kept_logins(path) is None
    keep_logins(path, drawn.logins)
    assert kept_logins(path) == drawn.logins
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text("[{]")
    assert kept_logins(path) is None
    with pytest.raises(WrongSetting, match="cannot be written"):
        keep_logins(tmp_path / "no folder" / "x.logins", drawn.logins)


def test_they_are_the_same_at_every_start_and_drawn_anew_where_either_side_is_lost(
    store: Store, tmp_path: Path
) -> None:
    path, drawn = tmp_path / "house.db.logins", DrawnLogins()
    first = demonstration_logins(store, path, drawn, 1)
    assert first == drawn.logins == kept_logins(path)
    assert demonstration_logins(store, path, None, 2) == first
    path.unlink()
    second = demonstration_logins(store, path, DrawnLogins(), 3)
    assert second != first and kept_logins(path) == second
    with store.write() as transaction:
        erase_person(transaction, "dealer")
    third = demonstration_logins(store, path, None, 4)
    assert third != second and kept_logins(path) == third
    with store.read() as reader:
        for login in third:
            person = reader.person(login.name)
            assert person is not None and is_password(person.password, login.password)
            assert roles_of(reader, login.name) == (login.role,)


def test_hashing_can_begin_before_much_is_loaded() -> None:
    code = "import sys, punto.server.serving; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"litestar", "uvicorn", "sqlalchemy", "punto.floor.floor", "punto.server.app"}
    assert heavy.isdisjoint(loaded.stdout.split())
