"""Tampering: one change to a database by somebody who owns it, of a kind and at a place that chance decides.

Most changes leave something that does not fit, and must be found whatever the anchor says. Whoever computes
every hash and every row again leaves nothing but another hash: that must be found up to the anchor, and what
comes after it must be reported as unanchored.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from punto.audit.chain.anchor import Anchor
from punto.audit.chain.verification import Verification, verify
from punto.store.chain import CASHIER_FIRST, first_hash, movement_line, next_hash
from punto.store.connection import Connection
from punto.store.reader import Reader
from punto.store.record import decode_event, record_line

Chance = random.Random


CASHIER = ""
"""The chain of the cashier, among those of tables."""


class Tampering(NamedTuple):
    """What was done, and from which record of which chain on everything else was made to fit."""

    what: str
    chain: str | None = None
    fits_from: int | None = None


def tamper(connection: Connection, chance: Chance) -> Tampering:
    """Do one thing."""
    kinds = KINDS if chance.random() < 0.75 else tuple(k for k in KINDS if k.__name__.startswith("_event"))
    return chance.choice(kinds)(connection, chance)


def is_honest(done: Tampering, found: Verification, anchor: Anchor) -> bool:
    """Whether verification says of a change what it has to: it is found, or reported as unanchored."""
    if not found.ok:
        return True
    if done.chain is None or done.fits_from is None:
        return False
    if done.chain == CASHIER:
        return done.fits_from > anchor.cashier.seq == found.cashier["anchored"]
    anchored = anchor.tables.get(done.chain)
    if anchored is None:
        return done.chain not in found.anchored
    return done.fits_from > anchored.seq == found.anchored[done.chain]


def look(connection: Connection, anchor: Anchor | None) -> Verification:
    """Verify what a connection sees, in the transaction that it is in."""
    return verify(Reader(connection), anchor=anchor)


# ── Events ───────────────────────────────────────────────────────────────────────────────────────


def _some_event(connection: Connection, chance: Chance) -> tuple[str, int]:
    rows = connection.all("SELECT table_id, seq FROM events ORDER BY table_id, seq")
    table, seq = chance.choice(rows)
    return table, seq


def _event_flipped(connection: Connection, chance: Chance) -> Tampering:
    table, seq = _some_event(connection, chance)
    [(body,)] = connection.all("SELECT body FROM events WHERE table_id = ? AND seq = ?", (table, seq))
    place = chance.randrange(len(body))
    other = chance.choice([letter for letter in '0123456789abcxyz{}",: ' if letter != body[place]])
    changed = body[:place] + other + body[place + 1 :]
    connection.run("UPDATE events SET body = ? WHERE table_id = ? AND seq = ?", (changed, table, seq))
    return Tampering(f"{table}/{seq}: a letter of the body flipped")


def _event_key(connection: Connection, chance: Chance) -> Tampering:
    table, seq = _some_event(connection, chance)
    connection.run("UPDATE events SET key = ? WHERE table_id = ? AND seq = ?", ("other", table, seq))
    return Tampering(f"{table}/{seq}: another key")


def _event_version(connection: Connection, chance: Chance) -> Tampering:
    table, seq = _some_event(connection, chance)
    connection.run("UPDATE events SET v = v + 1 WHERE table_id = ? AND seq = ?", (table, seq))
    return Tampering(f"{table}/{seq}: another version of the form")


def _event_hash(connection: Connection, chance: Chance) -> Tampering:
    table, seq = _some_event(connection, chance)
    [(old,)] = connection.all("SELECT hash FROM events WHERE table_id = ? AND seq = ?", (table, seq))
    connection.run(
        "UPDATE events SET hash = ? WHERE table_id = ? AND seq = ?", (flipped(old, chance), table, seq)
    )
    return Tampering(f"{table}/{seq}: a bit of the hash flipped")


def _event_deleted(connection: Connection, chance: Chance) -> Tampering:
    table, seq = _some_event(connection, chance)
    connection.run("DELETE FROM events WHERE table_id = ? AND seq = ?", (table, seq))
    if chance.random() < 0.5:
        _renumber(connection, table, seq, -1)
    return Tampering(f"{table}/{seq}: deleted")


def _event_swapped(connection: Connection, chance: Chance) -> Tampering:
    table, seq = _some_event(connection, chance)
    rows = connection.all("SELECT seq, v, key, body FROM events WHERE table_id = ?", (table,))
    [mine] = [row for row in rows if row[0] == seq]
    other = chance.choice([row for row in rows if row[1:] != mine[1:]])
    setting = "UPDATE events SET v = ?, key = ?, body = ? WHERE table_id = ? AND seq = ?"
    connection.run(setting, (*other[1:], table, seq))
    connection.run(setting, (*mine[1:], table, other[0]))
    return Tampering(f"{table}/{seq}: swapped with {other[0]}")


def _event_inserted(connection: Connection, chance: Chance) -> Tampering:
    table, seq = _some_event(connection, chance)
    [(v, key, body, hash_)] = connection.all(
        "SELECT v, key, body, hash FROM events WHERE table_id = ? AND seq = ?", (table, seq)
    )
    [(last,)] = connection.all("SELECT version FROM tables WHERE id = ?", (table,))
    place = chance.choice((seq + 1, last + 1))
    _renumber(connection, table, place - 1, 1)
    connection.insert(
        "events", ("table_id", "seq", "v", "key", "body", "hash"), [(table, place, v, key, body, hash_)]
    )
    if chance.random() < 0.5:
        connection.run("UPDATE tables SET version = version + 1 WHERE id = ?", (table,))
    return Tampering(f"{table}/{place}: inserted")


def _events_cut_off(connection: Connection, chance: Chance) -> Tampering:
    table, seq = _some_event(connection, chance)
    connection.run("DELETE FROM events WHERE table_id = ? AND seq >= ?", (table, seq))
    return Tampering(f"{table}/{seq}: the end cut off")


def _renumber(connection: Connection, table: str, after: int, by: int) -> None:
    seqs = [n for (n,) in connection.all("SELECT seq FROM events WHERE table_id = ?", (table,)) if n > after]
    for seq in sorted(seqs, reverse=by > 0):
        connection.run("UPDATE events SET seq = ? WHERE table_id = ? AND seq = ?", (seq + by, table, seq))


# ── Everything computed again ────────────────────────────────────────────────────────────────────


def _event_rehashed(connection: Connection, chance: Chance) -> Tampering:
    """Another time for an event, with every later hash, and every row that follows, made to fit."""
    table, seq = _some_event(connection, chance)
    [(body,)] = connection.all("SELECT body FROM events WHERE table_id = ? AND seq = ?", (table, seq))
    event = decode_event(body)
    changed = body.replace(f'"time":{event.time}', f'"time":{event.time + 1}', 1)
    assert changed != body
    connection.run("UPDATE events SET body = ? WHERE table_id = ? AND seq = ?", (changed, table, seq))
    connection.run(
        "UPDATE movements SET time_ms = ? WHERE table_id = ? AND seq = ?", (event.time + 1, table, seq)
    )
    if seq == 1:
        connection.run("UPDATE tables SET created_ms = ? WHERE id = ?", (event.time + 1, table))
    connection.run("DELETE FROM snapshots WHERE table_id = ? AND seq >= ?", (table, seq))
    _rehash(connection, table)
    return Tampering(f"{table}/{seq}: written again with all hashes", table, seq)


def _events_cut_off_neatly(connection: Connection, chance: Chance) -> Tampering:
    """The last commands of a table never happened: nothing in the database knows of them any more."""
    table, _ = _some_event(connection, chance)
    ends = connection.all(
        "SELECT last_seq FROM commands WHERE table_id = ? AND last_seq IS NOT NULL ORDER BY id", (table,)
    )
    seqs = (
        sorted({end for (end,) in ends})[:-1]
        or [
            seq
            for (seq,) in connection.all("SELECT seq FROM events WHERE table_id = ? ORDER BY seq", (table,))
        ][:-1]
    )
    last = chance.choice(seqs)
    connection.run("DELETE FROM events WHERE table_id = ? AND seq > ?", (table, last))
    connection.run("DELETE FROM commands WHERE table_id = ? AND version > ?", (table, last))
    connection.run("DELETE FROM snapshots WHERE table_id = ? AND seq > ?", (table, last))
    gone = "SELECT id FROM movements WHERE table_id = ? AND seq > ?"
    connection.run(f"DELETE FROM postings WHERE movement_id IN ({gone})", (table, last))
    connection.run("DELETE FROM movements WHERE table_id = ? AND seq > ?", (table, last))
    connection.run("UPDATE tables SET version = ? WHERE id = ?", (last, table))
    _balance(connection)
    _rehash(connection, table)
    return Tampering(f"{table}/{last}: everything after it cut off neatly", table, last + 1)


def _table_removed(connection: Connection, chance: Chance) -> Tampering:
    """A table that there never was."""
    table, _ = _some_event(connection, chance)
    of_table = "SELECT id FROM movements WHERE table_id = ?"
    connection.run(f"DELETE FROM postings WHERE movement_id IN ({of_table})", (table,))
    for name in ("movements", "events", "commands", "snapshots", "seeds"):
        connection.run(f"DELETE FROM {name} WHERE table_id = ?", (table,))
    connection.run("DELETE FROM tables WHERE id = ?", (table,))
    _balance(connection)
    return Tampering(f"{table}: removed neatly", table, 1)


def _cashier_rehashed(connection: Connection, chance: Chance) -> Tampering:
    """Another amount at the cashier's, with every later hash and the balances made to fit."""
    rows = connection.all(
        "SELECT id, time_ms, kind, player, clause, reason, actor, second FROM movements "
        "WHERE table_id IS NULL ORDER BY id"
    )
    place = chance.randrange(len(rows))
    for line, change in ((1, -5), (2, 5)):
        connection.run(
            "UPDATE postings SET amount = amount + ? WHERE movement_id = ? AND line = ?",
            (change, rows[place][0], line),
        )
    head = CASHIER_FIRST
    for number, row in enumerate(rows, start=1):
        postings = connection.all(
            "SELECT account, amount FROM postings WHERE movement_id = ? ORDER BY line", (row[0],)
        )
        head = next_hash(head, movement_line(number, row, [(name, n) for name, n in postings]))
        connection.run("UPDATE movements SET hash = ? WHERE id = ?", (head, row[0]))
    connection.run("UPDATE chains SET head = ?", (head,))
    _balance(connection)
    return Tampering(f"the cashier's movement {place + 1}: written again", CASHIER, place + 1)


def _balance(connection: Connection) -> None:
    connection.run("DELETE FROM balances")
    connection.run(
        "INSERT INTO balances (account, amount) SELECT account, sum(amount) FROM postings "
        "GROUP BY account HAVING sum(amount) <> 0"
    )


def _rehash(connection: Connection, table: str) -> None:
    [(digest,)] = connection.all("SELECT digest FROM tables WHERE id = ?", (table,))
    head = first_hash(table, digest)
    for seq, v, key, body in connection.all(
        "SELECT seq, v, key, body FROM events WHERE table_id = ? ORDER BY seq", (table,)
    ):
        head = next_hash(head, record_line(table, seq, v, key, body))
        connection.run("UPDATE events SET hash = ? WHERE table_id = ? AND seq = ?", (head, table, seq))
    connection.run("UPDATE tables SET head = ? WHERE id = ?", (head, table))


# ── Everything beside the events ─────────────────────────────────────────────────────────────────

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


def _row_changed(connection: Connection, chance: Chance) -> Tampering:
    table, column, which, change = chance.choice(CHANGED)
    keys = KEYS[table]
    where = f" WHERE {which}" if which else ""
    names = ", ".join((*keys, column))
    row = chance.choice(connection.all(f"SELECT {names} FROM {table}{where} ORDER BY {', '.join(keys)}"))
    values = " AND ".join(f"{key} = ?" for key in keys)
    connection.run(f"UPDATE {table} SET {column} = ? WHERE {values}", (change(row[-1]), *row[:-1]))
    return Tampering(f"{table} {row[:-1]}: {column} changed")


def _row_deleted(connection: Connection, chance: Chance) -> Tampering:
    table, keys, which = chance.choice(GONE)
    where = f" WHERE {which}" if which else ""
    names = ", ".join(keys)
    row = chance.choice(connection.all(f"SELECT {names} FROM {table}{where} ORDER BY {names}"))
    values = " AND ".join(f"{key} = ?" for key in keys)
    connection.run(f"DELETE FROM {table} WHERE {values}", row)
    return Tampering(f"{table} {row}: deleted")


def _movement_deleted(connection: Connection, chance: Chance) -> Tampering:
    """A movement with its postings, and balances that fit."""
    [(id_,)] = [chance.choice(connection.all("SELECT id FROM movements ORDER BY id"))]
    for account, amount in connection.all(
        "SELECT account, amount FROM postings WHERE movement_id = ?", (id_,)
    ):
        connection.run("UPDATE balances SET amount = amount - ? WHERE account = ?", (amount, account))
    connection.run("DELETE FROM postings WHERE movement_id = ?", (id_,))
    connection.run("DELETE FROM movements WHERE id = ?", (id_,))
    return Tampering(f"movement {id_}: deleted with its postings")


def _money_inserted(connection: Connection, chance: Chance) -> Tampering:
    """Money from the cash for a player, posted and balanced, as a table's or the cashier's."""
    [(last,)] = connection.all("SELECT max(id) FROM movements")
    table, seq = _some_event(connection, chance) if chance.random() < 0.5 else (None, None)
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


def _money_moved_on(connection: Connection, chance: Chance) -> Tampering:
    """A posting for somebody else, with balances that fit."""
    rows = connection.all("SELECT movement_id, line, amount FROM postings WHERE account = 'player/Ada'")
    id_, line, amount = chance.choice(sorted(rows))
    connection.run(
        "UPDATE postings SET account = 'player/Ben' WHERE movement_id = ? AND line = ?", (id_, line)
    )
    for account, change in (("player/Ada", -amount), ("player/Ben", amount)):
        connection.run("UPDATE balances SET amount = amount + ? WHERE account = ?", (change, account))
    return Tampering(f"posting {id_}/{line}: Ben's, not Ada's")


def flipped(content: bytes, chance: Chance) -> bytes:
    """The same with one bit flipped."""
    changed = bytearray(content)
    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


KINDS: tuple[Callable[[Connection, Chance], Tampering], ...] = (
    _event_flipped,
    _event_key,
    _event_version,
    _event_hash,
    _event_deleted,
    _event_swapped,
    _event_inserted,
    _events_cut_off,
    _event_rehashed,
    _events_cut_off_neatly,
    _table_removed,
    _cashier_rehashed,
    _row_changed,
    _row_changed,
    _row_changed,
    _row_deleted,
    _movement_deleted,
    _money_inserted,
    _money_moved_on,
)
