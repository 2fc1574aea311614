"""Migrations: from every earlier schema to the one that this version of Punto uses.

Each file in `versions` is one step. `upgrade` carries them out in one transaction when a database is opened
that is behind; nobody runs anything by hand. SQLAlchemy and Alembic are loaded only then. A new SQLite file
gets the newest schema at once (`newest.sql`, which tools/newest_schema.py writes).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from punto.store.connection import Address, DatabaseKind
from punto.store.errors import StoreError
from punto.store.sqlite import SqliteConnection

if TYPE_CHECKING:
    from sqlalchemy import Connection as Alchemy

    from punto.store.postgres import PostgresConnection

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009")
"""Every schema there has been, oldest first."""
HEAD = REVISIONS[-1]
MARK = "punto_schema"
"""The table that says which schema a database has."""

STEPS = Path(__file__).parent / "migrations"
"""What Alembic reads: its environment, and one file per step."""
NEWEST = STEPS / "newest.sql"
"""What the migrations make of an empty SQLite file, as statements."""

_DIALECTS = {DatabaseKind.SQLITE: "sqlite://", DatabaseKind.POSTGRESQL: "postgresql+psycopg://"}
_FIRST = {
    DatabaseKind.SQLITE: ("BEGIN IMMEDIATE",),
    # One program at a time migrates a database on a server; the number is "Punto".
    DatabaseKind.POSTGRESQL: (f"SELECT pg_advisory_xact_lock({0x50756E746F})",),
}
"""How each database is held while it is migrated."""


def make_newest(connection: SqliteConnection) -> None:
    """Make the newest schema in a file that is still empty; two programs at once do it once."""
    connection.begin_write()
    try:
        if not connection.tables():
            for statement in NEWEST.read_text(encoding="utf-8").split(";\n\n")[:-1]:
                connection.run(statement)
            connection.run(f"INSERT INTO {MARK} (version_num) VALUES (?)", (HEAD,))
        connection.commit()
    except BaseException:
        connection.roll_back()
        raise


def upgrade(address: Address, revision: str = HEAD) -> None:
    """Bring a database to a schema, the newest unless another is named; two programs at once do it once."""
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
            for statement in _FIRST[address.kind]:
                alchemy.exec_driver_sql(statement)
            _carry_out(alchemy, revision)
            alchemy.commit()
    except (SQLAlchemyError, CommandError) as error:
        cause = getattr(error, "orig", None)
        if cause is not None:
            raise connection.explained(cause) from error
        raise StoreError(f"the tables of {address} could not be made: {error}") from error


def _carry_out(alchemy: Alchemy, revision: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(STEPS).replace("%", "%%"))
    config.attributes["connection"] = alchemy
    command.upgrade(config, revision)
