"""What a database says of itself, who was drawn for a demonstration, and where people have logged in before.

Before this step demonstrations were known by the names of their people. What one made can still be told: all
its log-ins were given their roles in one and the same millisecond, which no other way of giving them does.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_DRAWN = {
    "player": "player",
    "dealer": "dealer",
    "supervisor": "pit-supervisor",
    "manager": "pit-manager",
    "shift": "shift-manager",
    "cashier": "cashier",
    "auditor": "auditor",
    "admin": "administrator",
}
"""The log-ins that demonstrations had until then."""
_SEVERAL = 4
"""At least four of them at once were drawn by a demonstration, also where some of the names were taken."""


def upgrade() -> None:
    op.create_table(
        "marks",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("value", sa.Text(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "known_addresses",
        sa.Column("handle", sa.Text(), sa.ForeignKey("accounts.handle"), primary_key=True),
        sa.Column("address", sa.Text(), primary_key=True),
        sa.Column("last_ms", sa.BigInteger(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.add_column(
        "people",
        sa.Column("drawn", sa.Boolean(create_constraint=False), nullable=False, server_default=sa.text("false")),
    )
    _mark_demonstration()


def _mark_demonstration() -> None:
    connection = op.get_bind()
    found = connection.execute(
        sa.text("SELECT handle, role, granted_ms FROM roles WHERE granted_by = 'house'")
    ).fetchall()
    by_moment: dict[int, set[str]] = {}
    for handle, role, moment in found:
        if _DRAWN.get(handle) == role:
            by_moment.setdefault(moment, set()).add(handle)
    for names in by_moment.values():
        if len(names) < _SEVERAL:
            continue
        for name in sorted(names):
            connection.execute(sa.text("UPDATE people SET drawn = true WHERE handle = :name"), {"name": name})
        if len(names) == len(_DRAWN):
            connection.execute(sa.text("INSERT INTO marks (name, value) VALUES ('demonstration', '')"))
            return
