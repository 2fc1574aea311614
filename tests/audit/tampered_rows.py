"""Rows beside the events: every column of the schema that somebody could change, and every row.

A column is in one of two lists: what is changed there must be found, or it is harmless, with the reason. A
test fails where a new column is in neither.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Boolean, LargeBinary, Text

from punto.store.connection import Connection
from tests.audit.change import Chance, Tampering, some_event
from tests.store.reflected import metadata

COVERED: dict[str, tuple[str, ...]] = {
    "books": ("digest", "name", "document"),
    "tables": ("id", "digest", "version", "created_ms", "imported", "head", "asked", "asked_head"),
    "events": ("table_id", "seq", "v", "key", "body", "hash"),
    "commands": (
        *("id", "table_id", "version", "first_seq", "last_seq", "actor", "key", "body", "refusal", "answer"),
        *("expected", "hash"),
    ),
    "accounts": ("handle", "currency", "opened_ms", "kind"),
    "people": ("handle", "password", "drawn"),
    "movements": (
        *("id", "table_id", "seq", "time_ms", "kind", "round", "box", "area", "player", "clause", "reason"),
        *("actor", "second", "hash", "key", "commission"),
    ),
    "postings": ("movement_id", "line", "account", "amount"),
    "balances": ("account", "amount"),
    "seeds": ("table_id", "shoe", "algorithm", "sealed"),
    "snapshots": ("table_id", "seq", "body"),
    "chains": ("id", "version", "head"),
    "house_events": ("seq", "body", "hash"),
    "roles": ("handle", "role", "granted_by", "granted_ms"),
    "approvals": (
        *("id", "table_id", "actor", "role", "key", "body", "version", "needs", "asked_ms", "expires_ms"),
        *("decision", "decided_by", "decided_ms", "answer", "expected", "mac"),
    ),
    "runs": ("table_id", "dealer", "pace", "bots"),
    "house_settings": ("name", "value"),
    "invitations": (
        *("id", "digest", "role", "currency", "buy_in", "made_by", "made_ms", "expires_ms"),
        *("used_by", "used_ms", "withdrawn_by", "withdrawn_ms"),
    ),
    "devices": ("id", "table_id", "name", "digest", "issued_by", "issued_ms", "revoked_by", "revoked_ms"),
    "gaming_days": ("day", "from_ms", "to_ms", "closed_ms", "closed_by", "figures", "files"),
    "second_factors": ("handle", "sealed", "since_ms"),
    "recovery_codes": ("handle", "digest"),
    "shut_log_ins": ("handle", "shut_by", "shut_ms", "reason"),
    "disputes": ("id", "table_id", "round", "player", "text", "raised_ms", "answer", "answered_by", "answered_ms"),
    "rack_slips": (
        *("number", "table_id", "kind", "chips", "amount", "expected", "movement", "time_ms", "actor", "role"),
        *("second", "second_role", "key"),
    ),
    "shifts": (
        *("number", "cashier", "currency", "opened_ms", "opener", "opened", "first", "closed_ms", "closer", "closed"),
        *("expected", "last"),
    ),
    "plays": ("handle", "play"),
    "protections": ("handle", "kind", "value"),
    "stops": ("what", "stopped_by", "stopped_ms", "reason"),
    "player_days": ("handle", "day", "staked", "won", "staked_told", "won_told"),
}
"""What is changed in these columns is found, by table."""

_PERSONAL = "it can be erased by law at any time, and decides nothing"
_SESSION = "it ends within hours, and whoever acts in it is named in events and commands, which are chained"
_SLOWS = "it decides how soon a password may be tried again, and opens nothing without the password"
_MARK = "it says whether the log-ins of a demonstration are shown; whose those are is in people.drawn"
_COUNTED = "it is the rest of an hour whose first such event is chained; the number is written when the hour is over"
_NOTE = "a call to the pit is a note beside the table; nothing is decided by it"
_STEP = "it makes a code hold once; a code opens nothing without the password, and is over within two minutes"
_BEGUN = "a second factor that is begun opens nothing, and holds only when a code of its sealed secret confirms it"
_WORK = "it says which server works where: it saves work, and the versions of tables refuse what comes late"
HARMLESS: dict[str, str] = {
    "second_factors.last_step": _STEP,
    **dict.fromkeys(("begun_factors.handle", "begun_factors.sealed", "begun_factors.expires_ms"), _BEGUN),
    "people.display": _PERSONAL,
    "people.contact": _PERSONAL,
    "marks.name": _MARK,
    "marks.value": _MARK,
    **dict.fromkeys(("known_addresses.handle", "known_addresses.address", "known_addresses.last_ms"), _SLOWS),
    "snapshots.fingerprint": "a snapshot is a cache: with another fingerprint it is passed over",
    **dict.fromkeys(
        (
            *("sessions.token", "sessions.handle", "sessions.created_ms", "sessions.expires_ms"),
            *("sessions.address", "sessions.active_ms", "sessions.before_ms", "sessions.before_address"),
            *("sessions.authenticated_ms", "tickets.ticket", "tickets.token", "tickets.expires_ms"),
        ),
        _SESSION,
    ),
    **dict.fromkeys(("failures.subject", "failures.count", "failures.last_ms", "failures.until_ms"), _SLOWS),
    **dict.fromkeys(
        (
            *("repeated_events.code", "repeated_events.subject", "repeated_events.hour", "repeated_events.count"),
            *("repeated_events.last_ms", "repeated_events.details"),
        ),
        _COUNTED,
    ),
    **dict.fromkeys(
        (
            *("pit_calls.id", "pit_calls.table_id", "pit_calls.caller", "pit_calls.role", "pit_calls.reason"),
            *("pit_calls.called_ms", "pit_calls.answer", "pit_calls.answered_by", "pit_calls.answered_ms"),
        ),
        _NOTE,
    ),
    **dict.fromkeys(
        (
            *("servers.name", "servers.url", "servers.seen_ms", "leases.table_id", "leases.holder", "leases.problem"),
            *("notices.id", "notices.told_ms", "notices.teller", "notices.topic"),
        ),
        _WORK,
    ),
}
"""Columns in which a change is not found, each with the reason why that does no harm."""

KEYS = {name: tuple(column.name for column in table.primary_key) for name, table in metadata.tables.items()}
WHICH = {
    "balances": "amount <> 0",  # an account with nothing in it may be forgotten
    "people": "password IS NOT NULL",  # without one it is a name, which may be erased
}
"""Which rows of a table say something."""
FAR = 1_000_000
"""From a number that is used to one that is not."""


def _another(table: str, column: str) -> Callable[[Any], Any]:
    """Another value for a column, whatever stands there."""
    kind = metadata.tables[table].columns[column].type
    if isinstance(kind, Boolean):
        return lambda old: not old
    if isinstance(kind, LargeBinary):
        return lambda old: bytes(len(old or b"?")) if bytes(old or b"?").strip(b"\0") else b"?"
    if isinstance(kind, Text):
        return lambda old: "?" if old is None else f"{old}?"
    return lambda old: FAR if old is None else old + FAR


PARTICULAR: tuple[tuple[str, str, str, Any], ...] = (
    ("tables", "version", "", lambda old: old + 1),
    ("tables", "version", "version > 1", lambda old: old - 1),
    ("tables", "asked", "asked > 1", lambda old: old - 1),
    ("books", "document", "", lambda old: old.replace("1", "2", 1)),
    ("snapshots", "body", "", lambda old: bytes(old).replace(b"1", b"7", 1)),
    ("commands", "first_seq", "first_seq IS NOT NULL", lambda old: old + 1),
    ("commands", "body", "table_id IS NULL", lambda old: old.replace("0", "1", 1)),
    ("commands", "refusal", "refusal IS NOT NULL", lambda _: None),
    ("commands", "answer", "answer IS NOT NULL", lambda _: None),
    ("commands", "table_id", "table_id IS NOT NULL", lambda old: "t1" if old != "t1" else "t2"),
    ("commands", "table_id", "", lambda old: "t1" if old != "t1" else None),
    ("movements", "table_id", "", lambda old: "t1" if old != "t1" else None),
    ("movements", "seq", "", lambda old: 3 if old is None else None),
    ("movements", "kind", "", lambda old: "release" if old != "release" else "bet"),
    ("movements", "player", "", lambda old: "Ada" if old != "Ada" else "Ben"),
    ("movements", "second", "", lambda old: "Ada" if old != "Ada" else "Ben"),
    ("movements", "key", "key IS NOT NULL", lambda _: None),
    ("postings", "amount", "", lambda old: old + 1),
    ("postings", "account", "", lambda old: "bank/USD" if old != "bank/USD" else "player/Ada"),
    ("balances", "amount", "", lambda old: old + 1),
    ("accounts", "currency", "", lambda old: old[::-1]),
    ("roles", "role", "role = 'dealer'", lambda _: "administrator"),
    ("people", "password", "password IS NOT NULL", lambda _: None),
    ("approvals", "decision", "decision IS NULL", lambda _: "approve"),
    ("approvals", "decision", "decision IS NOT NULL", lambda _: None),
    ("approvals", "answer", "answer IS NOT NULL", lambda _: None),
    ("approvals", "decided_by", "decided_by IS NOT NULL", lambda _: "Dan"),
    ("runs", "dealer", "", lambda _: "automatic"),
    ("disputes", "answer", "answer IS NOT NULL", lambda _: None),
    ("house_settings", "value", "name = 'large_win'", lambda _: "9000000"),
    ("protections", "value", "kind = 'limits'", lambda old: old.replace("500", "50000")),
    ("plays", "play", "", lambda old: old.replace("1", "2", 1)),
)
"""Changes that somebody has something of: the table, the column, which rows, and from what to what."""
CHANGED = (
    *PARTICULAR,
    *(
        (table, column, WHICH.get(table, ""), _another(table, column))
        for table, columns in COVERED.items()
        for column in columns
    ),
)
GONE = tuple((table, WHICH.get(table, "")) for table in COVERED if table != "snapshots")
"""Tables whose rows can be deleted; a snapshot is a cache and may be."""


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
    table, which = chance.choice(GONE)
    keys = KEYS[table]
    where = f" WHERE {which}" if which else ""
    names = ", ".join(keys)
    row = chance.choice(connection.all(f"SELECT {names} FROM {table}{where} ORDER BY {names}"))
    values = " AND ".join(f"{key} = ?" for key in keys)
    connection.run(f"DELETE FROM {table} WHERE {values}", row)
    return Tampering(f"{table} {row}: deleted")


def row_added(connection: Connection, chance: Chance) -> Tampering:
    """A row like another one, under a key of its own."""
    table = chance.choice(tuple(COVERED))
    columns, keys = list(metadata.tables[table].columns.keys()), KEYS[table]
    where = f" WHERE {WHICH[table]}" if table in WHICH else ""
    names = ", ".join(columns)
    row = list(chance.choice(connection.all(f"SELECT {names} FROM {table}{where} ORDER BY {', '.join(keys)}")))
    uniques = {**dict.fromkeys(("commands", "approvals", "movements", "rack_slips"), "key"), "disputes": "player"}
    unique = {**uniques, "invitations": "digest", "devices": "digest", "shifts": "cashier"}.get(table)
    for column in filter(None, (keys[-1], unique)):
        place = columns.index(column)
        row[place] = _another(table, column)(row[place])
    connection.insert(table, columns, [row])
    return Tampering(f"{table} {row[: len(keys)]}: added")


def movement_deleted(connection: Connection, chance: Chance) -> Tampering:
    """A movement with its postings, and balances that fit."""
    [(id_,)] = [chance.choice(connection.all("SELECT id FROM movements ORDER BY id"))]
    for account, amount in connection.all("SELECT account, amount FROM postings WHERE movement_id = ?", (id_,)):
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
        connection.insert("postings", ("movement_id", "line", "account", "amount"), [(last + 1, line, account, change)])
        connection.run("UPDATE balances SET amount = amount + ? WHERE account = ?", (change, account))
    return Tampering(f"movement {last + 1}: money for Ada")


def money_moved_on(connection: Connection, chance: Chance) -> Tampering:
    """A posting for somebody else, with balances that fit."""
    rows = connection.all("SELECT movement_id, line, amount FROM postings WHERE account = 'player/Ada'")
    id_, line, amount = chance.choice(sorted(rows))
    connection.run("UPDATE postings SET account = 'player/Ben' WHERE movement_id = ? AND line = ?", (id_, line))
    for account, change in (("player/Ada", -amount), ("player/Ben", amount)):
        connection.run("UPDATE balances SET amount = amount + ? WHERE account = ?", (change, account))
    return Tampering(f"posting {id_}/{line}: Ben's, not Ada's")
