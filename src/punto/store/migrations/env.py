"""How Alembic reaches the database: by the connection that `upgrade` lends it, inside its transaction."""

from __future__ import annotations

from alembic import context

from punto.store.migration import MARK
from punto.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=MARK,
    transactional_ddl=False,  # the transaction is `upgrade`'s own
)
context.run_migrations()
