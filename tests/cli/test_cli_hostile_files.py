"""Files that are not what they should be: one sentence and status 2, at once, and nothing is left behind."""

from __future__ import annotations

import gzip
import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.called import answer, refusal

CONTENTS = {
    "empty": b"",
    "nul": b"\0" * 1000,
    "latin-1": "é".encode("latin-1") * 100,
    "deep-list": b"[" * 200_000,
    "deep-object": b'{"a":' * 100_000,
    "deep-toml": b"port = " + b"[" * 100_000,
    "long-number": b'{"v":' + b"1" * 100_000 + b"}",
    "long-toml": b"port = " + b"1" * 100_000,
    "long-line": b" " * 5_000_000 + b"x",
    "gzip": gzip.compress(b"\0" * 10_000_000),
    "parquet": b"PAR1" + bytes(range(256)) * 4 + b"\x10\0\0\0PAR1",
    "null": b"null\n",
    "surrogate": b'{"format":"\\ud800"}',
}
COMMANDS = {
    "import": ("table", "import", "FILE", "--as-table", "t1", "--database", "new.db"),
    "restore": ("restore", "FILE", "--database", "new.db"),
    "replay": ("replay", "FILE"),
    "shoe": ("audit", "shoe", "./FILE"),
    "anchor": ("audit", "verify", "--anchor", "FILE", "--database", "house.db"),
    "public key": ("audit", "verify", "--anchor", "FILE", "--public-key", "FILE", "--database", "house.db"),
    "settings": ("serve", "--config", "FILE", "--port", "0", "--no-browser", "--database", "house.db"),
}
HARMLESS = {("settings", "empty"), ("settings", "fifo")}
"""A file without settings is one."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to work in; whatever waits for something that never comes ends the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    answer("table", "new", "main", "ez", "house", "--database", str(Path("house.db").absolute()))
    answer("audit", "anchor", "-o", "anchor.json", "--database", "house.db")
    before = signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(120)
    yield tmp_path
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _too_long(*_: object) -> None:
    raise TimeoutError("it waits for something that never comes")


@pytest.mark.parametrize("name", [*CONTENTS, "folder", "fifo", "other", "missing"])
@pytest.mark.parametrize("command", COMMANDS)
def test_one_sentence_and_nothing_left(folder: Path, command: str, name: str) -> None:
    if (command, name) in HARMLESS:
        return
    file = folder / "given"
    if name in CONTENTS:
        file.write_bytes(CONTENTS[name])
    elif name == "folder":
        file.mkdir()
    elif name == "fifo":
        os.mkfifo(file)
    elif name == "other":
        with closing(sqlite3.connect(file)) as other:
            other.execute("CREATE TABLE events (a)")
    told = refusal(*(word.replace("FILE", "given") for word in COMMANDS[command]))
    assert len(told) < 600, told
    assert not list(folder.glob("new.db*"))


def test_an_import_that_fails_half_way_leaves_a_database_as_it_was(folder: Path) -> None:
    answer("table", "export", "main", "-o", "main.jsonl", "--database", "house.db")
    lines = (folder / "main.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "cut.jsonl").write_bytes(b"".join(lines) + b"{}\n")
    refusal("table", "import", "cut.jsonl", "--as-table", "t1", "--database", "new.db")
    assert not list(folder.glob("new.db*"))
    refusal("table", "import", "cut.jsonl", "--as-table", "t1", "--database", "house.db")
    listed = answer("table", "list", "--database", "house.db", "--json").json
    assert [table["table"] for table in listed] == ["main"]


def test_a_row_of_parquet_that_is_too_long_is_not_taken(folder: Path) -> None:
    import polars as pl

    answer("table", "export", "main", "-o", "main.parquet", "--database", "house.db")
    answer("replay", "main.parquet")
    frame = pl.read_parquet(folder / "main.parquet")
    for changed in (
        frame.with_columns(pl.lit("x" * 5_000_000).alias("event")),
        frame.with_columns(pl.lit(1).alias("event")),
        frame.with_columns(pl.lit(None).cast(pl.String).alias("header")),
        frame.clear(),
    ):
        changed.write_parquet(folder / "changed.parquet")
        assert "Parquet" in refusal("replay", "changed.parquet")
