"""Where the database is kept when nobody names one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from punto.cli.database_options import default_database
from punto.cli.files import CannotWrite


def test_a_home_that_cannot_be_written_says_where_else_a_database_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = tmp_path / "data"
    in_the_way.touch()  # A folder cannot be made in a file, whoever tries.
    monkeypatch.setenv("XDG_DATA_HOME", str(in_the_way))
    path = in_the_way / "punto" / "house.db"
    told = f"{path} cannot be written: Not a directory; name another file with --database, or in PUNTO_DATABASE"
    with pytest.raises(CannotWrite, match=f"^{re.escape(told)}$"):
        default_database(create=True)
    assert default_database(create=False) == str(path)
