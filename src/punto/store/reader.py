"""Reading a database: one consistent view of it, whatever others write meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from punto.store.chain.link import CASHIER, DESK, HOUSE
from punto.store.connection import Connection, Row, placeholders
from punto.store.record import Record, decode_event, record_line
from punto.store.snapshot import decode_state, fingerprint
from punto.store.stored import (
    StatementLine,
    StoredAccount,
    StoredCommand,
    StoredMovement,
    StoredPerson,
    StoredSeed,
    StoredSnapshot,
    StoredTable,
)

_T = TypeVar("_T")

PAGE = 10_000
"""Rows that are fetched at a time, so that a log of a million events does not have to fit into memory."""

SOME = 400
"""Values that are asked for in one statement."""

_TABLE = "SELECT id, digest, version, created_ms, imported, head, asked, asked_head FROM tables"
_COMMAND = (
    "SELECT actor, key, body, table_id, version, first_seq, last_seq, refusal, answer, id, expected "
    "FROM commands"
)
_MOVEMENT = (
    "m.id, m.table_id, m.seq, m.time_ms, m.kind, m.round, m.box, m.area, m.player, m.clause, m.reason, "
    "m.actor, m.second"
)


class Reader:
    """What can be read; made by `Store.read()`, and part of every `Transaction`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def connection(self) -> Connection:
        """The connection, for what has statements of its own (`access`)."""
        return self._connection

    # Tables and their streams

    def tables(self) -> list[StoredTable]:
        """Every table, by id."""
        return [stored_table(row) for row in self._all(f"{_TABLE} ORDER BY id")]

    def table(self, table: str) -> StoredTable | None:
        """A table by its id."""
        return next((stored_table(row) for row in self._all(f"{_TABLE} WHERE id = ?", (table,))), None)

    def records(self, table: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """The records of a table after a place in its stream, decoded and of the newest version."""
        return list(self.each_record(table, after, limit))

    def each_record(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Record]:
        """The same one by one, for a long log."""
        for seq, v, key, body in self._stream(table, after, limit):
            yield Record(table, seq, v, key, decode_event(body, v))

    def lines(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[str]:
        """The records of a table as lines of JSON, exactly as they are stored."""
        for seq, v, key, body in self._stream(table, after, limit):
            yield record_line(table, seq, v, key, body)

    def last_link(self, table: str) -> tuple[int, bytes] | None:
        """The place and the hash of the last record of a table."""
        found = self._all(
            "SELECT seq, hash FROM events WHERE table_id = ? ORDER BY seq DESC LIMIT 1", (table,)
        )
        return next(((seq, bytes(head)) for seq, head in found), None)

    def cashier_head(self) -> tuple[int, bytes] | None:
        """How many movements the cashier's chain has, and its last hash; None where there are none."""
        return self._chain_end(CASHIER)

    def desk_head(self) -> tuple[int, bytes] | None:
        """The same of the commands that were given to the cashier's desk."""
        return self._chain_end(DESK)

    def house_head(self) -> tuple[int, bytes] | None:
        """The same of what the house itself did."""
        return self._chain_end(HOUSE)

    def _chain_end(self, chain: str) -> tuple[int, bytes] | None:
        found = self._all("SELECT version, head FROM chains WHERE id = ?", (chain,))
        return next(((number, bytes(head)) for number, head in found), None)

    def places_of(self, table: str, event: str, number: int, before: int | None = None) -> list[int]:
        """Where the last events of a kind stand in the stream of a table, at most `number`, the latest first.

        Rows are read backwards from the end, or from before a place, so that a long log costs no more.
        """
        bound = "" if before is None else " AND seq < ?"
        values = (table, f'{{"type":"{event}"%', *(() if before is None else (before,)))
        found = self._all(
            f"SELECT seq FROM events WHERE table_id = ? AND body LIKE ?{bound} "
            f"ORDER BY seq DESC{_limited(number)}",
            values,
        )
        return [seq for (seq,) in found]

    def snapshot(self, table: str, at: int | None = None) -> StoredSnapshot | None:
        """The newest snapshot of a table, not after `at`; None where none was made by this code."""
        bound = "" if at is None else " AND seq <= ?"
        values = (table, fingerprint()) if at is None else (table, fingerprint(), at)
        found = self._peek(
            f"SELECT seq, body FROM snapshots WHERE table_id = ? AND fingerprint = ?{bound} "
            "ORDER BY seq DESC LIMIT 1",
            values,
        )
        try:
            return next((StoredSnapshot(table, seq, decode_state(bytes(body))) for seq, body in found), None)
        except msgspec.MsgspecError:
            return None  # a cache that cannot be read is no loss

    def book(self, digest: str) -> str | None:
        """The resolved document of a book, as `punto rules BOOK --json` prints it."""
        found = self._peek("SELECT document FROM books WHERE digest = ?", (digest,))
        return next((document for (document,) in found), None)

    def seed(self, table: str, shoe: int) -> StoredSeed | None:
        """The sealed seed of a shoe."""
        found = self._peek(
            "SELECT algorithm, sealed FROM seeds WHERE table_id = ? AND shoe = ?", (table, shoe)
        )
        return next((StoredSeed(table, shoe, name, bytes(sealed)) for name, sealed in found), None)

    # Commands

    def commands(self, table: str, after: int = 0, limit: int | None = None) -> list[StoredCommand]:
        """The commands given to a table in the order in which they were decided, refused ones too."""
        statement = f"{_COMMAND} WHERE table_id = ? AND id > ? ORDER BY id{_limited(limit)}"
        return [StoredCommand(*row) for row in self._all(statement, (table, after))]

    def answer(self, actor: str, key: str) -> StoredCommand | None:
        """What was answered to this key of this person."""
        return self.answers([(actor, key)]).get((actor, key))

    def has_moved(self, actor: str, key: str) -> bool:
        """Whether this person moved money at the cashier's desk under this key."""
        statement = "SELECT 1 FROM movements WHERE actor = ? AND key = ? LIMIT 1"
        return bool(self._all(statement, (actor, key)))

    def answers(self, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], StoredCommand]:
        """What was answered to these keys, each of a person; those that were never sent are left out."""
        found = {}
        for some in _parts(list(keys)):
            asked = ", ".join(["(?, ?)"] * len(some))
            values = [value for pair in some for value in pair]
            for row in self._peek(f"{_COMMAND} WHERE (actor, key) IN (VALUES {asked})", values):
                command = StoredCommand(*row)
                assert command.key is not None
                found[command.actor, command.key] = command
        return found

    # Accounts and money

    def account(self, handle: str) -> StoredAccount | None:
        """An account by its handle."""
        return self.accounts_of([handle]).get(handle)

    def accounts(self) -> list[StoredAccount]:
        """Every account, by handle."""
        return [
            StoredAccount(*row)
            for row in self._peek("SELECT handle, currency, opened_ms FROM accounts ORDER BY handle")
        ]

    def accounts_of(self, handles: Iterable[str]) -> dict[str, StoredAccount]:
        """The accounts of these handles, without those that do not exist."""
        found = {}
        for some in _parts(list(handles)):
            asked = placeholders(len(some))
            statement = f"SELECT handle, currency, opened_ms FROM accounts WHERE handle IN ({asked})"
            found.update({row[0]: StoredAccount(*row) for row in self._peek(statement, some)})
        return found

    def person(self, handle: str) -> StoredPerson | None:
        """Who stands behind a handle; None where nothing is known, or it was erased."""
        found = self._peek(
            "SELECT handle, display, contact, password, drawn FROM people WHERE handle = ?", (handle,)
        )
        return next((StoredPerson(row[0], row[1], row[2], row[3], bool(row[4])) for row in found), None)

    def balances(self, accounts: Iterable[str]) -> dict[str, int]:
        """What is in these accounts of the ledger, nothing where there is no posting."""
        names = list(dict.fromkeys(accounts))
        found = dict.fromkeys(names, 0)
        for some in _parts(names):
            statement = f"SELECT account, amount FROM balances WHERE account IN ({placeholders(len(some))})"
            found.update(self._peek(statement, some))
        return found

    def all_balances(self) -> dict[str, int]:
        """What is in every account of the ledger; all of it sums to zero."""
        return dict(self._all("SELECT account, amount FROM balances ORDER BY account"))

    def statement(self, account: str, after: int = 0, limit: int | None = None) -> list[StatementLine]:
        """The postings of an account, oldest first, after a movement; each with the balance after it."""
        statement = (
            f"SELECT {_MOVEMENT}, p.line, p.amount, p.balance FROM (SELECT movement_id, line, amount, "
            "sum(amount) OVER (ORDER BY movement_id, line) AS balance FROM postings WHERE account = ?) p "
            "JOIN movements m ON m.id = p.movement_id WHERE p.movement_id > ? "
            f"ORDER BY p.movement_id, p.line{_limited(limit)}"
        )
        return [
            StatementLine(StoredMovement(*row[:13]), row[13], row[14], int(row[15]))
            for row in self._all(statement, (account, after))
        ]

    def postings(self) -> Iterator[tuple[int, str, int]]:
        """Every posting there is: movement, account and amount, in their order."""
        after = 0
        while page := self._all(
            "SELECT movement_id, account, amount FROM postings WHERE movement_id IN "
            "(SELECT id FROM movements WHERE id > ? ORDER BY id LIMIT ?) ORDER BY movement_id, line",
            (after, PAGE),
        ):
            after = page[-1][0]
            yield from page

    # How rows are fetched

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows that a statement finds; for what belongs to the store but not to every reader."""
        return self._all(statement, values)

    def _peek(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Rows that nothing that waits to be written could change, or whose reader reckons with it."""
        return self._connection.all(statement, values)

    def _all(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Rows, after everything that waits to be written."""
        return self._connection.all(statement, values)

    def _stream(self, table: str, after: int, limit: int | None) -> Iterator[Row]:
        left = limit
        while left is None or left > 0:
            most = PAGE if left is None else min(PAGE, left)
            page = self._all(
                "SELECT seq, v, key, body FROM events WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?",
                (table, after, most),
            )
            yield from page
            if len(page) < most:
                return
            after = page[-1][0]
            left = None if left is None else left - len(page)


def stored_table(row: Row) -> StoredTable:
    """A table from its row."""
    return StoredTable(row[0], row[1], row[2], row[3], bool(row[4]), bytes(row[5]), row[6], bytes(row[7]))


def _limited(limit: int | None) -> str:
    return "" if limit is None else f" LIMIT {int(limit)}"


def _parts(values: list[_T]) -> Iterator[list[_T]]:
    for start in range(0, len(values), SOME):
        yield values[start : start + SOME]
