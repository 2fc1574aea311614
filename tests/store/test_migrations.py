"""Migrations arrive where the schema says, from every earlier schema, with everything that was there."""

from __future__ import annotations

import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

import punto.store.migration
import punto.store.store
from punto.store import open_store
from punto.store.backup import TABLES
from punto.store.connection import DatabaseKind, parse_address
from punto.store.errors import StoreError
from punto.store.migration import HEAD, MARK, REVISIONS, upgrade
from punto.store.schema import metadata
from punto.store.store import connect_to, revision_of
from tests.store.earlier import rows_of, write_earlier


def test_the_steps_are_in_a_row() -> None:
    config = Config()
    config.set_main_option("script_location", str(punto.store.migration.STEPS))
    steps = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(steps)) == REVISIONS and REVISIONS[-1] == HEAD


def test_migrations_arrive_at_the_schema(database: str) -> None:
    address = parse_address(database)
    upgrade(address)
    connection = connect_to(address, create=False)
    dialect = "sqlite://" if address.kind is DatabaseKind.SQLITE else "postgresql+psycopg://"
    with create_engine(dialect, creator=lambda: connection.driver).connect() as alchemy:
        context = MigrationContext.configure(alchemy, opts={"version_table": MARK, "compare_type": True})
        assert compare_metadata(context, metadata) == []
    connection.close()


def test_a_new_file_is_what_the_migrations_make(tmp_path: Path) -> None:
    """If this fails after a new migration, run tools/newest_schema.py."""
    upgrade(parse_address(str(tmp_path / "migrated.db")))
    open_store(str(tmp_path / "new.db")).close()
    migrated, new = (_content(tmp_path / name) for name in ("migrated.db", "new.db"))
    assert new == migrated


def _content(path: Path) -> list[tuple[object, ...]]:
    """Everything that is in a file: the schema word by word, what is set, and the rows of every table."""
    with closing(sqlite3.connect(path)) as file:
        found = file.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid").fetchall()
        tables = [name for kind, name, *_ in found if kind == "table"]
        rows = [row for name in tables for row in file.execute(f"SELECT * FROM {name}")]
        settings = ("user_version", "application_id", "journal_mode", "page_size", "encoding", "auto_vacuum")
        worded = [(*names, " ".join((sql or "").split())) for *names, sql in found]
        return [*worded, *rows, *(file.execute(f"PRAGMA {name}").fetchone() for name in settings)]


def test_a_new_file_is_made_without_the_migrations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(punto.store.store, "upgrade", None)
    with open_store(str(tmp_path / "new.db")) as store, store.connection() as opened:
        assert revision_of(opened, store.address) == HEAD


def test_a_new_file_that_cannot_be_made_stays_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = tmp_path / "wrong.sql"
    wrong.write_text("CREATE TABLE one (a);\n\nCREATE TABLE two (;\n\n", encoding="utf-8")
    monkeypatch.setattr(punto.store.migration, "NEWEST", wrong)
    with pytest.raises(StoreError):
        open_store(str(tmp_path / "new.db"))
    monkeypatch.undo()
    open_store(str(tmp_path / "new.db")).close()
    upgrade(parse_address(str(tmp_path / "migrated.db")))
    assert _content(tmp_path / "new.db") == _content(tmp_path / "migrated.db")


def test_every_table_is_in_a_backup() -> None:
    assert set(TABLES) == set(metadata.tables)
    places = {name: i for i, name in enumerate(TABLES)}
    for table in metadata.tables.values():
        for key in table.foreign_keys:
            assert places[key.column.table.name] < places[table.name]


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_database_of_every_schema_is_brought_up_to_date(database: str, revision: str) -> None:
    address = parse_address(database)
    upgrade(address, revision)
    connection = connect_to(address, create=False)
    assert revision_of(connection, address) == revision
    write_earlier(connection, revision)
    connection.close()
    with open_store(database) as store, store.connection() as opened:
        assert revision_of(opened, address) == HEAD
        assert rows_of(opened, revision) == rows_of(None, revision)


def test_upgrading_twice_changes_nothing(database: str) -> None:
    address = parse_address(database)
    for _ in range(2):
        upgrade(address)


def test_two_programs_make_a_file_at_once(tmp_path: Path) -> None:
    path = str(tmp_path / "house.db")
    with ThreadPoolExecutor(4) as pool:
        for store in pool.map(lambda _: open_store(path), range(4)):
            store.close()


def test_the_check_of_balances_is_the_same_in_both_places() -> None:
    from punto.store.schema import BELOW_ZERO

    first = punto.store.migration.STEPS / "versions/v0001_first.py"
    assert BELOW_ZERO in re.sub(r"\s+", " ", first.read_text(encoding="utf-8"))
