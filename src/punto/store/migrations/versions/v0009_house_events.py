"""Chains over what was asked of tables and of the desk, and over what the house itself did.

What is there already is chained here, and written down as found: nobody vouches for how it came to be. What
waits for a second person is not signed, and has to be asked for again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from punto.store.chain import (
    DESK,
    DESK_FIRST,
    FOUND_REASON,
    HOUSE,
    HOUSE_FIRST,
    HouseCode,
    HouseEvent,
    Subject,
    command_line,
    first_command_hash,
    linked_house_rows,
    log_in_state,
    next_hash,
    roles_state,
    seed_state,
)

revision = "0009"
down_revision = "0008"

PAGE = 10_000
"""Rows that are read and written at a time."""
_KEYED = sa.text("key IS NOT NULL")
_COMMAND = "id, table_id, version, first_seq, last_seq, actor, key, body, refusal, answer, expected"
_APPROVAL = (
    *("table", "actor", "role", "key", "body", "version", "needs", "asked_ms", "expires_ms", "decision"),
    *("decided_by", "decided_ms", "answer", "expected"),
)


def upgrade() -> None:
    empty = sa.text("''")
    op.add_column("tables", sa.Column("asked", sa.BigInteger(), nullable=False, server_default=sa.text("0")))
    op.add_column("tables", sa.Column("asked_head", sa.LargeBinary(), nullable=False, server_default=empty))
    op.add_column("commands", sa.Column("hash", sa.LargeBinary(), nullable=False, server_default=empty))
    op.add_column("approvals", sa.Column("mac", sa.LargeBinary(), nullable=False, server_default=empty))
    op.add_column("movements", sa.Column("key", sa.Text()))
    op.create_index(
        "movements_actor_key", "movements", ["actor", "key"], unique=True, sqlite_where=_KEYED, postgresql_where=_KEYED
    )
    events = op.create_table(
        "house_events",
        sa.Column("seq", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    for (table,) in _all(connection, "SELECT id FROM tables"):
        number, head = _chain_commands(connection, table, first_command_hash(table))
        connection.execute(
            sa.text("UPDATE tables SET asked = :number, asked_head = :head WHERE id = :id"),
            {"number": number, "head": head, "id": table},
        )
    number, head = _chain_commands(connection, None, DESK_FIRST)
    if number:
        _keep_chain(connection, DESK, number, head)
    rows = list(linked_house_rows(_found(connection, time.time_ns() // 1_000_000), 0, HOUSE_FIRST))
    if rows:
        op.bulk_insert(events, [{"seq": seq, "body": body, "hash": head} for seq, body, head in rows])
        _keep_chain(connection, HOUSE, rows[-1][0], rows[-1][2])


def _chain_commands(connection: sa.Connection, table: str | None, head: bytes) -> tuple[int, bytes]:
    """The commands of a table, or of the desk: how many, and the last hash."""
    number, after = 0, -(2**63)
    wanted = "table_id = :id" if table is not None else "table_id IS NULL"
    while page := _all(
        connection,
        f"SELECT {_COMMAND} FROM commands WHERE {wanted} AND id > :after ORDER BY id LIMIT :page",
        {"after": after, "page": PAGE, **({"id": table} if table is not None else {})},
    ):
        rows = []
        for row in page:
            number += 1
            head = next_hash(head, command_line(tuple(row)))
            rows.append({"hash": head, "id": row[0]})
        connection.execute(sa.text("UPDATE commands SET hash = :hash WHERE id = :id"), rows)
        after = page[-1][0]
    return number, head


def _found(connection: sa.Connection, now: int) -> Iterator[HouseEvent]:
    """Everything that is there, as the first acts of the chain."""

    def found(subject: Subject, name: str, after: dict[str, Any] | None) -> HouseEvent:
        code, reason = HouseCode.FOUND.value, FOUND_REASON
        return HouseEvent(time=now, code=code, subject=subject.of(name), who=None, after=after, reason=reason)

    for id, digest, created, imported in _all(
        connection, "SELECT id, digest, created_ms, imported FROM tables ORDER BY id"
    ):
        after = {"digest": digest, "created_ms": created, "imported": bool(imported)}
        yield found(Subject.TABLE, id, after)
    for handle, currency, opened in _all(
        connection, "SELECT handle, currency, opened_ms FROM accounts ORDER BY handle"
    ):
        yield found(Subject.ACCOUNT, handle, {"currency": currency, "opened_ms": opened})
    for handle, password, drawn in _all(
        connection, "SELECT handle, password, drawn FROM people WHERE password IS NOT NULL ORDER BY handle"
    ):
        yield found(Subject.PASSWORD, handle, log_in_state(password, is_drawn=bool(drawn)))
    held: dict[str, list[tuple[str, str, int]]] = {}
    for handle, role, by, when in _all(
        connection, "SELECT handle, role, granted_by, granted_ms FROM roles ORDER BY handle, role"
    ):
        held.setdefault(handle, []).append((role, by, when))
    for handle, roles in held.items():
        yield found(Subject.ROLES, handle, roles_state(roles))
    columns = ", ".join(_APPROVAL).replace("table,", "table_id,", 1)
    for id, *row in _all(connection, f"SELECT id, {columns} FROM approvals ORDER BY id"):
        yield found(Subject.APPROVAL, id, {**dict(zip(_APPROVAL, row, strict=True)), "mac": ""})
    for table, shoe, algorithm, sealed in _all(
        connection, "SELECT table_id, shoe, algorithm, sealed FROM seeds ORDER BY table_id, shoe"
    ):
        yield found(Subject.SEED, f"{table}/{shoe}", seed_state(algorithm, bytes(sealed)))
    for table, dealer, pace, bots in _all(
        connection, "SELECT table_id, dealer, pace, bots FROM runs ORDER BY table_id"
    ):
        yield found(Subject.RUN, table, {"dealer": dealer, "pace": pace, "bots": bots})


def _keep_chain(connection: sa.Connection, chain: str, number: int, head: bytes) -> None:
    connection.execute(
        sa.text("INSERT INTO chains (id, version, head) VALUES (:id, :number, :head)"),
        {"id": chain, "number": number, "head": head},
    )


def _all(connection: sa.Connection, statement: str, values: dict[str, Any] | None = None) -> list[Any]:
    return list(connection.execute(sa.text(statement), values or {}).fetchall())
