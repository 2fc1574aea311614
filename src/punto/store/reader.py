"""Reading a database: one consistent view of it, whatever others write meanwhile. After the reader come look-ups
for whoever looks back, quick in a log of millions of events, and rows exactly as they are stored, for whoever
verifies that nobody changed them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from punto.ledger.movement import player_account
from punto.store import record as stored
from punto.store.chain import FIRST_HASHES
from punto.store.connection import Connection, Row, placeholders
from punto.store.record import Record, StatementLine, StoredAccount, StoredCommand, StoredTable, decode_event
from punto.table.replay import NEW_TABLE, replayed
from punto.table.state import State

BEFORE_ALL, AFTER_ALL = -(2**63), 2**62
"""Before every number that a database can hold, and beyond every place in a stream."""
PAGE = 1_000
"""Rows that are fetched at a time. A log of a million events does not have to fit into memory, and a page fits into the
caches of a processor: with ten times as many, verification takes an eighth longer.
"""
FOUND_LATE = """substr(body, 1, 26) = '{"type":"error-found-late"'"""
"""Events that say something of an earlier round: they are few, and the index `events_late` is in these words."""
SOME = 400  # Values that are asked for in one statement.
_AT_ONCE = 200  # Commands that are read at a time by whoever wants a few.
TABLE = f"SELECT {', '.join(StoredTable.__struct_fields__)} FROM tables"
COMMAND = "id, table_id, version, first_seq, last_seq, actor, key, body, refusal, answer, expected"
PERSON = ("handle", "display", "contact", "password", "drawn")  # The columns of a `StoredPerson`.
_ACCOUNT = f"SELECT {', '.join(StoredAccount.__struct_fields__)} FROM accounts"
MOVEMENT = "id, table_id, seq, time_ms, kind, round, box, area, player, clause, reason, actor, second, commission"
_OF_MOVEMENT = ", ".join(f"m.{name}" for name in MOVEMENT.split(", "))
_EVENT = "SELECT seq, v, key, body FROM events WHERE table_id = ?"
_COMMANDS = f"SELECT {COMMAND} FROM commands"
_STATEMENT = (
    f"SELECT {_OF_MOVEMENT}, p.line, p.amount, p.balance FROM (SELECT movement_id, line, amount, "
    "sum(amount) OVER (ORDER BY movement_id, line) AS balance FROM postings WHERE account = ?) p "
    "JOIN movements m ON m.id = p.movement_id"
)


class Reader:
    """What can be read; made by `Store.read()`, and part of every `Transaction`."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        """Asked directly by whoever reads what nothing that waits to be written could change, or reckons with it."""

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows that a statement finds, after everything that waits to be written."""
        return self.connection.all(statement, values)

    def each_row(
        self, statement: str, values: Sequence[Any] = (), *, after: int = BEFORE_ALL, limit: int | None = None
    ) -> Iterator[Row]:
        """The rows of a statement, some thousands at a time; it ends with `> ? ORDER BY … LIMIT ?`.

        What the first column must be greater than, and what rows are ordered by, is that column itself.
        """
        while limit is None or limit > 0:
            size = PAGE if limit is None else min(PAGE, limit)
            page = self.rows(statement, (*values, after, size))
            yield from page
            if len(page) < size:
                return
            after = page[-1][0]
            limit = None if limit is None else limit - len(page)

    def tables(self) -> list[StoredTable]:
        return [table_of_row(row) for row in self.rows(f"{TABLE} ORDER BY id")]

    def versions(self) -> dict[str, int]:
        """How far the stream of every table goes."""
        return dict(self.rows("SELECT id, version FROM tables"))

    def table(self, table: str) -> StoredTable | None:
        return next((table_of_row(row) for row in self.rows(f"{TABLE} WHERE id = ?", (table,))), None)

    def records(self, table: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """The records of a table after a place in its stream, decoded and of the newest version."""
        return list(self.each_record(table, after, limit))

    def each_record(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Record]:
        """The records of a table after a place in its stream, one by one, for a long log."""
        for seq, v, key, body in self._stream(table, after, limit):
            yield Record(table, seq, v, key, decode_event(body, v))

    def state_at(self, table: str, seq: int, known: tuple[int, State] | None = None) -> State:
        """A table as it was after an event, from the last snapshot before it and the records since.

        Whoever knows the table at an earlier place gives that place and the state, and no snapshot is read.
        """
        if known is None:
            snapshot = self.snapshot(table, seq)
            known = (snapshot.seq, snapshot.state) if snapshot is not None else (0, NEW_TABLE)
        version, state = known
        for record in self.each_record(table, version, seq - version):
            version, state = record.seq, record.event.fold(state)
        assert version == seq, "a table has an event for every number up to its version"
        return state

    def replayed(self, table: str, after: int = 0, until: int | None = None) -> Iterator[tuple[State, Record]]:
        """The records of a table after a place in its stream, up to another, each with the state before it."""
        records = self.each_record(table, after, None if until is None else until - after)
        return replayed(records, self.state_at(table, after))

    def lines(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[str]:
        """The records of a table as lines of JSON, exactly as they are stored."""
        return (stored.record_line(table, *row) for row in self._stream(table, after, limit))

    def last_link(self, table: str) -> tuple[int, bytes] | None:
        """The place and the hash of the last record of a table."""
        rows = self.rows("SELECT seq, hash FROM events WHERE table_id = ? ORDER BY seq DESC LIMIT 1", (table,))
        return next(((seq, bytes(head)) for seq, head in rows), None)

    def chain_end(self, chain: str) -> tuple[int, bytes]:
        """How many links a chain has that belongs to no table, and its last hash, or what it begins with."""
        rows = self.rows("SELECT version, head FROM chains WHERE id = ?", (chain,))
        return next(((number, bytes(head)) for number, head in rows), (0, FIRST_HASHES[chain]))

    def places_of(self, table: str, event: str, number: int, before: int | None = None) -> list[int]:
        """Where the last events of a kind stand in the stream of a table, at most `number`, the latest first.

        Rows are read backwards from the end, or from before a place, so that a long log costs no more.
        """
        statement = "SELECT seq FROM events WHERE table_id = ? AND body LIKE ? AND seq < ? ORDER BY seq DESC LIMIT ?"
        values = (table, _body_beginning(event), AFTER_ALL if before is None else before, number)
        return [seq for (seq,) in self.rows(statement, values)]

    def snapshot(self, table: str, at: int | None = None) -> stored.StoredSnapshot | None:
        """The newest snapshot of a table, not after `at`; None where none was made by this code."""
        rows = self.connection.all(
            "SELECT seq, body FROM snapshots WHERE table_id = ? AND fingerprint = ? AND seq <= ? "
            "ORDER BY seq DESC LIMIT 1",
            (table, stored.fingerprint(), AFTER_ALL if at is None else at),
        )
        try:
            return next((stored.StoredSnapshot(table, seq, stored.decode_state(body)) for seq, body in rows), None)
        except msgspec.MsgspecError:
            return None  # nothing is lost with a cache that cannot be read

    def book(self, digest: str) -> str | None:
        """The resolved document of a book, as `punto rules BOOK --json` prints it."""
        rows = self.connection.all("SELECT document FROM books WHERE digest = ?", (digest,))
        return next((document for (document,) in rows), None)

    def seed(self, table: str, shoe: int) -> stored.StoredSeed | None:
        rows = self.connection.all("SELECT algorithm, sealed FROM seeds WHERE table_id = ? AND shoe = ?", (table, shoe))
        return next((stored.StoredSeed(table, shoe, algorithm, bytes(sealed)) for algorithm, sealed in rows), None)

    def commands(self, table: str, after: int = 0, limit: int | None = None) -> list[StoredCommand]:
        """The commands given to a table in the order in which they were decided, refused ones too."""
        statement = f"{_COMMANDS} WHERE table_id = ? AND id > ? ORDER BY id{_limited(limit)}"
        return [_stored_command(row) for row in self.rows(statement, (table, after))]

    def answer(self, actor: str, key: str) -> StoredCommand | None:
        """What was answered to this key of this person."""
        return self.answers([(actor, key)]).get((actor, key))

    def has_moved(self, actor: str, key: str) -> bool:
        """Whether this person moved money at the cashier's desk under this key."""
        return bool(self.rows("SELECT 1 FROM movements WHERE actor = ? AND key = ? LIMIT 1", (actor, key)))

    def answers(self, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], StoredCommand]:
        """What was answered to these keys, each of a person; those that were never sent are left out."""
        commands = map(_stored_command, rows_of_keys(self, _COMMANDS, list(keys)))
        return {(command.actor, command.key or ""): command for command in commands}

    def account(self, handle: str) -> StoredAccount | None:
        rows = self.connection.all(f"{_ACCOUNT} WHERE handle = ?", (handle,))
        return next((StoredAccount(*row) for row in rows), None)

    def accounts(self) -> list[StoredAccount]:
        return [StoredAccount(*row) for row in self.connection.all(f"{_ACCOUNT} ORDER BY handle")]

    def person(self, handle: str) -> stored.StoredPerson | None:
        """Who stands behind a handle; None where nothing is known, or it was erased."""
        rows = self.connection.all(f"SELECT {', '.join(PERSON)} FROM people WHERE handle = ?", (handle,))
        return next((stored.StoredPerson(row[0], row[1], row[2], row[3], bool(row[4])) for row in rows), None)

    def balances(self, accounts: Iterable[str]) -> dict[str, int]:
        """What is in these accounts of the ledger, nothing where there is no posting."""
        amounts = dict.fromkeys(accounts, 0)
        names = list(amounts)
        for some in (names[start : start + SOME] for start in range(0, len(names), SOME)):
            statement = f"SELECT account, amount FROM balances WHERE account IN ({placeholders(len(some))})"
            amounts.update(self.connection.all(statement, some))
        return amounts

    def all_balances(self) -> dict[str, int]:
        """What is in every account of the ledger; all of it sums to zero."""
        return dict(self.rows("SELECT account, amount FROM balances ORDER BY account"))

    def statement(self, account: str, after: int = 0, limit: int | None = None) -> list[StatementLine]:
        """The postings of an account, oldest first, after a movement; each with the balance after it."""
        statement = f"{_STATEMENT} WHERE p.movement_id > ? ORDER BY p.movement_id, p.line{_limited(limit)}"
        return [_statement_line(row) for row in self.rows(statement, (account, after))]

    def latest_lines(self, handle: str, before: int | None, limit: int) -> list[StatementLine]:
        """The last lines of a player's statement, newest first, before a movement."""
        statement = f"{_STATEMENT} WHERE p.movement_id < ? ORDER BY p.movement_id DESC, p.line DESC LIMIT ?"
        values = (player_account(handle), AFTER_ALL if before is None else before, limit)
        return [_statement_line(row) for row in self.rows(statement, values)]

    def postings(self) -> Iterator[tuple[int, str, int]]:
        """Every posting there is: movement, account and amount, in their order."""
        after = 0
        while page := self.rows(
            "SELECT movement_id, account, amount FROM postings WHERE movement_id IN "
            "(SELECT id FROM movements WHERE id > ? ORDER BY id LIMIT ?) ORDER BY movement_id, line",
            (after, PAGE),
        ):
            yield from page
            after = page[-1][0]

    def _stream(self, table: str, after: int, limit: int | None) -> Iterator[Row]:
        return self.each_row(f"{_EVENT} AND seq > ? ORDER BY seq LIMIT ?", (table,), after=after, limit=limit)


def rows_of_keys(reader: Reader, statement: str, keys: Sequence[tuple[str, str]]) -> Iterator[Row]:
    """The rows of a statement that are under one of these keys, each of a person."""
    for start in range(0, len(keys), SOME):
        some = keys[start : start + SOME]
        pairs = ", ".join(["(?, ?)"] * len(some))
        values = [value for pair in some for value in pair]
        # Joined and not `(actor, key) IN (VALUES …)`, for which SQLite goes through the whole table.
        wanted = f"JOIN (VALUES {pairs}) AS wanted ON actor = wanted.column1 AND key = wanted.column2"
        yield from reader.connection.all(f"{statement} {wanted}", values)


def table_of_row(row: Row) -> StoredTable:
    return StoredTable(row[0], row[1], row[2], row[3], bool(row[4]), bytes(row[5]), row[6], bytes(row[7]))


def _stored_command(row: Row) -> StoredCommand:
    id, table, version, first_seq, last_seq, actor, key, body, refusal, answer, expected = row
    return StoredCommand(actor, key, body, table, version, first_seq, last_seq, refusal, answer, id, expected)


def _statement_line(row: Row) -> StatementLine:
    id, table, seq, time, kind, round, box, area, _, clause, reason, by, second, commission, _, amount, balance = row
    place = (table, seq, round, box, area)
    return StatementLine(id, time, kind, amount, int(balance), *place, clause, reason, by, second, commission or None)


def _limited(limit: int | None) -> str:
    return "" if limit is None else f" LIMIT {int(limit)}"


def _record(table: str, row: Row) -> Record:
    seq, v, key, body = row
    return Record(table, seq, v, key, decode_event(body, v))


_PART = 10**9
_REST = f"p.amount - p.amount / {_PART} * {_PART}"
"""Amounts are added up in two parts: what somebody staked in a lifetime may be more than a column holds."""


def staked_by_area(reader: Reader, handle: str) -> dict[str, dict[str, int]]:
    """What a player put on each betting area of each table and did not have back undecided."""
    staked_in: dict[str, dict[str, int]] = {}
    for table, area, amount in _summed(reader, handle, ("m.table_id", "m.area")):
        if amount:
            staked_in.setdefault(table, {})[area] = -amount
    return staked_in


def brought_by_table(reader: Reader, handle: str) -> dict[str, int]:
    """What each table has taken from a player's account so far (below zero) or brought to it."""
    return dict(_summed(reader, handle, ("m.table_id",)))


def _summed(reader: Reader, handle: str, columns: Sequence[str]) -> Iterator[Row]:
    """What a player's account got or gave, summed by columns of its movements."""
    names, are_there = ", ".join(columns), "".join(f" AND {name} IS NOT NULL" for name in columns)
    rows = reader.connection.all(
        f"SELECT {names}, sum(p.amount / {_PART}), sum({_REST}) FROM postings p "
        f"JOIN movements m ON m.id = p.movement_id WHERE p.account = ?{are_there} GROUP BY {names}",
        (player_account(handle),),
    )
    for *group, parts, rest in rows:
        yield (*group, int(parts) * _PART + int(rest))


def staked_rounds(reader: Reader, handle: str, before: int | None = None) -> Iterator[tuple[str, int, int]]:
    """Rounds in which a player staked something, the latest first: table, number, and the movement of the last stake.

    With `before`, only those whose last stake is an earlier movement than this one.
    """
    statement = (
        "SELECT m.id, m.table_id, m.round, m.time_ms FROM postings p JOIN movements m ON m.id = p.movement_id "
        "WHERE p.account = ? AND p.movement_id < ? AND m.kind = 'bet' ORDER BY p.movement_id DESC LIMIT ?"
    )
    seen, end = set[tuple[str, int]](), AFTER_ALL if before is None else before
    while page := reader.rows(statement, (player_account(handle), end, _AT_ONCE)):
        for id, table, round, time in page:
            if (table, round) not in seen:
                seen.add((table, round))
                if before is None or not _is_staked_since(reader, handle, table, round, time, before):
                    yield table, round, id
        end = page[-1][0]


def _is_staked_since(reader: Reader, handle: str, table: str, round: int, time: int, since: int) -> bool:
    """Whether a player staked in a round from a movement on; `time` is that of an earlier stake in it."""
    later = "SELECT time_ms FROM movements WHERE table_id = ? AND time_ms >= ? AND round > ? ORDER BY time_ms LIMIT 1"
    rows = reader.rows(later, (table, time, round))
    statement = (
        "SELECT 1 FROM movements WHERE table_id = ? AND time_ms >= ? AND time_ms <= ? AND round = ? AND player = ? "
        "AND kind = 'bet' AND id >= ? LIMIT 1"
    )
    return bool(reader.rows(statement, (table, time, rows[0][0] if rows else AFTER_ALL, round, handle, since)))


# Nothing here reads a whole log to find a part of it. Rounds, versions and numbers of commands all rise with
# the log, so a place is found by halving.


def records_of(
    reader: Reader, table: str, kinds: Sequence[str], after: int = 0, until: int = AFTER_ALL, limit: int | None = None
) -> Iterator[Record]:
    """The records of some kinds of events after one place and not beyond another, one by one."""
    wanted = " OR ".join(["body LIKE ?"] * len(kinds))
    statement = f"{_EVENT} AND seq <= ? AND ({wanted}) AND seq > ? ORDER BY seq LIMIT ?"
    values = (table, until, *map(_body_beginning, kinds))
    return (_record(table, row) for row in reader.each_row(statement, values, after=after, limit=limit))


def first_of(reader: Reader, table: str, kind: str, after: int = 0) -> Record | None:
    """The first record of a kind of event after a place; quick where one is near."""
    return next(records_of(reader, table, [kind], after, limit=1), None)


def commands_at(reader: Reader, table: str, first: int, last: int) -> list[StoredCommand]:
    """The commands after which a table had one of these versions, refused ones too, in their order."""
    ends = reader.rows("SELECT id FROM commands WHERE table_id = ? ORDER BY id DESC LIMIT 1", (table,))
    after, before = 0, ends[0][0] + 1 if ends else 1
    while before - after > 1:
        middle = (after + before) // 2
        statement = "SELECT version FROM commands WHERE table_id = ? AND id >= ? ORDER BY id LIMIT 1"
        rows = reader.rows(statement, (table, middle))
        if rows and rows[0][0] < first:
            after = middle
        else:
            before = middle
    commands: list[StoredCommand] = []
    while some := reader.commands(table, after, _AT_ONCE):
        commands += [command for command in some if first <= (command.version or 0) <= last]
        if (some[-1].version or 0) > last:
            break
        after = some[-1].id
    return commands


def moved_by_events(
    reader: Reader, table: str, first: int, last: int, times: tuple[int, int]
) -> list[tuple[int, str, int]]:
    """What the events of a table moved, from one to another: movement, account and amount of each posting.

    `times` are the earliest and the latest time of those events: movements are found by their times.
    """
    rows = reader.rows(
        "SELECT p.movement_id, p.account, p.amount FROM movements m JOIN postings p ON p.movement_id = m.id "
        "WHERE m.table_id = ? AND m.time_ms >= ? AND m.time_ms <= ? AND m.seq >= ? AND m.seq <= ? "
        "ORDER BY p.movement_id, p.line",
        (table, *times, first, last),
    )
    return [(movement, account, int(amount)) for movement, account, amount in rows]


def movements_between(
    reader: Reader, table: str, first: int, last: int, times: tuple[int, int]
) -> Iterator[tuple[int, int, str, str | None, str | None, str | None, list[tuple[str, int]]]]:
    """The movements of some events of a table: event, id, kind, player, area, clause, and the postings of each.

    `times` are those of `moved_by_events`.
    """
    rows = reader.rows(
        "SELECT m.seq, m.id, m.kind, m.player, m.area, m.clause, p.account, p.amount "
        "FROM movements m JOIN postings p ON p.movement_id = m.id "
        "WHERE m.table_id = ? AND m.time_ms >= ? AND m.time_ms <= ? AND m.seq >= ? AND m.seq <= ? "
        "ORDER BY m.id, p.line",
        (table, *times, first, last),
    )
    for (seq, id, kind, player, area, clause), posted in groupby(rows, key=lambda row: tuple(row[:6])):
        yield seq, id, kind, player, area, clause, [(row[6], int(row[7])) for row in posted]


def links_between(reader: Reader, table: str, first: int, last: int) -> list[Row]:
    """Some records of a table as `link_rows` has them, from one place to another."""
    statement = "SELECT seq, v, key, body, hash FROM events WHERE table_id = ? AND seq >= ? AND seq <= ? ORDER BY seq"
    return reader.rows(statement, (table, first, last))


def balance_before(reader: Reader, account: str, movement: int) -> int:
    """What was in an account of the ledger before a movement: summed from the nearer of its beginning and its end."""
    [(last,)] = reader.rows("SELECT coalesce(max(id), 0) FROM movements")
    if movement > last // 2:
        return reader.balances([account])[account] - posted_to(reader, account, movement, last)
    return posted_to(reader, account, 0, movement - 1)


def posted_to(reader: Reader, account: str, first: int, last: int) -> int:
    """What an account of the ledger got from one movement to another, or gave."""
    statement = (
        "SELECT coalesce(sum(amount), 0) FROM postings WHERE account = ? AND movement_id >= ? AND movement_id <= ?"
    )
    [(amount,)] = reader.rows(statement, (account, first, last))
    return int(amount)


def errors_found_late(reader: Reader, table: str, after: int = 0) -> list[Record]:
    """The records that say something of an earlier round, after a place; they have an index of their own."""
    rows = reader.rows(f"{_EVENT} AND seq > ? AND {FOUND_LATE} ORDER BY seq", (table, after))
    return [_record(table, row) for row in rows]


def _body_beginning(kind: str) -> str:
    """How the stored JSON of an event begins: its name always comes first."""
    return f'{{"type":"{kind}"%'


# Nothing is decoded or believed: SQLite keeps any value in any column, and rows may point to what is not there.

# Places in the rows of `command_rows`: the columns of `COMMAND`, then the hash.
COMMAND_ID, COMMAND_VERSION = 0, 2
COMMAND_EVENTS = slice(3, 5)  # The first and the last.
COMMAND_HASH = len(COMMAND.split(", "))

# Places in the rows of `movement_rows`: the columns of `MOVEMENT`, postings, the hash, the key.
_POSTING_LINES = (1, 2, 3)
MOVEMENT_PLACE = slice(0, 3)  # Id, table and seq.
MOVEMENT_POSTINGS = slice(len(MOVEMENT.split(", ")), len(MOVEMENT.split(", ")) + 2 * len(_POSTING_LINES))
MOVEMENT_CONTENT = slice(2, MOVEMENT_POSTINGS.stop)  # From seq to the postings: what an event leads to.
MOVEMENT_HASH, MOVEMENT_KEY = MOVEMENT_POSTINGS.stop, MOVEMENT_POSTINGS.stop + 1
_POSTINGS = ", ".join(f"p{line}.account, p{line}.amount" for line in _POSTING_LINES)
_JOINS = "".join(
    f"LEFT JOIN postings p{line} ON p{line}.movement_id = m.id AND p{line}.line = {line} " for line in _POSTING_LINES
)


def link_rows(reader: Reader, table: str, until: int) -> Iterator[Row]:
    """The records of a table up to a version: seq, version of the form, key, body and hash."""
    statement = (
        "SELECT seq, v, key, body, hash FROM events WHERE table_id = ? AND seq <= ? AND seq > ? ORDER BY seq LIMIT ?"
    )
    return reader.each_row(statement, (table, until))


def stray_rows(reader: Reader) -> Iterator[tuple[str, str]]:
    """Rows of tables that are not there: the name of such a table, and what is there of it."""
    for what in ("events", "commands", "snapshots"):
        is_stray = "table_id IS NOT NULL AND table_id NOT IN (SELECT id FROM tables)"
        for (table,) in reader.rows(f"SELECT DISTINCT table_id FROM {what} WHERE {is_stray}"):
            yield str(table), what


def rows_beyond_version(reader: Reader, tables: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The tables that have records, commands or snapshots after their version, and which of them."""
    for table in tables:
        for what, column in (("events", "seq"), ("commands", "version"), ("snapshots", "seq")):
            is_beyond = f"{column} > (SELECT version FROM tables WHERE id = ?)"
            if reader.rows(f"SELECT 1 FROM {what} WHERE table_id = ? AND {is_beyond} LIMIT 1", (table, table)):
                yield table, what
        asked = "(SELECT asked FROM tables WHERE id = ?)"
        if reader.rows(f"SELECT 1 FROM commands WHERE table_id = ? ORDER BY id LIMIT 1 OFFSET {asked}", (table, table)):
            yield table, "commands"


def command_rows(reader: Reader, table: str | None) -> Iterator[Row]:
    """What was asked of a table, or of the cashier's desk: every column as it is stored, the hash last."""
    wanted, values = ("table_id IS NULL", ()) if table is None else ("table_id = ?", (table,))
    statement = f"SELECT {COMMAND}, hash FROM commands WHERE {wanted} AND id > ? ORDER BY id LIMIT ?"
    return reader.each_row(statement, values)


def house_rows(reader: Reader) -> Iterator[Row]:
    """What the house did: seq, body and hash."""
    return reader.each_row("SELECT seq, body, hash FROM house_events WHERE seq > ? ORDER BY seq LIMIT ?")


def movement_rows(reader: Reader, table: str | None = None) -> Iterator[Row]:
    """Every movement by id, or those of one table: its columns from id on, its postings, its hash, its key.

    Three postings are as many as a movement has: account and amount of each, empty where there is none.
    """
    # Joining the empty text to it keeps the database from sorting all movements of the table for each page.
    wanted, values = ("", ()) if table is None else ("m.table_id || '' = ? AND ", (table,))
    return reader.each_row(
        f"SELECT {_OF_MOVEMENT}, {_POSTINGS}, m.hash, m.key FROM movements m {_JOINS}WHERE {wanted}m.id > ? "
        "ORDER BY m.id LIMIT ?",
        values,
    )


def posting_count(reader: Reader) -> int:
    [(count,)] = reader.rows("SELECT count(*) FROM postings")
    return int(count)


def snapshot_bodies(reader: Reader, table: str) -> dict[int, bytes]:
    """The snapshots of a table that this code would use, by the event that they stand after."""
    statement = "SELECT seq, body FROM snapshots WHERE table_id = ? AND fingerprint = ?"
    rows = reader.rows(statement, (table, stored.fingerprint()))
    return {seq: body if isinstance(body, bytes) else str(body).encode() for seq, body in rows}


def book_digests(reader: Reader) -> list[str]:
    """The digests of the books."""
    return [str(digest) for (digest,) in reader.rows("SELECT digest FROM books ORDER BY digest")]


def book_rows(reader: Reader) -> list[Row]:
    """The books: digest, name and document."""
    return reader.rows("SELECT digest, name, document FROM books ORDER BY digest")
