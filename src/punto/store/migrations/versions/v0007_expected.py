"""The version that a command was decided on is part of what was asked under its key.

Of what was kept before this step nobody knows it: -1, which is like every version.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    for table in ("commands", "approvals"):
        op.add_column(table, sa.Column("expected", sa.BigInteger(), server_default=sa.text("-1")))
