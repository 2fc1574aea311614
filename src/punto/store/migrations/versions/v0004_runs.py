"""How tables are run: dealer, pace and bots."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("dealer", sa.Text(), nullable=False),
        sa.Column("pace", sa.Text()),
        sa.Column("bots", sa.Text(), nullable=False),
        sqlite_with_rowid=False,
    )
