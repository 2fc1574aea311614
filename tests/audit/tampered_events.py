"""Events flipped, deleted, swapped, inserted or cut off, with nothing else made to fit."""

from __future__ import annotations

from punto.store.connection import Connection
from tests.audit.change import Chance, Tampering, flipped, some_event


def event_flipped(connection: Connection, chance: Chance) -> Tampering:
    table, seq = some_event(connection, chance)
    [(body,)] = connection.all("SELECT body FROM events WHERE table_id = ? AND seq = ?", (table, seq))
    place = chance.randrange(len(body))
    other = chance.choice([letter for letter in '0123456789abcxyz{}",: ' if letter != body[place]])
    changed = body[:place] + other + body[place + 1 :]
    connection.run("UPDATE events SET body = ? WHERE table_id = ? AND seq = ?", (changed, table, seq))
    return Tampering(f"{table}/{seq}: a letter of the body flipped")


def event_key(connection: Connection, chance: Chance) -> Tampering:
    table, seq = some_event(connection, chance)
    connection.run("UPDATE events SET key = ? WHERE table_id = ? AND seq = ?", ("other", table, seq))
    return Tampering(f"{table}/{seq}: another key")


def event_version(connection: Connection, chance: Chance) -> Tampering:
    table, seq = some_event(connection, chance)
    connection.run("UPDATE events SET v = v + 1 WHERE table_id = ? AND seq = ?", (table, seq))
    return Tampering(f"{table}/{seq}: another version of the form")


def event_hash(connection: Connection, chance: Chance) -> Tampering:
    table, seq = some_event(connection, chance)
    [(old,)] = connection.all("SELECT hash FROM events WHERE table_id = ? AND seq = ?", (table, seq))
    connection.run("UPDATE events SET hash = ? WHERE table_id = ? AND seq = ?", (flipped(old, chance), table, seq))
    return Tampering(f"{table}/{seq}: a bit of the hash flipped")


def event_deleted(connection: Connection, chance: Chance) -> Tampering:
    table, seq = some_event(connection, chance)
    connection.run("DELETE FROM events WHERE table_id = ? AND seq = ?", (table, seq))
    if chance.random() < 0.5:
        _renumber(connection, table, seq, -1)
    return Tampering(f"{table}/{seq}: deleted")


def event_swapped(connection: Connection, chance: Chance) -> Tampering:
    table, seq = some_event(connection, chance)
    rows = connection.all("SELECT seq, v, key, body FROM events WHERE table_id = ?", (table,))
    [mine] = [row for row in rows if row[0] == seq]
    other = chance.choice([row for row in rows if row[1:] != mine[1:]])
    setting = "UPDATE events SET v = ?, key = ?, body = ? WHERE table_id = ? AND seq = ?"
    connection.run(setting, (*other[1:], table, seq))
    connection.run(setting, (*mine[1:], table, other[0]))
    return Tampering(f"{table}/{seq}: swapped with {other[0]}")


def event_inserted(connection: Connection, chance: Chance) -> Tampering:
    table, seq = some_event(connection, chance)
    [(v, key, body, hash_)] = connection.all(
        "SELECT v, key, body, hash FROM events WHERE table_id = ? AND seq = ?", (table, seq)
    )
    [(last,)] = connection.all("SELECT version FROM tables WHERE id = ?", (table,))
    place = chance.choice((seq + 1, last + 1))
    _renumber(connection, table, place - 1, 1)
    connection.insert("events", ("table_id", "seq", "v", "key", "body", "hash"), [(table, place, v, key, body, hash_)])
    if chance.random() < 0.5:
        connection.run("UPDATE tables SET version = version + 1 WHERE id = ?", (table,))
    return Tampering(f"{table}/{place}: inserted")


def events_cut_off(connection: Connection, chance: Chance) -> Tampering:
    table, seq = some_event(connection, chance)
    connection.run("DELETE FROM events WHERE table_id = ? AND seq >= ?", (table, seq))
    return Tampering(f"{table}/{seq}: the end cut off")


def _renumber(connection: Connection, table: str, after: int, by: int) -> None:
    seqs = [n for (n,) in connection.all("SELECT seq FROM events WHERE table_id = ?", (table,)) if n > after]
    for seq in sorted(seqs, reverse=by > 0):
        connection.run("UPDATE events SET seq = ? WHERE table_id = ? AND seq = ?", (seq + by, table, seq))
