"""The chain of hashes: one over the events of each table, one over what the cashier moves.

What is there already gets its hashes here. They say that nothing has changed since this step; nobody can say
more of what was written before there was a chain.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

from punto.store.chain import CASHIER, CASHIER_FIRST, first_hash, movement_line, next_hash
from punto.store.record import record_line

revision = "0002"
down_revision = "0001"

PAGE = 10_000
"""Rows that are read and written at a time."""


def upgrade() -> None:
    op.add_column("events", sa.Column("hash", sa.LargeBinary(), nullable=False, server_default=sa.text("''")))
    op.add_column("tables", sa.Column("head", sa.LargeBinary(), nullable=False, server_default=sa.text("''")))
    op.add_column("movements", sa.Column("hash", sa.LargeBinary()))
    chains = op.create_table(
        "chains",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    for table, digest in _all(connection, "SELECT id, digest FROM tables"):
        head = _chain_events(connection, table, first_hash(table, digest))
        connection.execute(sa.text("UPDATE tables SET head = :head WHERE id = :id"), {"head": head, "id": table})
    version, head = _chain_cashier(connection)
    if version:
        op.bulk_insert(chains, [{"id": CASHIER, "version": version, "head": head}])


def _chain_events(connection: sa.Connection, table: str, head: bytes) -> bytes:
    after = 0
    while page := _all(
        connection,
        "SELECT seq, v, key, body FROM events WHERE table_id = :id AND seq > :after ORDER BY seq LIMIT :page",
        {"id": table, "after": after, "page": PAGE},
    ):
        rows = []
        for seq, v, key, body in page:
            head = next_hash(head, record_line(table, seq, v, key, body))
            rows.append({"hash": head, "id": table, "seq": seq})
        connection.execute(sa.text("UPDATE events SET hash = :hash WHERE table_id = :id AND seq = :seq"), rows)
        after = page[-1][0]
    return head


def _chain_cashier(connection: sa.Connection) -> tuple[int, bytes]:
    number, head = 0, CASHIER_FIRST
    rows = _all(
        connection,
        "SELECT m.id, m.time_ms, m.kind, m.player, m.clause, m.reason, m.actor, m.second, p.account, "
        "p.amount FROM movements m LEFT JOIN postings p ON p.movement_id = m.id WHERE m.table_id IS NULL "
        "ORDER BY m.id, p.line",
    )
    for row, lines in groupby(rows, lambda row: tuple(row[:8])):
        number += 1
        postings = [(line[8], line[9]) for line in lines if line[8] is not None]
        head = next_hash(head, movement_line(number, row, postings))
        connection.execute(sa.text("UPDATE movements SET hash = :hash WHERE id = :id"), {"hash": head, "id": row[0]})
    return number, head


def _all(connection: sa.Connection, statement: str, values: dict[str, Any] | None = None) -> list[Any]:
    return list(connection.execute(sa.text(statement), values or {}).fetchall())
