"""How Alembic reaches the database: by the connection that `upgrade` lends it, inside its transaction."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table=context.config.attributes["version_table"],
    transactional_ddl=False,  # the transaction is `upgrade`'s own
)
context.run_migrations()
