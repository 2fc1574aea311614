"""The schema of a database: made at once in a new one, and an older one is brought up to it.

`schema` says what the tables are. tools/newest_schema.py writes that down as statements, one file for each kind
of database in `migrations`, and a new database needs nothing else. An older one goes through the steps in
`migrations/versions` that come after its own, in one transaction, when it is opened; nobody runs anything by
hand. SQLAlchemy and Alembic are loaded only then.

A new step is a file `v2_what_it_does.py` beside the first one, with `revision`, `down_revision` and `upgrade`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from punto.store.connection import Address, Connection, DatabaseKind
from punto.store.errors import StoreError
from punto.store.sqlite import SqliteConnection

if TYPE_CHECKING:
    from sqlalchemy import Connection as Alchemy

    from punto.store.postgres import PostgresConnection

MARK = "punto_schema"  # The table that says which schema a database has.
UNRELEASED = tuple(f"{number:04}" for number in range(1, 10))
"""Schemas from before the first published version. Nothing leads from them to those of today."""

STEPS = Path(__file__).parent / "migrations"
"""What Alembic reads, its environment and one file per step; and the newest schema as statements."""

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


def make_newest(connection: Connection, kind: DatabaseKind) -> None:
    """Make the newest schema in a database that is still empty; two programs at once do it once."""
    connection.begin_write()
    try:
        connection.lock("schema")
        if not connection.tables():
            statements = (STEPS / f"{kind.value}.sql").read_text(encoding="utf-8")
            for statement in statements.split(";\n\n")[:-1]:
                connection.run(statement)
            connection.run(f"INSERT INTO {MARK} (version_num) VALUES (?)", (revisions()[-1],))
        connection.commit()
    except BaseException:
        connection.roll_back()
        raise


def upgrade(address: Address) -> None:
    """Bring a database to the newest schema; two programs at once do it once."""
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
            _carry_out(alchemy)
            alchemy.commit()
    except (SQLAlchemyError, CommandError) as error:
        cause = getattr(error, "orig", None)
        if cause is not None:
            raise connection.explained(cause) from error
        raise StoreError(f"the tables of {address} could not be made: {error}") from error


def _carry_out(alchemy: Alchemy) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(STEPS).replace("%", "%%"))
    config.attributes.update(connection=alchemy, version_table=MARK)
    command.upgrade(config, "head")
