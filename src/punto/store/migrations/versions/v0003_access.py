"""Who may come in and as what: roles, sessions, tickets, failed log-ins, what waits for a second person."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "roles",
        sa.Column("handle", sa.Text(), sa.ForeignKey("accounts.handle"), primary_key=True),
        sa.Column("role", sa.Text(), primary_key=True),
        sa.Column("granted_by", sa.Text(), nullable=False),
        sa.Column("granted_ms", sa.BigInteger(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.Text(), primary_key=True),
        sa.Column("handle", sa.Text(), sa.ForeignKey("accounts.handle"), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("expires_ms", sa.BigInteger(), nullable=False),
        sa.Column("authenticated_ms", sa.BigInteger(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("sessions_handle", "sessions", ["handle"])
    op.create_table(
        "tickets",
        sa.Column("ticket", sa.Text(), primary_key=True),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("expires_ms", sa.BigInteger(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "approvals",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id")),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger()),
        sa.Column("needs", sa.Text(), nullable=False),
        sa.Column("asked_ms", sa.BigInteger(), nullable=False),
        sa.Column("expires_ms", sa.BigInteger(), nullable=False),
        sa.Column("decision", sa.Text()),
        sa.Column("decided_by", sa.Text()),
        sa.Column("decided_ms", sa.BigInteger()),
        sa.Column("answer", sa.Text()),
        sa.UniqueConstraint("actor", "key", name="approvals_actor_key"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "failures",
        sa.Column("subject", sa.Text(), primary_key=True),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_ms", sa.BigInteger(), nullable=False),
        sa.Column("until_ms", sa.BigInteger(), nullable=False),
        sqlite_with_rowid=False,
    )
