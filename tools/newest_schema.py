"""Writes src/punto/store/migrations/newest.sql: what the migrations make of an empty SQLite file.

    python tools/newest_schema.py

A new file gets this schema at once, without the migrations and what they load. A test holds that both are the
same; run this after a new migration.
"""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from punto.store.connection import parse_address
from punto.store.migration import NEWEST, upgrade


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.db"
        upgrade(parse_address(str(path)))
        with closing(sqlite3.connect(path)) as made:
            found = made.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
            statements = [_tidy(statement) for (statement,) in found]
    NEWEST.write_text("".join(f"{statement};\n\n" for statement in statements), encoding="utf-8")
    print(f"wrote {NEWEST.name}: {len(statements)} statements")


def _tidy(statement: str) -> str:
    """Without empty lines and blanks at the end of lines."""
    return "\n".join(line.rstrip() for line in statement.expandtabs(4).splitlines() if line.strip())


if __name__ == "__main__":
    main()
