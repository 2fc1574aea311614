"""The schema of a database: made at once in a new one, and an older one is brought up to it.

`migrations/schema.sql` says what the tables are, and a new database needs nothing else. An older one goes through
the steps in `migrations/versions` that come after its own, in one transaction, when it is opened; nobody runs
anything by hand. SQLAlchemy and Alembic are loaded only then.

A new step is a file `v3_what_it_does.py` beside the others, with `revision`, `down_revision` and `upgrade`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from punto.store.connection import Address, Connection, DatabaseKind
from punto.store.errors import StoreError
from punto.store.sqlite import SqliteConnection

if TYPE_CHECKING:
    from punto.store.postgres import PostgresConnection

MARK = "punto_schema"  # The table that says which schema a database has.
UNRELEASED = tuple(f"{number:04}" for number in range(1, 10))
"""Schemas from before the first published version. Nothing leads from them to those of today."""

STEPS = Path(__file__).parent / "migrations"
"""What Alembic reads, its environment and one file per step; and the newest schema as statements."""
_IN_POSTGRES = ((r"\n WITHOUT ROWID", ""), (r"\bid INTEGER\b", "id BIGSERIAL"), (r"\bBLOB\b", "BYTEA"))
"""What PostgreSQL says instead of the words of SQLite."""

_DIALECTS = {DatabaseKind.SQLITE: "sqlite://", DatabaseKind.POSTGRESQL: "postgresql+psycopg://"}
_FIRST = {
    DatabaseKind.SQLITE: "BEGIN IMMEDIATE",
    # One program at a time migrates a database on a server; the number is "Punto".
    DatabaseKind.POSTGRESQL: f"SELECT pg_advisory_xact_lock({0x50756E746F})",
}
"""How each database is held while it is migrated."""


def revisions() -> list[str]:
    """Every schema there has been, oldest first: v1, v2, and so on, as the files of the steps begin."""
    names = {step.name.partition("_")[0] for step in (STEPS / "versions").glob("v*_*.py")}
    return sorted(names, key=lambda name: int(name[1:]))


def schema_statements(kind: DatabaseKind) -> list[str]:
    """Everything that makes the newest schema, in the words of a database."""
    return in_words_of(kind, (STEPS / "schema.sql").read_text(encoding="utf-8")).split(";\n\n")[:-1]


def in_words_of(kind: DatabaseKind, statements: str) -> str:
    """Statements in the words of SQLite, as this database says the same."""
    for word, instead in _IN_POSTGRES if kind is DatabaseKind.POSTGRESQL else ():
        statements = re.sub(word, instead, statements)
    return statements


def make_newest(connection: Connection, kind: DatabaseKind) -> None:
    """Make the newest schema in a database that is still empty; two programs at once do it once."""
    connection.begin_write()
    try:
        connection.lock("schema")
        if not connection.tables():
            for statement in schema_statements(kind):
                connection.run(statement)
            connection.run(f"INSERT INTO {MARK} (version_num) VALUES (?)", (revisions()[-1],))
        connection.commit()
    except BaseException:
        connection.roll_back()
        raise


def upgrade(address: Address) -> None:
    """Bring a database to the newest schema; two programs at once do it once."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError
    from sqlalchemy import create_engine
    from sqlalchemy.exc import SQLAlchemyError
    from sqlalchemy.pool import NullPool

    connection: SqliteConnection | PostgresConnection
    if address.kind is DatabaseKind.SQLITE:
        connection = SqliteConnection(address.path)
    else:
        from punto.store.postgres import PostgresConnection

        connection = PostgresConnection(address)
        connection.driver.autocommit = False
    engine = create_engine(_DIALECTS[address.kind], creator=lambda: connection.driver, poolclass=NullPool)
    try:
        with engine.connect() as alchemy:
            alchemy.exec_driver_sql(_FIRST[address.kind])
            config = Config()
            config.set_main_option("script_location", str(STEPS).replace("%", "%%"))
            config.attributes.update(connection=alchemy, version_table=MARK)
            command.upgrade(config, "head")
            alchemy.commit()
    except (SQLAlchemyError, CommandError) as error:
        cause = getattr(error, "orig", None)
        if cause is not None:
            raise connection.explained(cause) from error
        raise StoreError(f"the tables of {address} could not be made: {error}") from error
