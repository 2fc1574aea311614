"""Everything computed again: a change with every later hash and every row that follows made to fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec

from punto.audit.play_check import PlayCheck
from punto.audit.significant_check import DaySum, DaySums, HouseTimeline, TableTold
from punto.audit.table_check import check_table
from punto.store.chain import FIRST_HASHES, command_line, first_command_hash, first_hash, movement_line, next_hash
from punto.store.connection import Connection
from punto.store.protection import play_text
from punto.store.reader import Reader, movement_rows
from punto.store.record import decode_event, record_line
from tests.audit.change import ASKED, CASHIER, DESK, HOUSE, Chance, Tampering, some_event


def event_rehashed(connection: Connection, chance: Chance) -> Tampering:
    """Another time for an event, with every later hash, and every row that follows, made to fit."""
    table, seq = some_event(connection, chance)
    [(body,)] = connection.all("SELECT body FROM events WHERE table_id = ? AND seq = ?", (table, seq))
    event = decode_event(body)
    changed = body.replace(f'"time":{event.time}', f'"time":{event.time + 1}', 1)
    assert changed != body
    connection.run("UPDATE events SET body = ? WHERE table_id = ? AND seq = ?", (changed, table, seq))
    connection.run("UPDATE movements SET time_ms = ? WHERE table_id = ? AND seq = ?", (event.time + 1, table, seq))
    if seq == 1:
        connection.run("UPDATE tables SET created_ms = ? WHERE id = ?", (event.time + 1, table))
    connection.run("DELETE FROM snapshots WHERE table_id = ? AND seq >= ?", (table, seq))
    _count_play(connection)
    _rehash(connection, table)
    _retell(connection)
    return Tampering(f"{table}/{seq}: written again with all hashes", table, seq)


def events_cut_off_neatly(connection: Connection, chance: Chance) -> Tampering:
    """The last commands of a table never happened: nothing in the database knows of them any more."""
    table, _ = some_event(connection, chance)
    ends = connection.all(
        "SELECT last_seq FROM commands WHERE table_id = ? AND last_seq IS NOT NULL ORDER BY id", (table,)
    )
    seqs = (
        sorted({end for (end,) in ends})[:-1]
        or [seq for (seq,) in connection.all("SELECT seq FROM events WHERE table_id = ? ORDER BY seq", (table,))][:-1]
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
    _count_play(connection)
    _rehash(connection, table)
    _rehash_commands(connection, table)
    _retell(connection)
    return Tampering(f"{table}/{last}: everything after it cut off neatly", table, last + 1)


def table_removed(connection: Connection, chance: Chance) -> Tampering:
    """A table that there never was."""
    table, _ = some_event(connection, chance)
    of_table = "SELECT id FROM movements WHERE table_id = ?"
    connection.run(f"DELETE FROM postings WHERE movement_id IN ({of_table})", (table,))
    acts = _rewrite_house(connection, lambda act: None if table in act["subject"].split("/") else act)
    for name in ("movements", "events", "commands", "snapshots", "seeds", "runs", "approvals"):
        connection.run(f"DELETE FROM {name} WHERE table_id = ?", (table,))
    asked = "SELECT DISTINCT id FROM approvals"
    known = {id for (id,) in connection.all(asked)}
    _rewrite_house(connection, lambda act: act if _is_known(act["subject"], known) else None)
    connection.run("DELETE FROM tables WHERE id = ?", (table,))
    _balance(connection)
    _count_play(connection)
    return Tampering(f"{table}: removed neatly, with {acts} acts", table, 1)


def cashier_rehashed(connection: Connection, chance: Chance) -> Tampering:
    """Another amount at the cashier's, with every later hash and the balances made to fit."""
    rows = connection.all(
        "SELECT id, time_ms, kind, player, clause, reason, actor, second, key FROM movements "
        "WHERE table_id IS NULL ORDER BY id"
    )
    place = chance.randrange(len(rows))
    for line, change in ((1, -5), (2, 5)):
        connection.run(
            "UPDATE postings SET amount = amount + ? WHERE movement_id = ? AND line = ?", (change, rows[place][0], line)
        )
    head = FIRST_HASHES["cashier"]
    for number, row in enumerate(rows, start=1):
        postings = connection.all("SELECT account, amount FROM postings WHERE movement_id = ? ORDER BY line", (row[0],))
        lines = [(name, n) for name, n in postings]
        head = next_hash(head, movement_line(number, row[:8], lines, row[8]))
        connection.run("UPDATE movements SET hash = ? WHERE id = ?", (head, row[0]))
    connection.run("UPDATE chains SET head = ? WHERE id = 'cashier'", (head,))
    _balance(connection)
    _count_play(connection)
    return Tampering(f"the cashier's movement {place + 1}: written again", CASHIER, place + 1)


def command_rehashed(connection: Connection, chance: Chance) -> Tampering:
    """Another text for a command, with every later hash of the commands made to fit."""
    rows = connection.all("SELECT id, table_id, body FROM commands WHERE table_id IS NOT NULL ORDER BY id")
    id_, table, body = chance.choice(rows)
    connection.run("UPDATE commands SET body = ? WHERE id = ?", (body.replace("{", "{ ", 1), id_))
    return Tampering(f"command {id_}: written again", f"{ASKED}{table}", _rehash_commands(connection, table, id_))


def second_rewritten(connection: Connection, chance: Chance) -> Tampering:
    """Somebody else agreed to what was done: in the command, in what it moved, and in every hash."""
    rows = connection.all("SELECT id, table_id, body, first_seq, last_seq FROM commands ORDER BY id")
    id_, table, body, first, last = chance.choice([row for row in rows if '"name":"Sue"' in row[2] and row[1]])
    connection.run("UPDATE commands SET body = ? WHERE id = ?", (body.replace('"name":"Sue"', '"name":"Dan"'), id_))
    connection.run(
        "UPDATE movements SET second = 'Dan' WHERE table_id = ? AND seq BETWEEN ? AND ?", (table, first, last)
    )
    number = _rehash_commands(connection, table, id_)
    return Tampering(f"command {id_}: another second person", f"{ASKED}{table}", number)


def refusal_removed(connection: Connection, chance: Chance) -> Tampering:
    """A refused command that there never was."""
    rows = connection.all("SELECT id, table_id FROM commands WHERE refusal IS NOT NULL ORDER BY id")
    id_, table = chance.choice(rows)
    return _command_removed(connection, id_, table)


def key_removed(connection: Connection, chance: Chance) -> Tampering:
    """What the cashier was asked under a key is forgotten, to be asked for again."""
    rows = connection.all("SELECT id FROM commands WHERE table_id IS NULL ORDER BY id")
    return _command_removed(connection, chance.choice(rows)[0], None)


def _command_removed(connection: Connection, id_: int, table: str | None) -> Tampering:
    number = _rehash_commands(connection, table, id_)
    connection.run("DELETE FROM commands WHERE id = ?", (id_,))
    _rehash_commands(connection, table)
    return Tampering(f"command {id_}: removed", DESK if table is None else f"{ASKED}{table}", number)


def act_removed(connection: Connection, chance: Chance) -> Tampering:
    """A change of roles that nobody made: the rows are as before it, and every later hash fits."""
    acts = _acts(connection)
    changes = [act for act in acts if act["code"] == "roles-changed" and act["before"]]
    gone = chance.choice(changes)
    handle = gone["subject"].partition("/")[2]
    connection.run("DELETE FROM roles WHERE handle = ?", (handle,))
    rows = [(handle, role, by, when) for role, (by, when) in gone["before"].items()]
    connection.insert("roles", ("handle", "role", "granted_by", "granted_ms"), rows)
    _rewrite_house(connection, lambda act: None if act["seq"] == gone["seq"] else act)
    return Tampering(f"act {gone['seq']}: removed", HOUSE, gone["seq"])


def significant_removed(connection: Connection, chance: Chance) -> Tampering:
    """Something significant at a table, or a correction, that nobody shall read of: every later hash fits.

    What it follows from is still there, so that it is missed whether an anchor saw it or not.
    """
    gone = chance.choice(_significant(connection))
    _rewrite_house(connection, lambda act: None if act["seq"] == gone["seq"] else act)
    return Tampering(f"act {gone['seq']}, {gone['code']}: removed neatly")


def significant_changed(connection: Connection, chance: Chance) -> Tampering:
    """Something significant that is told in another way: somebody else did it, or agreed, or it was less."""
    told = chance.choice(_significant(connection))
    changes: dict[str, Any] = {"who": "Dan", "second": "Dan", "reason": "a slip", "time": told["time"] + 1}
    if told["event"] is not None:
        changes |= {"event": told["event"] + 1, "code": "table-paused", "table": "t9"}
    name = chance.choice(sorted(changes))

    def changed(act: dict[str, Any]) -> dict[str, Any]:
        return {**act, name: changes[name]} if act["seq"] == told["seq"] else act

    _rewrite_house(connection, changed)
    return Tampering(f"act {told['seq']}, {told['code']}: {name} changed neatly")


def significant_added(connection: Connection, chance: Chance) -> Tampering:
    """Something significant is told twice."""
    told = chance.choice(_significant(connection))
    acts = _acts(connection)
    connection.insert("house_events", ("seq", "body", "hash"), [(len(acts) + 1, json.dumps(told), b"?")])
    _rewrite_house(connection, lambda act: act)
    return Tampering(f"act {told['seq']}, {told['code']}: told twice")


def _significant(connection: Connection) -> list[dict[str, Any]]:
    """The acts that follow from something else that is stored."""
    return [act for act in _acts(connection) if act["event"] is not None or act["code"] == "account-corrected"]


def role_forged(connection: Connection, chance: Chance) -> Tampering:
    """Somebody was an administrator all the time: the row, the acts and every later hash say so."""
    acts = _acts(connection)
    given = chance.choice([act for act in acts if act["code"] == "roles-changed"])
    handle = given["subject"].partition("/")[2]
    connection.insert("roles", ("handle", "role", "granted_by", "granted_ms"), [(handle, "administrator", "Adm", 8)])

    def forged(act: dict[str, Any]) -> dict[str, Any]:
        if act["subject"] == given["subject"]:
            act["after"]["administrator"] = ["Adm", 8]
        return act

    _rewrite_house(connection, forged)
    first = min(act["seq"] for act in acts if act["subject"] == given["subject"])
    return Tampering(f"act {first}: one role more", HOUSE, first)


def _acts(connection: Connection) -> list[dict[str, Any]]:
    return [json.loads(body) for (body,) in connection.all("SELECT body FROM house_events ORDER BY seq")]


def _is_known(subject: str, approvals: set[str]) -> bool:
    kind, _, name = subject.partition("/")
    return kind != "approval" or name in approvals


def _rewrite_house(connection: Connection, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> int:
    """Write every act again as it is changed, without those that are None; how many are gone."""
    acts = _acts(connection)
    kept = [act for act in map(change, acts) if act is not None]
    connection.run("DELETE FROM house_events")
    head = FIRST_HASHES["house"]
    for seq, act in enumerate(kept, 1):
        body = json.dumps({**act, "seq": seq}, separators=(",", ":"), ensure_ascii=False)
        head = next_hash(head, body)
        connection.insert("house_events", ("seq", "body", "hash"), [(seq, body, head)])
    connection.run("UPDATE chains SET version = ?, head = ? WHERE id = 'house'", (len(kept), head))
    return len(acts) - len(kept)


def _retell(connection: Connection) -> None:
    """Make what the house was told of its tables, and the sums of gaming days, fit the events that there are now."""
    reader = Reader(connection)
    timeline = HouseTimeline(reader)
    tables = [table for table in reader.tables() if not table.imported]
    told = {table.id: check_table(reader, table, None, timeline.watch_of(table.id)).told for table in tables}
    due = [json.loads(msgspec.json.encode(act)) for each in told.values() for act in each.acts]
    days, days_told = _days_due(told), dict[tuple[str, str, str], int]()

    def fits(act: dict[str, Any]) -> dict[str, Any] | None:
        after = act["after"] or {}
        if act["code"] == "large-day":
            day, what = days.get((after["player"], after["day"])), after["what"]
            is_caused = (act["event"], after["player"]) in told[act["table"]].causes
            if day is None or not is_caused or after["amount"] > getattr(day, f"most_{what}"):
                return None
            days_told[after["player"], after["day"], what] = after["threshold"]
        elif act["event"] is not None:
            wanted = {**act, "seq": 0}
            if wanted not in due:
                return None
            due.remove(wanted)
        return act

    _rewrite_house(connection, fits)
    for each in told.values():
        for cause in each.causes.values():
            after = cause.after or {}
            day = days[after["player"], after["day"]]
            for what, amount in (("staked", day.staked), ("won", day.won)):
                key = (after["player"], after["day"], what)
                if key not in days_told and amount >= after["threshold"]:
                    days_told[key] = after["threshold"]
                    retold = msgspec.structs.replace(cause, after={**after, "what": what, "amount": amount})
                    due.append(json.loads(msgspec.json.encode(retold)))
    acts = len(_acts(connection))
    rows = [(acts + place, json.dumps(act), b"?") for place, act in enumerate(due, start=1)]
    connection.insert("house_events", ("seq", "body", "hash"), rows)
    _rewrite_house(connection, lambda act: act)
    connection.run("DELETE FROM player_days")
    for (player, date), total in days.items():
        shown = [days_told.get((player, date, what), 0) for what in ("staked", "won")]
        names = ("handle", "day", "staked", "won", "staked_told", "won_told")
        connection.insert("player_days", names, [(player, date, total.staked, total.won, *shown)])


def _days_due(told: dict[str, TableTold]) -> DaySums:
    sums: DaySums = {}
    for each in told.values():
        for key, part in each.days.items():
            total = sums.setdefault(key, DaySum())
            for name in ("staked", "won", "most_staked", "most_won"):
                setattr(total, name, getattr(total, name) + getattr(part, name))
    return sums


def _rehash_commands(connection: Connection, table: str | None, of: int = 0) -> int:
    """Make the chain of commands fit; the place of one of them in it."""
    where, values = ("table_id IS NULL", ()) if table is None else ("table_id = ?", (table,))
    head, place, number = FIRST_HASHES["desk"] if table is None else first_command_hash(table), 0, 0
    for number, row in enumerate(
        connection.all(
            "SELECT id, table_id, version, first_seq, last_seq, actor, key, body, refusal, answer, expected "
            f"FROM commands WHERE {where} ORDER BY id",
            values,
        ),
        start=1,
    ):
        head = next_hash(head, command_line(row))
        connection.run("UPDATE commands SET hash = ? WHERE id = ?", (head, row[0]))
        place = number if row[0] == of else place
    if table is None:
        connection.run("UPDATE chains SET version = ?, head = ? WHERE id = 'desk'", (number, head))
    else:
        connection.run("UPDATE tables SET asked = ?, asked_head = ? WHERE id = ?", (number, head, table))
    return place


def _balance(connection: Connection) -> None:
    connection.run("DELETE FROM balances")
    connection.run(
        "INSERT INTO balances (account, amount) SELECT account, sum(amount) FROM postings "
        "GROUP BY account HAVING sum(amount) <> 0"
    )


def _count_play(connection: Connection) -> None:
    """Where players stand, as if they had never done anything else."""
    reader = Reader(connection)
    check = PlayCheck(reader)
    for row in movement_rows(reader):
        check.take(row)
    played = [(handle, play_text(play)) for handle, play in check.plays().items() if play.session]
    connection.run("DELETE FROM plays")
    connection.insert("plays", ("handle", "play"), played)


def _rehash(connection: Connection, table: str) -> None:
    [(digest,)] = connection.all("SELECT digest FROM tables WHERE id = ?", (table,))
    head = first_hash(table, digest)
    for seq, v, key, body in connection.all(
        "SELECT seq, v, key, body FROM events WHERE table_id = ? ORDER BY seq", (table,)
    ):
        head = next_hash(head, record_line(table, seq, v, key, body))
        connection.run("UPDATE events SET hash = ? WHERE table_id = ? AND seq = ?", (head, table, seq))
    connection.run("UPDATE tables SET head = ? WHERE id = ?", (head, table))
