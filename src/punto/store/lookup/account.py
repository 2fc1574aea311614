"""Look-ups in the account of one player: the latest movements, and what was staked where."""

from __future__ import annotations

from punto.ledger.account import player_account
from punto.store.reader import Reader
from punto.store.stored import StatementLine, StoredMovement

_MOVEMENT = (
    "m.id, m.table_id, m.seq, m.time_ms, m.kind, m.round, m.box, m.area, m.player, m.clause, m.reason, "
    "m.actor, m.second"
)

_PART = 10**9
_REST = f"p.amount - p.amount / {_PART} * {_PART}"
"""Amounts are added up in two parts: what somebody staked in a lifetime may be more than a column holds."""


def latest_lines(reader: Reader, handle: str, before: int | None, limit: int) -> list[StatementLine]:
    """The last lines of a player's statement, newest first, before a movement."""
    bound = "" if before is None else "WHERE p.movement_id < ? "
    statement = (
        f"SELECT {_MOVEMENT}, p.line, p.amount, p.balance FROM (SELECT movement_id, line, amount, "
        "sum(amount) OVER (ORDER BY movement_id, line) AS balance FROM postings WHERE account = ?) p "
        f"JOIN movements m ON m.id = p.movement_id {bound}"
        f"ORDER BY p.movement_id DESC, p.line DESC LIMIT {int(limit)}"
    )
    values = (player_account(handle),) if before is None else (player_account(handle), before)
    return [
        StatementLine(StoredMovement(*row[:13]), row[13], row[14], int(row[15]))
        for row in reader.connection.all(statement, values)
    ]


def staked_by_area(reader: Reader, handle: str) -> dict[str, dict[str, int]]:
    """What a player put on each betting area of each table and did not have back undecided."""
    found: dict[str, dict[str, int]] = {}
    rows = reader.connection.all(
        f"SELECT m.table_id, m.area, -sum(p.amount / {_PART}), -sum({_REST}) "
        "FROM postings p JOIN movements m ON m.id = p.movement_id "
        "WHERE p.account = ? AND m.table_id IS NOT NULL AND m.area IS NOT NULL GROUP BY m.table_id, m.area",
        (player_account(handle),),
    )
    for table, area, parts, rest in rows:
        staked = int(parts) * _PART + int(rest)
        if staked:
            found.setdefault(table, {})[area] = staked
    return found


def brought_by_table(reader: Reader, handle: str) -> dict[str, int]:
    """What each table has taken from a player's account so far (below zero) or brought to it."""
    rows = reader.connection.all(
        f"SELECT m.table_id, sum(p.amount / {_PART}), sum({_REST}) FROM postings p "
        "JOIN movements m ON m.id = p.movement_id "
        "WHERE p.account = ? AND m.table_id IS NOT NULL GROUP BY m.table_id",
        (player_account(handle),),
    )
    return {table: int(parts) * _PART + int(rest) for table, parts, rest in rows}
