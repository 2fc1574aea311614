"""Writes the newest schema as statements, from `punto.store.schema`: src/punto/store/migrations/*.sql.

    python tools/newest_schema.py

New databases are made from these files, without SQLAlchemy. A test holds that they say what the schema says.
"""

from __future__ import annotations

from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.dialects.sqlite.base import SQLiteDialect
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from punto.store.connection import DatabaseKind
from punto.store.migration import STEPS
from punto.store.schema import metadata, revision_mark

# With named parameters SQLAlchemy leaves a percent sign as it is.
DIALECTS: dict[DatabaseKind, Dialect] = {
    DatabaseKind.SQLITE: SQLiteDialect(paramstyle="named"),
    DatabaseKind.POSTGRESQL: PGDialect(paramstyle="named"),  # type: ignore[no-untyped-call]
}


def statements(kind: DatabaseKind) -> str:
    """Everything that makes the schema, in the words of a database."""
    made: list[ExecutableDDLElement] = []
    for table in (revision_mark, *metadata.sorted_tables):
        indexes = sorted(table.indexes, key=lambda index: str(index.name))
        made += [CreateTable(table), *(CreateIndex(index) for index in indexes)]
    return "".join(f"{_tidy(str(each.compile(dialect=DIALECTS[kind])))};\n\n" for each in made)


def _tidy(statement: str) -> str:
    """Without empty lines and blanks at the end of lines."""
    return "\n".join(line.rstrip() for line in statement.expandtabs(4).splitlines() if line.strip())


def main() -> None:
    for kind in DatabaseKind:
        path = STEPS / f"{kind.value}.sql"
        path.write_text(statements(kind), encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
