"""What stands in the log of a table around a place: events of some kinds, commands, and what they moved.

Nothing here reads a whole log to find a part of it. Rounds, versions and numbers of commands all rise with
the log, so a place is found by halving.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from punto.store.reader import PAGE, Reader
from punto.store.record import Record, decode_event
from punto.store.stored import StoredCommand

LAST = 2**62
"""Beyond every place in a stream."""

_COMMAND = (
    "SELECT actor, key, body, table_id, version, first_seq, last_seq, refusal, answer, id, expected "
    "FROM commands"
)


def records_of(
    reader: Reader, table: str, kinds: Sequence[str], after: int = 0, until: int = LAST
) -> Iterator[Record]:
    """The records of some kinds of events after one place and not beyond another, one by one."""
    asked = " OR ".join(["body LIKE ?"] * len(kinds))
    while page := reader.rows(
        f"SELECT seq, v, key, body FROM events WHERE table_id = ? AND seq > ? AND seq <= ? AND ({asked}) "
        "ORDER BY seq LIMIT ?",
        (table, after, until, *map(_beginning, kinds), PAGE),
    ):
        for seq, v, key, body in page:
            yield Record(table, seq, v, key, decode_event(body, v))
        if len(page) < PAGE:
            return
        after = page[-1][0]


def first_of(reader: Reader, table: str, kind: str, after: int = 0) -> Record | None:
    """The first record of a kind of event after a place; quick where one is near."""
    found = reader.rows(
        "SELECT seq, v, key, body FROM events WHERE table_id = ? AND seq > ? AND body LIKE ? "
        "ORDER BY seq LIMIT 1",
        (table, after, _beginning(kind)),
    )
    return next((Record(table, seq, v, key, decode_event(body, v)) for seq, v, key, body in found), None)


def commands_at(reader: Reader, table: str, first: int, last: int) -> list[StoredCommand]:
    """The commands after which a table had one of these versions, refused ones too, in their order."""
    ends = reader.rows("SELECT id FROM commands WHERE table_id = ? ORDER BY id DESC LIMIT 1", (table,))
    after, before = 0, ends[0][0] + 1 if ends else 1
    while before - after > 1:
        middle = (after + before) // 2
        found = reader.rows(
            "SELECT version FROM commands WHERE table_id = ? AND id >= ? ORDER BY id LIMIT 1",
            (table, middle),
        )
        if found and found[0][0] < first:
            after = middle
        else:
            before = middle
    commands: list[StoredCommand] = []
    while page := reader.rows(
        f"{_COMMAND} WHERE table_id = ? AND id > ? ORDER BY id LIMIT ?", (table, after, _AT_ONCE)
    ):
        some = [StoredCommand(*row) for row in page]
        commands += [command for command in some if first <= (command.version or 0) <= last]
        if (some[-1].version or 0) > last:
            break
        after = some[-1].id
    return commands


_AT_ONCE = 200


def moved(
    reader: Reader, table: str, first: int, last: int, times: tuple[int, int]
) -> list[tuple[int, str, int]]:
    """What the events of a table moved, from one to another: movement, account and amount of each posting.

    `times` are the earliest and the latest time of those events: movements are found by their times.
    """
    return [
        (movement, account, int(amount))
        for movement, account, amount in reader.rows(
            "SELECT p.movement_id, p.account, p.amount FROM movements m JOIN postings p "
            "ON p.movement_id = m.id WHERE m.table_id = ? AND m.time_ms >= ? AND m.time_ms <= ? "
            "AND m.seq >= ? AND m.seq <= ? ORDER BY p.movement_id, p.line",
            (table, *times, first, last),
        )
    ]


def balance_before(reader: Reader, account: str, movement: int) -> int:
    """What was in an account of the ledger before a movement: summed from its beginning or from its end,
    whichever is nearer.
    """
    [(last,)] = reader.rows("SELECT coalesce(max(id), 0) FROM movements")
    if movement > last // 2:
        return reader.balances([account])[account] - posted(reader, account, movement, last)
    return posted(reader, account, 0, movement - 1)


def posted(reader: Reader, account: str, first: int, last: int) -> int:
    """What an account of the ledger got from one movement to another, or gave."""
    [(amount,)] = reader.rows(
        "SELECT coalesce(sum(amount), 0) FROM postings WHERE account = ? AND movement_id >= ? "
        "AND movement_id <= ?",
        (account, first, last),
    )
    return int(amount)


def found_late(reader: Reader, table: str, after: int = 0) -> list[Record]:
    """The records that say something of an earlier round, after a place; they have an index of their own."""
    rows = reader.rows(
        f"SELECT seq, v, key, body FROM events WHERE table_id = ? AND seq > ? AND {_FOUND_LATE} ORDER BY seq",
        (table, after),
    )
    return [Record(table, seq, v, key, decode_event(body, v)) for seq, v, key, body in rows]


_FOUND_LATE = """substr(body, 1, 26) = '{"type":"error-found-late"'"""
"""In the words of the index `events_late`, without which a whole log would be read."""


def _beginning(kind: str) -> str:
    """How the stored JSON of an event begins: its name always comes first."""
    return f'{{"type":"{kind}"%'
