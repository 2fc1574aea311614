"""The first schema: streams of events, commands, the ledger, people, seeds and snapshots."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "books",
        sa.Column("digest", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("digest", sa.Text(), sa.ForeignKey("books.digest"), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("imported", sa.Boolean(create_constraint=False), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seq", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("v", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text()),
        sa.Column("body", sa.Text(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "commands",
        sa.Column("id", _Id, primary_key=True),
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id")),
        sa.Column("version", sa.BigInteger()),
        sa.Column("first_seq", sa.BigInteger()),
        sa.Column("last_seq", sa.BigInteger()),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("key", sa.Text()),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("refusal", sa.Text()),
        sa.Column("answer", sa.Text()),
        sa.UniqueConstraint("actor", "key", name="commands_actor_key"),
    )
    op.create_index("commands_table", "commands", ["table_id", "id"])
    _create_ledger()
    op.create_table(
        "seeds",
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("shoe", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("algorithm", sa.Text(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seq", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
    )


def _create_ledger() -> None:
    op.create_table(
        "accounts",
        sa.Column("handle", sa.Text(), primary_key=True),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("opened_ms", sa.BigInteger(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "people",
        sa.Column("handle", sa.Text(), sa.ForeignKey("accounts.handle"), primary_key=True),
        sa.Column("display", sa.Text()),
        sa.Column("contact", sa.Text()),
        sa.Column("password", sa.Text()),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "movements",
        sa.Column("id", _Id, primary_key=True),
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id")),
        sa.Column("seq", sa.BigInteger()),
        sa.Column("time_ms", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("round", sa.BigInteger()),
        sa.Column("box", sa.Integer()),
        sa.Column("area", sa.Text()),
        sa.Column("player", sa.Text()),
        sa.Column("clause", sa.Text()),
        sa.Column("reason", sa.Text()),
        sa.Column("actor", sa.Text()),
        sa.Column("second", sa.Text()),
    )
    op.create_index("movements_table_time", "movements", ["table_id", "time_ms"])
    op.create_table(
        "postings",
        sa.Column("movement_id", sa.BigInteger(), sa.ForeignKey("movements.id"), primary_key=True, autoincrement=False),
        sa.Column("line", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("postings_account", "postings", ["account", "movement_id"])
    op.create_table(
        "balances",
        sa.Column("account", sa.Text(), primary_key=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("amount >= 0 OR account LIKE 'bank/%' OR account LIKE 'cash/%'", name="balances_below_zero"),
        sqlite_with_rowid=False,
    )
