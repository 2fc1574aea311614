"""Where the database is kept when nobody names one, or a name that means another file in every folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from punto.cli.database_options import default_database
from punto.cli.files import CannotWrite
from tests.cli.called import answer, call


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


@pytest.mark.parametrize(
    "command",
    [
        ["people", "new", "Ada", "--role", "administrator"],
        ["account", "new", "Lee"],
        ["house", "rules", "operator=Club"],
        ["table", "new", "north", "ez", "house"],
    ],
)
def test_a_relative_name_says_where_it_begins_another_house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PUNTO_DATABASE", "night.db")
    begun = call(*command)
    assert begun.status == 0
    assert begun.err == (
        f"punto: began a new database, {tmp_path}/night.db: PUNTO_DATABASE=night.db is a file in the folder where you "
        "are, so it is another house in another folder\n"
    )
    answer("account", "new", "Kim")  # Not again in the same folder,
    (other := tmp_path / "other").mkdir()
    monkeypatch.chdir(other)
    told = call("account", "new", "Lee").err
    assert f"{other}/night.db" in told  # but in every other one,
    named = call("account", "new", "Lee", "--database", "sqlite:///new.db")
    assert f"began a new database, {other}/new.db: --database sqlite:///new.db is a file" in named.err
    answer("account", "new", "Lee", "--database", str(tmp_path / "whole.db"))  # and never for a whole path.


def test_a_relative_name_that_is_refused_begins_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refused = call("account", "new", "the house", "--database", "night.db")
    assert refused.status == 2
    assert "began" not in refused.err
    assert not (tmp_path / "night.db").exists()
