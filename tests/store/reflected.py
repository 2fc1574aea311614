"""The tables of a database, as SQLAlchemy reads them from one that was just made."""

from __future__ import annotations

from sqlalchemy import MetaData, create_engine

from punto.store.connection import DatabaseKind
from punto.store.migration import MARK, schema_statements

metadata = MetaData()
with create_engine("sqlite://").connect() as connection:
    for statement in schema_statements(DatabaseKind.SQLITE):
        connection.exec_driver_sql(statement)
    metadata.reflect(connection, only=lambda name, _: name != MARK)
