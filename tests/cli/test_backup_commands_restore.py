"""`punto restore --to`: the house as it was at a moment, as near as backups go, and verified."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.called import call


@pytest.mark.slow
def test_a_house_comes_back_to_a_moment(tmp_path: Path) -> None:
    house, folder = str(tmp_path / "house.db"), tmp_path / "kept"
    folder.mkdir()
    assert call("account", "new", "Lee", "--database", house).status == 0
    assert call("backup", str(folder / "1.db"), "--database", house).status == 0
    assert call("account", "buy-in", "Lee", "500", "--database", house).status == 0
    assert call("backup", str(folder / "2.db"), "--database", house).status == 0
    late = ("--to", "2100-01-01T00:00", "--json")
    done = call("restore", str(folder), *late, "--database", str(tmp_path / "late.db"))
    assert done.status == 0 and done.json["verified"] and done.json["file"] == str(folder / "2.db")
    early = str(done.json["moment"] - 1)
    done = call("restore", str(folder), "--to", early, "--database", str(tmp_path / "early.db"))
    assert done.status == 0 and "1.db" in done.out and "every record was verified" in done.out
    assert "USD 0\n" in call("account", "show", "Lee", "--database", str(tmp_path / "early.db")).out
    done = call("restore", str(folder), "--to", "2001-01-01T00:00", "--database", str(tmp_path / "none.db"))
    assert done.status == 2 and "has no backup from before 2001-01-01" in done.err
    assert not (tmp_path / "none.db").exists()
    with closing(sqlite3.connect(folder / "2.db")) as changed, changed:
        changed.execute("UPDATE postings SET amount = amount * 2")
    done = call("restore", str(folder), *late, "--database", str(tmp_path / "changed.db"))
    assert done.status == 1 and not done.json["verified"]
