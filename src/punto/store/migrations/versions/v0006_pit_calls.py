"""Calls for somebody of the pit to come to a table, at most one open for each table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_OPEN = sa.text("answer IS NULL")


def upgrade() -> None:
    op.create_table(
        "pit_calls",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("caller", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("called_ms", sa.BigInteger(), nullable=False),
        sa.Column("answer", sa.Text()),
        sa.Column("answered_by", sa.Text()),
        sa.Column("answered_ms", sa.BigInteger()),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "pit_calls_open", "pit_calls", ["table_id"], unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN
    )
    op.create_index("pit_calls_answered", "pit_calls", ["answered_ms"])
