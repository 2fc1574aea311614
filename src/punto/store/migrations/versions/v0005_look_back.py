"""Indexes to look back by: what an account had at any moment, and errors that were found out late."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_LATE = sa.text("""substr(body, 1, 26) = '{"type":"error-found-late"'""")


def upgrade() -> None:
    op.drop_index("postings_account", "postings")
    op.create_index("postings_account", "postings", ["account", "movement_id", "amount"])
    op.create_index("events_late", "events", ["table_id", "seq"], sqlite_where=_LATE, postgresql_where=_LATE)
