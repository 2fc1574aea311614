"""Rows beside the events: tables, books, snapshots, commands, movements, postings, balances, accounts."""

from __future__ import annotations

from typing import Any

from punto.store.connection import Connection
from tests.audit.chain.change import Chance, Tampering, some_event

CHANGED: tuple[tuple[str, str, str, Any], ...] = (
    ("tables", "version", "", lambda old: old + 1),
    ("tables", "version", "version > 1", lambda old: old - 1),
    ("tables", "head", "", lambda old: bytes(len(old))),
    ("tables", "digest", "", lambda old: old[::-1]),
    ("tables", "created_ms", "id <> 'seen'", lambda old: old + 1),
    ("tables", "imported", "", lambda old: not old),
    ("books", "document", "", lambda old: old.replace("1", "2", 1)),
    ("books", "name", "", lambda old: old + "-2"),
    (
        "snapshots",
        "body",
        "",
        lambda old: bytes(old).replace(b"1", b"7", 1),
    ),
    ("commands", "first_seq", "first_seq IS NOT NULL", lambda old: old + 1),
    ("commands", "last_seq", "first_seq IS NOT NULL", lambda old: old + 1),
    ("commands", "version", "", lambda old: old + 1),
    ("commands", "key", "first_seq IS NOT NULL", lambda old: f"{old}?"),
    ("commands", "actor", "first_seq IS NOT NULL", lambda old: f"{old}?"),
    ("commands", "table_id", "first_seq IS NOT NULL", lambda old: "t1" if old != "t1" else "t2"),
    ("movements", "table_id", "", lambda old: "t1" if old != "t1" else None),
    ("movements", "seq", "seq IS NOT NULL", lambda old: old + 1),
    ("movements", "seq", "", lambda old: 3 if old is None else None),
    ("movements", "time_ms", "", lambda old: old + 1),
    ("movements", "kind", "", lambda old: "release" if old != "release" else "bet"),
    ("movements", "round", "", lambda old: (old or 0) + 1),
    ("movements", "box", "", lambda old: (old or 0) + 1),
    ("movements", "area", "", lambda old: "tie" if old != "tie" else "banker"),
    ("movements", "player", "", lambda old: "Ada" if old != "Ada" else "Ben"),
    ("movements", "clause", "", lambda old: f"{old}1"),
    ("movements", "reason", "", lambda old: f"{old}1"),
    ("movements", "actor", "", lambda old: "Ada" if old != "Ada" else "Ben"),
    ("movements", "second", "", lambda old: "Ada" if old != "Ada" else "Ben"),
    ("movements", "hash", "table_id IS NULL", lambda old: bytes(len(old))),
    ("postings", "amount", "", lambda old: old + 1),
    ("postings", "account", "", lambda old: "bank/USD" if old != "bank/USD" else "player/Ada"),
    ("postings", "line", "", lambda old: old + 5),
    ("balances", "amount", "", lambda old: old + 1),
    ("accounts", "currency", "", lambda old: old[::-1]),
    ("chains", "version", "", lambda old: old + 1),
    ("chains", "head", "", lambda old: bytes(len(old))),
)
"""Columns that can be changed: the table, the column, which rows, and from what to what."""

KEYS = {
    "tables": ("id",),
    "books": ("digest",),
    "snapshots": ("table_id", "seq"),
    "commands": ("id",),
    "movements": ("id",),
    "postings": ("movement_id", "line"),
    "balances": ("account",),
    "accounts": ("handle",),
    "chains": ("id",),
}

GONE = (
    ("events", ("table_id", "seq"), ""),
    ("movements", ("id",), ""),
    ("postings", ("movement_id", "line"), ""),
    ("balances", ("account",), "amount <> 0"),
    ("accounts", ("handle",), ""),
    ("books", ("digest",), ""),
    ("tables", ("id",), "id <> 'seen'"),
    ("commands", ("id",), "first_seq IS NOT NULL"),
    ("chains", ("id",), ""),
)


def row_changed(connection: Connection, chance: Chance) -> Tampering:
    table, column, which, change = chance.choice(CHANGED)
    keys = KEYS[table]
    where = f" WHERE {which}" if which else ""
    names = ", ".join((*keys, column))
    row = chance.choice(connection.all(f"SELECT {names} FROM {table}{where} ORDER BY {', '.join(keys)}"))
    values = " AND ".join(f"{key} = ?" for key in keys)
    connection.run(f"UPDATE {table} SET {column} = ? WHERE {values}", (change(row[-1]), *row[:-1]))
    return Tampering(f"{table} {row[:-1]}: {column} changed")


def row_deleted(connection: Connection, chance: Chance) -> Tampering:
    table, keys, which = chance.choice(GONE)
    where = f" WHERE {which}" if which else ""
    names = ", ".join(keys)
    row = chance.choice(connection.all(f"SELECT {names} FROM {table}{where} ORDER BY {names}"))
    values = " AND ".join(f"{key} = ?" for key in keys)
    connection.run(f"DELETE FROM {table} WHERE {values}", row)
    return Tampering(f"{table} {row}: deleted")


def movement_deleted(connection: Connection, chance: Chance) -> Tampering:
    """A movement with its postings, and balances that fit."""
    [(id_,)] = [chance.choice(connection.all("SELECT id FROM movements ORDER BY id"))]
    for account, amount in connection.all(
        "SELECT account, amount FROM postings WHERE movement_id = ?", (id_,)
    ):
        connection.run("UPDATE balances SET amount = amount - ? WHERE account = ?", (amount, account))
    connection.run("DELETE FROM postings WHERE movement_id = ?", (id_,))
    connection.run("DELETE FROM movements WHERE id = ?", (id_,))
    return Tampering(f"movement {id_}: deleted with its postings")


def money_inserted(connection: Connection, chance: Chance) -> Tampering:
    """Money from the cash for a player, posted and balanced, as a table's or the cashier's."""
    [(last,)] = connection.all("SELECT max(id) FROM movements")
    table, seq = some_event(connection, chance) if chance.random() < 0.5 else (None, None)
    amount = chance.randrange(1, 10_000)
    columns = ("id", "table_id", "seq", "time_ms", "kind", "player", "hash")
    values = (last + 1, table, seq, 9, "buy-in", "Ada", bytes(32) if table is None else None)
    connection.insert("movements", columns, [values])
    lines = (("cash/USD", -amount), ("player/Ada", amount))
    for line, (account, change) in enumerate(lines, 1):
        connection.insert(
            "postings", ("movement_id", "line", "account", "amount"), [(last + 1, line, account, change)]
        )
        connection.run("UPDATE balances SET amount = amount + ? WHERE account = ?", (change, account))
    return Tampering(f"movement {last + 1}: money for Ada")


def money_moved_on(connection: Connection, chance: Chance) -> Tampering:
    """A posting for somebody else, with balances that fit."""
    rows = connection.all("SELECT movement_id, line, amount FROM postings WHERE account = 'player/Ada'")
    id_, line, amount = chance.choice(sorted(rows))
    connection.run(
        "UPDATE postings SET account = 'player/Ben' WHERE movement_id = ? AND line = ?", (id_, line)
    )
    for account, change in (("player/Ada", -amount), ("player/Ben", amount)):
        connection.run("UPDATE balances SET amount = amount + ? WHERE account = ?", (change, account))
    return Tampering(f"posting {id_}/{line}: Ben's, not Ada's")
