"""A new database is what the schema says; an older one is brought there, with everything that was in it."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, create_engine

import punto.store.migration
import punto.store.store
from punto.ledger.movement import BELOW_ZERO, AccountKind
from punto.store.backup import TABLES, backup, restore
from punto.store.chain import HOUSE, HouseAct, next_hash
from punto.store.connection import DatabaseKind, parse_address
from punto.store.errors import SchemaUnknown, StoreError
from punto.store.migration import MARK, STEPS, UNRELEASED, in_words_of, revisions, schema_statements, upgrade
from punto.store.reader import FOUND_LATE, house_rows
from punto.store.store import connect_to, open_store, revision_of
from tests.store.earlier import ROWS, rows_of, write_earlier
from tests.store.reflected import metadata

FIRST = Path(__file__).with_name("schema_v1.sql")
NEXT_STEP = '''"""A step that there may be one day."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "v3", "v2"


def upgrade() -> None:
    op.add_column("runs", sa.Column("note", sa.Text(), server_default=sa.text("'none'")))
'''


def test_the_steps_are_in_a_row() -> None:
    config = Config()
    config.set_main_option("script_location", str(STEPS))
    steps = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]
    assert [*reversed(steps)] == revisions()


@pytest.mark.parametrize("kind", DatabaseKind)
def test_the_statements_of_a_new_database_are_what_the_code_counts_on(kind: DatabaseKind) -> None:
    [balances] = [statement for statement in schema_statements(kind) if "CREATE TABLE balances" in statement]
    below_zero = [f"account LIKE '{account.value}/%'" for account in AccountKind if account in BELOW_ZERO]
    assert f"CHECK ({' OR '.join(['amount >= 0', *below_zero])})" in balances
    [late] = [statement for statement in schema_statements(kind) if "INDEX events_late" in statement]
    assert late == f"CREATE INDEX events_late ON events (table_id, seq) WHERE {FOUND_LATE}"


def is_another_type(_: object, __: object, column: Column[Any], inspected: object, said: object) -> bool:
    """Whether a column of a database is of another type than the statements say, in the words of either database."""
    in_postgres = "BIGINT" if column.name == "id" and str(said) == "INTEGER" else {"BLOB": "BYTEA"}.get(str(said))
    return str(inspected) not in (str(said), in_postgres)


def test_a_new_database_is_what_the_schema_says(database: str) -> None:
    assert_is_newest(database)


def assert_is_newest(database: str) -> None:
    open_store(database).close()
    address = parse_address(database)
    connection = connect_to(address, create=False)
    dialect = "sqlite://" if address.kind is DatabaseKind.SQLITE else "postgresql+psycopg://"
    with create_engine(dialect, creator=lambda: connection.driver).connect() as alchemy:
        context = MigrationContext.configure(alchemy, opts={"version_table": MARK, "compare_type": is_another_type})
        assert compare_metadata(context, metadata) == []
    connection.close()


def test_a_new_database_is_made_without_the_migrations(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(punto.store.store, "upgrade", None)
    with open_store(database) as store, store.connection() as opened:
        assert revision_of(opened, store.address) == revisions()[-1]


def test_a_new_file_that_cannot_be_made_stays_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = tmp_path / "migrations"
    shutil.copytree(STEPS, steps)
    (steps / "schema.sql").write_text("CREATE TABLE one (a);\n\nCREATE TABLE two (;\n\n", encoding="utf-8")
    monkeypatch.setattr(punto.store.migration, "STEPS", steps)
    with pytest.raises(StoreError):
        open_store(str(tmp_path / "new.db"))
    monkeypatch.undo()
    with open_store(str(tmp_path / "new.db")) as store, store.connection() as opened:
        assert opened.tables() == {*metadata.tables, MARK}


def test_every_table_is_in_a_backup() -> None:
    assert set(TABLES) == set(metadata.tables)
    places = {name: i for i, name in enumerate(TABLES)}
    for table in metadata.tables.values():
        for key in table.foreign_keys:
            assert places[key.column.table.name] < places[table.name]


def write_first(database: str) -> None:
    """A database of the first schema with a row in every table."""
    address = parse_address(database)
    connection = connect_to(address, create=True)
    connection.begin_write()
    for statement in in_words_of(address.kind, FIRST.read_text(encoding="utf-8")).split(";\n\n")[:-1]:
        connection.run(statement)
    connection.run(f"INSERT INTO {MARK} (version_num) VALUES (?)", ("v1",))
    connection.commit()
    assert revision_of(connection, address) == "v1"
    write_earlier(connection, "v1")
    connection.close()


def test_a_database_of_the_first_schema_becomes_what_a_new_one_is(database: str) -> None:
    write_first(database)
    assert_is_newest(database)
    with open_store(database) as store, store.connection() as opened:
        assert rows_of(opened, "v1") == ROWS["v1"]


def test_the_house_is_told_where_its_tables_stood(database: str) -> None:
    """What happened before is in no act of the house; verification looks for what came after it."""
    write_first(database)
    with open_store(database) as store, store.read() as reader:
        [(_, _, before), (seq, body, link)] = house_rows(reader)
        act = msgspec.json.decode(body, type=HouseAct)
        assert (act.seq, act.code, act.stood, act.after) == (seq, "events-begun", {"t1": 1}, {"cashier": 1})
        assert bytes(link) == next_hash(bytes(before), body)
        assert reader.chain_end(HOUSE) == (2, bytes(link))


def add_step(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were one more schema: adding a file is all that it takes."""
    steps = folder / "migrations"
    shutil.copytree(STEPS, steps)
    (steps / "versions/v3_notes.py").write_text(NEXT_STEP, encoding="utf-8")
    monkeypatch.setattr(punto.store.migration, "STEPS", steps)


def test_a_database_of_an_older_schema_is_brought_up_to_date(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_first(database)
    add_step(tmp_path, monkeypatch)
    for _ in range(2):
        with open_store(database) as store, store.connection() as opened:
            assert revision_of(opened, store.address) == "v3"
            assert rows_of(opened, "v1") == ROWS["v1"]
            assert opened.all("SELECT note FROM runs") == [("none",)]


def test_a_backup_of_an_older_schema_is_brought_up_to_date(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_first(str(tmp_path / "first.db"))
    with open_store(str(tmp_path / "first.db")) as store:
        backup(store, tmp_path / "first.punto")
    open_store(database).close()
    add_step(tmp_path, monkeypatch)
    restore(tmp_path / "first.punto", database)
    with open_store(database) as store, store.connection() as opened:
        assert revision_of(opened, store.address) == "v3"
        assert opened.all("SELECT value FROM marks WHERE name = 'restored'") == [("first.punto",)]
        opened.run("DELETE FROM marks WHERE name = 'restored'")
        assert rows_of(opened, "v1") == ROWS["v1"]
        assert opened.all("SELECT note FROM runs") == [("none",)]


def test_upgrading_twice_changes_nothing(database: str) -> None:
    write_first(database)
    for _ in range(2):
        upgrade(parse_address(database))
    with open_store(database) as store, store.connection() as opened:
        assert rows_of(opened, "v1") == ROWS["v1"]


@pytest.mark.parametrize("revision", UNRELEASED)
def test_a_schema_from_before_the_first_release_is_refused(tmp_path: Path, revision: str) -> None:
    path = tmp_path / "house.db"
    with open_store(str(path)) as store, store.connection() as opened:
        opened.run(f"UPDATE {MARK} SET version_num = ?", (revision,))
    with pytest.raises(SchemaUnknown) as refused:
        open_store(str(path))
    assert str(refused.value) == (
        f"{path} has the schema {revision} from before the first published version of Punto, which this version "
        "cannot read; begin a new database"
    )


def test_two_programs_make_a_database_at_once(database: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        for store in pool.map(lambda _: open_store(database), range(4)):
            store.close()
