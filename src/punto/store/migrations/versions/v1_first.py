"""The first schema. New databases have the newest at once, so no database comes through here: steps begin after it."""

from __future__ import annotations

revision = "v1"
down_revision = None


def upgrade() -> None:
    raise AssertionError("a database without a schema is made from the statements of the newest")
