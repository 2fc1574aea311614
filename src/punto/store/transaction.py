"""Writing a database: everything of a batch of commands, or nothing.

What is to be written is collected and goes to the database in a few statements, just before something is
read that could show it, and at the end. So a batch of many small commands costs little more than one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from punto.ledger.movement import BELOW_ZERO
from punto.store.chain import (
    CASHIER,
    DESK,
    HouseCode,
    HouseEvent,
    Subject,
    chain_cashier,
    command_line,
    first_command_hash,
    first_hash,
    hold_chain,
    keep_chain,
    log_in_state,
    next_hash,
    seed_state,
    write_house_events,
)
from punto.store.connection import Connection, Row, placeholders
from punto.store.errors import LedgerBroken, VersionConflict
from punto.store.reader import Reader, stored_table
from punto.store.record import (
    SCHEMA_VERSION,
    Record,
    StoredAccount,
    StoredCommand,
    StoredPerson,
    StoredTable,
    encode_event,
    encode_state,
    fingerprint,
    record_line,
)
from punto.table.event import Event
from punto.table.state import State

if TYPE_CHECKING:
    from punto.ledger.movement import Movement

_COMMAND = (
    *("id", "table_id", "version", "first_seq", "last_seq", "actor", "key", "body", "refusal", "answer"),
    *("expected", "hash"),
)
_MOVEMENT = (
    *("id", "table_id", "seq", "time_ms", "kind", "round", "box", "area", "player", "clause", "reason"),
    *("actor", "second", "key", "hash"),
)
OPENER, FLOOR = "house", "the floor"
"""Who does what nobody asks for: tables and accounts of the house itself, and shoes that are sealed."""
_HOUSE = tuple(f"{kind.value}/" for kind in BELOW_ZERO)  # How the names of accounts begin that may be below zero.


class Transaction(Reader):
    """What can be written; made by `Store.write()`, which commits it at the end."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._versions: dict[str, int] = {}
        self._heads: dict[str, bytes] = {}
        self._asked: dict[str | None, tuple[int, bytes]] = {}
        """Where the chain of commands ends, by table; None for the cashier's desk."""
        self._moved_on: set[str] = set()
        self._events: list[Sequence[Any]] = []
        self._commands: list[StoredCommand] = []
        self._movements: list[tuple[Sequence[Any], Movement]] = []
        self._changes: dict[str, int] = defaultdict(int)
        self._house: list[HouseEvent] = []

    # Locks, always in this order: tables, then balances, each by name

    def lock_tables(self, tables: Iterable[str]) -> dict[str, StoredTable]:
        """Hold these tables until the end, so that nobody else appends to them; as they are now."""
        names = sorted(set(tables))
        if not names:
            return {}
        statement = (
            "SELECT id, digest, version, created_ms, imported, head, asked, asked_head FROM tables "
            f"WHERE id IN ({placeholders(len(names))}) ORDER BY id FOR UPDATE"
        )
        locked = {row[0]: stored_table(row) for row in self._all(statement, names)}
        self._versions.update({table.id: table.version for table in locked.values()})
        self._heads.update({table.id: table.head for table in locked.values()})
        self._asked.update({table.id: (table.asked, table.asked_head) for table in locked.values()})
        return locked

    def lock_balances(self, accounts: Iterable[str]) -> dict[str, int]:
        """Hold these accounts of the ledger until the end; what is in each."""
        names = sorted(set(accounts))
        if not names:
            return {}
        statement = (
            f"SELECT account, amount FROM balances WHERE account IN ({placeholders(len(names))}) "
            "ORDER BY account FOR UPDATE"
        )
        amounts: dict[str, int] = dict(self._connection.all(statement, names))
        return {name: amounts.get(name, 0) + self._changes.get(name, 0) for name in names}

    # Tables and their streams

    def add_book(self, digest: str, name: str, document: str) -> None:
        """Keep the document of a book; the same digest is the same document."""
        self._connection.run(
            "INSERT INTO books (digest, name, document) VALUES (?, ?, ?) ON CONFLICT (digest) DO NOTHING",
            (digest, name, document),
        )

    def add_table(self, table: str, digest: str, created_ms: int, by: str = OPENER, *, imported: bool = False) -> None:
        """A new table at version 0; `NotUnique` where there is one of that id."""
        head, asked_head = first_hash(table, digest), first_command_hash(table)
        self._connection.run(
            "INSERT INTO tables (id, digest, version, created_ms, imported, head, asked, asked_head) "
            "VALUES (?, ?, 0, ?, ?, ?, 0, ?)",
            (table, digest, created_ms, imported, head, asked_head),
        )
        self._versions[table], self._heads[table], self._asked[table] = 0, head, (0, asked_head)
        code = HouseCode.TABLE_IMPORTED if imported else HouseCode.TABLE_OPENED
        after = {"digest": digest, "created_ms": created_ms, "imported": imported}
        self.note(code, Subject.TABLE.of(table), by, created_ms, after=after)

    def note(
        self,
        code: HouseCode,
        subject: str,
        who: str,
        now: int,
        *,
        second: str | None = None,
        before: dict[str, Any] | None = None,
        after: dict[str, Any] | None = None,
    ) -> None:
        """Write down something that the house did; it gets its place in the chain at the end."""
        self._house.append(
            HouseEvent(time=now, code=code.value, subject=subject, who=who, second=second, before=before, after=after)
        )

    def append(self, table: str, expected: int, events: Sequence[Event], key: str | None = None) -> tuple[Record, ...]:
        """Append events to a table that is at the expected version; `VersionConflict` if it is at another."""
        if table not in self._versions:
            self.lock_tables([table])
        version = self._versions.get(table)
        assert version is not None, f"there is a table {table}"
        if version != expected:
            raise VersionConflict(table, expected, version)
        records = tuple(Record(table, version + i, SCHEMA_VERSION, key, event) for i, event in enumerate(events, 1))
        head = self._heads[table]
        for r in records:
            body = encode_event(r.event)
            head = next_hash(head, record_line(table, r.seq, r.v, r.key, body))
            self._events.append((table, r.seq, r.v, r.key, body, head))
        self._heads[table] = head
        self._versions[table] = version + len(records)
        self._moved_on.add(table)
        return records

    def add_command(self, command: StoredCommand) -> None:
        """Keep a command with what came of it; `NotUnique` at the end where its key was used before."""
        self._commands.append(command)

    def keep_snapshot(self, table: str, seq: int, state: State) -> None:
        """Keep the state of a table after an event, and forget those that other code made."""
        made = fingerprint()
        self._connection.run("DELETE FROM snapshots WHERE table_id = ? AND fingerprint <> ?", (table, made))
        self._connection.run(
            "INSERT INTO snapshots (table_id, seq, fingerprint, body) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (table_id, seq) DO NOTHING",
            (table, seq, made, encode_state(state)),
        )

    def add_seed(self, table: str, shoe: int, algorithm: str, sealed: bytes, now: int) -> None:
        """Keep the sealed seed of a shoe."""
        self._connection.run(
            "INSERT INTO seeds (table_id, shoe, algorithm, sealed) VALUES (?, ?, ?, ?)",
            (table, shoe, algorithm, sealed),
        )
        subject = Subject.SEED.of(f"{table}/{shoe}")
        self.note(HouseCode.SHOE_SEALED, subject, FLOOR, now, after=seed_state(algorithm, sealed))

    # Accounts and money

    def add_account(self, account: StoredAccount, by: str = OPENER) -> None:
        """A new account; `NotUnique` where the handle was ever used."""
        self._connection.run(
            "INSERT INTO accounts (handle, currency, opened_ms) VALUES (?, ?, ?)",
            (account.handle, account.currency, account.opened_ms),
        )
        after = {"currency": account.currency, "opened_ms": account.opened_ms}
        self.note(HouseCode.ACCOUNT_OPENED, Subject.ACCOUNT.of(account.handle), by, account.opened_ms, after=after)

    def set_person(self, person: StoredPerson, by: str, now: int) -> None:
        """Keep who stands behind a handle; a new password is written down with whoever set it."""
        before = self.person(person.handle)
        was = None if before is None else log_in_state(before.password, is_drawn=before.is_drawn)
        after = log_in_state(person.password, is_drawn=person.is_drawn)
        if after != was:
            self.note(HouseCode.PASSWORD_SET, Subject.PASSWORD.of(person.handle), by, now, before=was, after=after)
        self._connection.run(
            "INSERT INTO people (handle, display, contact, password, drawn) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (handle) DO UPDATE SET display = excluded.display, contact = excluded.contact, "
            "password = excluded.password, drawn = excluded.drawn",
            (person.handle, person.display, person.contact, person.password, person.is_drawn),
        )

    def post(
        self,
        movements: Iterable[Movement],
        *,
        time_ms: int,
        table: str | None = None,
        seq: int | None = None,
        actor: str | None = None,
        second: str | None = None,
        key: str | None = None,
    ) -> None:
        """Post movements; `LedgerBroken` at the end if an account that may not would be below zero.

        At the cashier's desk the key goes with the movement too: even where the command that it was asked
        with is gone, the database refuses it a second time, with `NotUnique`.
        """
        for m in movements:
            row = (table or m.table, seq, time_ms, m.kind.value, m.round, m.box, m.area, m.player)
            self._movements.append(((*row, m.clause, m.reason or None, actor, second, key), m))
            for posting in m.postings:
                self._changes[posting.account] += posting.amount

    # What is read while something waits to be written

    def balances(self, accounts: Iterable[str]) -> dict[str, int]:
        amounts = super().balances(accounts)
        return {name: amount + self._changes.get(name, 0) for name, amount in amounts.items()}

    def answers(self, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], StoredCommand]:
        wanted = set(keys)
        waiting = {(c.actor, c.key): c for c in self._commands if c.key is not None}
        here = {pair: waiting[pair] for pair in wanted & waiting.keys()}
        return here | super().answers(wanted - here.keys())

    def finish(self) -> None:
        """Send everything to the database before it is committed.

        The chain of the house is written last: many transactions need it, and none waits while it holds it.
        """
        self.flush()
        if self._house:
            events, self._house = self._house, []
            write_house_events(self._connection, events)

    def flush(self) -> None:
        """Send everything that waits to the database; it is kept when the transaction is committed."""
        connection = self._connection
        if self._events:
            columns = ("table_id", "seq", "v", "key", "body", "hash")
            connection.insert("events", columns, self._events)
            self._events = []
        if self._commands:
            connection.insert("commands", _COMMAND, self._chained_commands())
            self._commands = []
        if self._moved_on:
            moved = [(self._versions[id], self._heads[id], *self._asked[id], id) for id in sorted(self._moved_on)]
            connection.many("UPDATE tables SET version = ?, head = ?, asked = ?, asked_head = ? WHERE id = ?", moved)
            self._moved_on = set()
        if self._movements:
            self._flush_movements()

    def _chained_commands(self) -> list[Sequence[Any]]:
        """The rows of the commands that wait, each with its hash in the chain of its table or of the desk."""
        connection, asked = self._connection, self._asked
        # Chains are held before numbers are given, so that both are in the same order.
        if missing := {c.table for c in self._commands if c.table is not None} - asked.keys():
            waiting, self._commands = self._commands, []
            self.lock_tables(missing)
            self._commands = waiting
        if is_desks := any(c.table is None for c in self._commands):
            asked[None] = hold_chain(connection, DESK)
        ids = connection.next_ids("commands", len(self._commands))
        rows: list[Sequence[Any]] = []
        for id_, c in zip(ids, self._commands, strict=True):
            row = (
                *(id_, c.table, c.version, c.first_seq, c.last_seq, c.actor, c.key, c.body),
                *(c.refusal, c.answer, c.expected),
            )
            number, head = asked[c.table]
            head = next_hash(head, command_line(row))
            asked[c.table] = number + 1, head
            rows.append((*row, head))
            if c.table is not None:
                self._moved_on.add(c.table)
        if is_desks:
            keep_chain(connection, DESK, *asked[None])
        return rows

    def _flush_movements(self) -> None:
        # The chain is held before numbers are given, so that both are in the same order.
        is_cashiers = any(row[0] is None for row, _ in self._movements)
        chain = hold_chain(self._connection, CASHIER) if is_cashiers else None
        ids = self._connection.next_ids("movements", len(self._movements))
        numbered = [(id_, row, m) for id_, (row, m) in zip(ids, self._movements, strict=True)]
        hashes = chain_cashier(self._connection, chain, numbered) if chain is not None else {}
        rows = [(id_, *row, hashes.get(id_)) for id_, row, _ in numbered]
        self._connection.insert("movements", _MOVEMENT, rows)
        lines = [
            (id_, line, posting.account, posting.amount)
            for id_, _, m in numbered
            for line, posting in enumerate(m.postings, 1)
        ]
        self._connection.insert("postings", ("movement_id", "line", "account", "amount"), lines)
        changes = sorted((account, amount) for account, amount in self._changes.items() if amount)
        self._movements, self._changes = [], defaultdict(int)
        # What an account had before covers what goes out of it, so a row that goes down is there already.
        taken = [(-n, account) for account, n in changes if n < 0 and not account.startswith(_HOUSE)]
        added = [(account, n) for account, n in changes if n > 0 or account.startswith(_HOUSE)]
        if taken and self._connection.many("UPDATE balances SET amount = amount - ? WHERE account = ?", taken) != len(
            taken
        ):
            raise LedgerBroken("a posting takes money from an account that has none")
        self._connection.many(
            "INSERT INTO balances (account, amount) VALUES (?, ?) "
            "ON CONFLICT (account) DO UPDATE SET amount = balances.amount + excluded.amount",
            added,
        )
        # A round that is over has nothing in play; its account is not needed again.
        over = [(account,) for _, account in taken if account.startswith("play/")]
        self._connection.many("DELETE FROM balances WHERE account = ? AND amount = 0", over)

    def _all(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        if self._moved_on or self._commands or self._movements:
            self.flush()
        return super()._all(statement, values)
