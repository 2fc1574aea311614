"""What a floor needs around its tables: the decisions of the house, and what people and cage leave behind.

Only tables and columns with a default are added, so that a server of the version before goes on while this runs.
"""

from __future__ import annotations

from alembic import op

from punto.store.connection import DatabaseKind
from punto.store.migration import in_words_of

revision = "v2"
down_revision = "v1"

STATEMENTS = (
    """
CREATE TABLE house_settings (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE stops (
    what TEXT NOT NULL,
    stopped_by TEXT NOT NULL,
    stopped_ms BIGINT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (what)
)
 WITHOUT ROWID
""",
    "ALTER TABLE movements ADD COLUMN commission BIGINT DEFAULT 0 NOT NULL",
)


def upgrade() -> None:
    kind = DatabaseKind.SQLITE if op.get_bind().dialect.name == "sqlite" else DatabaseKind.POSTGRESQL
    for statement in STATEMENTS:
        op.execute(in_words_of(kind, statement))
