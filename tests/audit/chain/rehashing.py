"""Everything computed again: a change with every later hash and every row that follows made to fit."""

from __future__ import annotations

from punto.store.chain import CASHIER_FIRST, first_hash, movement_line, next_hash
from punto.store.connection import Connection
from punto.store.record import decode_event, record_line
from tests.audit.chain.change import CASHIER, Chance, Tampering, some_event


def event_rehashed(connection: Connection, chance: Chance) -> Tampering:
    """Another time for an event, with every later hash, and every row that follows, made to fit."""
    table, seq = some_event(connection, chance)
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


def events_cut_off_neatly(connection: Connection, chance: Chance) -> Tampering:
    """The last commands of a table never happened: nothing in the database knows of them any more."""
    table, _ = some_event(connection, chance)
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


def table_removed(connection: Connection, chance: Chance) -> Tampering:
    """A table that there never was."""
    table, _ = some_event(connection, chance)
    of_table = "SELECT id FROM movements WHERE table_id = ?"
    connection.run(f"DELETE FROM postings WHERE movement_id IN ({of_table})", (table,))
    for name in ("movements", "events", "commands", "snapshots", "seeds"):
        connection.run(f"DELETE FROM {name} WHERE table_id = ?", (table,))
    connection.run("DELETE FROM tables WHERE id = ?", (table,))
    _balance(connection)
    return Tampering(f"{table}: removed neatly", table, 1)


def cashier_rehashed(connection: Connection, chance: Chance) -> Tampering:
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
