"""Writing a database: everything of a batch of commands, or nothing.

What is to be written is collected and goes to the database in a few statements, just before something is
read that could show it, and at the end. So a batch of many small commands costs little more than one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from punto.ledger.movement import BELOW_ZERO
from punto.store import chain
from punto.store import record as stored
from punto.store.chain import CASHIER, DESK, HouseAct, HouseCode, Subject, next_hash
from punto.store.connection import Connection, Row, placeholders
from punto.store.errors import LedgerBroken, VersionConflict
from punto.store.notice import Notice, NoticeKind, keep_notices, notice_of_act
from punto.store.reader import COMMAND, MOVEMENT, PERSON, TABLE, Reader, table_of_row
from punto.store.record import SCHEMA_VERSION, Record, StoredAccount, StoredCommand, StoredTable
from punto.table.event import Event
from punto.table.house import FLOOR
from punto.table.state import State

if TYPE_CHECKING:
    from punto.ledger.movement import Movement

OPENER = "house"  # Who opens tables and accounts that nobody asks for.
_HOUSE = tuple(f"{kind.value}/" for kind in BELOW_ZERO)  # How the names of accounts begin that may be below zero.


class Transaction(Reader):
    """What can be written; made by `Store.write()`, which commits it at the end."""

    def __init__(self, connection: Connection, teller: str = "") -> None:
        """On a connection; `teller` is the name of the server that writes."""
        super().__init__(connection)
        self._teller = teller
        self._notices: list[Notice] = []
        self._appended: set[str] = set()
        self._versions: dict[str, int] = {}
        self._heads: dict[str, bytes] = {}
        self._command_ends: dict[str | None, tuple[int, bytes]] = {}
        """Where the chain of commands ends, by table: how many, and the last hash; None for the cashier's desk."""
        self._moved_on: set[str] = set()
        self._events: list[Sequence[Any]] = []
        self._commands: list[StoredCommand] = []
        self._movements: list[tuple[Sequence[Any], Movement]] = []
        self._changes: dict[str, int] = defaultdict(int)
        self._acts: list[HouseAct] = []

    def lock_tables(self, tables: Iterable[str]) -> dict[str, StoredTable]:
        """Hold these tables until the end, so that nobody else appends to them; as they are now.

        Tables are locked before balances, and each kind in the order of names, so no two transactions wait for each
        other.
        """
        names = sorted(set(tables))
        if not names:
            return {}
        statement = f"{TABLE} WHERE id IN ({placeholders(len(names))}) ORDER BY id FOR UPDATE"
        locked = {row[0]: table_of_row(row) for row in self.rows(statement, names)}
        for id, table in locked.items():
            self._versions[id], self._heads[id] = table.version, table.head
            self._command_ends[id] = table.asked, table.asked_head
        return locked

    def lock_balances(self, accounts: Iterable[str]) -> dict[str, int]:
        """Hold these accounts of the ledger until the end; what is in each."""
        names = sorted(set(accounts))
        if not names:
            return {}
        wanted = f"account IN ({placeholders(len(names))}) ORDER BY account FOR UPDATE"
        statement = f"SELECT account, amount FROM balances WHERE {wanted}"
        amounts: dict[str, int] = dict(self.connection.all(statement, names))
        return {name: amounts.get(name, 0) + self._changes.get(name, 0) for name in names}

    def add_book(self, digest: str, name: str, document: str) -> None:
        """Keep the document of a book; the same digest is the same document."""
        self.connection.run(
            "INSERT INTO books (digest, name, document) VALUES (?, ?, ?) ON CONFLICT (digest) DO NOTHING",
            (digest, name, document),
        )

    def add_table(self, table: str, digest: str, created_ms: int, by: str = OPENER, *, imported: bool = False) -> None:
        """A new table at version 0; `NotUnique` where there is one of that id."""
        head, command_head = chain.first_hash(table, digest), chain.first_command_hash(table)
        row = (table, digest, 0, created_ms, imported, head, 0, command_head)
        self.connection.insert("tables", StoredTable.__struct_fields__, [row])
        self._versions[table], self._heads[table] = 0, head
        self._command_ends[table] = 0, command_head
        code = HouseCode.TABLE_IMPORTED if imported else HouseCode.TABLE_OPENED
        after = {"digest": digest, "created_ms": created_ms, "imported": imported}
        self.note(code, Subject.TABLE.of(table), by, created_ms, after=after)

    def note(self, code: HouseCode, subject: str, who: str | None, now: int, **details: Any) -> None:
        """Write down something that the house did; it gets its place in the chain at the end.

        The details are who agreed (`second`), what was there `before` and `after` it, and why (`reason`).
        """
        self._acts.append(HouseAct(time=now, code=code.value, subject=subject, who=who, **details))

    def note_acts(self, acts: Iterable[HouseAct]) -> None:
        """Write down what follows from events of a table that are appended here."""
        self._acts.extend(acts)

    def tell(self, kind: NoticeKind, key: str) -> None:
        """Have the other servers look at something once this is kept; acts of the house tell of themselves."""
        self._notices.append(Notice(kind, key))

    def notices(self) -> list[Notice]:
        """Everything that other servers are to look at."""
        moved = [Notice(NoticeKind.TABLE, table, self._versions[table]) for table in sorted(self._appended)]
        return moved + self._notices

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
            body = stored.encode_event(r.event)
            head = next_hash(head, stored.record_line(table, r.seq, r.v, r.key, body))
            self._events.append((table, r.seq, r.v, r.key, body, head))
        self._heads[table] = head
        self._versions[table] = version + len(records)
        self._moved_on.add(table)
        self._appended.add(table)
        return records

    def add_command(self, command: StoredCommand) -> None:
        """Keep a command with what came of it; `NotUnique` at the end where its key was used before."""
        self._commands.append(command)

    def keep_snapshot(self, table: str, seq: int, state: State) -> None:
        """Keep the state of a table after an event, and forget those that other code made."""
        made = stored.fingerprint()
        self.connection.run("DELETE FROM snapshots WHERE table_id = ? AND fingerprint <> ?", (table, made))
        self.connection.run(
            "INSERT INTO snapshots (table_id, seq, fingerprint, body) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (table_id, seq) DO NOTHING",
            (table, seq, made, stored.encode_state(state)),
        )

    def add_seed(self, table: str, shoe: int, algorithm: str, sealed: bytes, now: int) -> None:
        columns = ("table_id", "shoe", "algorithm", "sealed")
        self.connection.insert("seeds", columns, [(table, shoe, algorithm, sealed)])
        subject = Subject.SEED.of(f"{table}/{shoe}")
        self.note(HouseCode.SHOE_SEALED, subject, FLOOR, now, after=chain.seed_state(algorithm, sealed))

    def add_account(self, account: StoredAccount, by: str = OPENER) -> None:
        """A new account; `NotUnique` where the handle was ever used."""
        columns = StoredAccount.__struct_fields__
        self.connection.insert("accounts", columns, [msgspec.structs.astuple(account)])
        after = chain.account_state(account.currency, account.opened_ms, account.kind)
        self.note(HouseCode.ACCOUNT_OPENED, Subject.ACCOUNT.of(account.handle), by, account.opened_ms, after=after)

    def mark_account(self, handle: str, kind: str, by: str, now: int) -> None:
        """Say whose an account is, of which it was not known."""
        before = self.account(handle)
        assert before is not None, "there is such an account"
        self.connection.run("UPDATE accounts SET kind = ? WHERE handle = ?", (kind, handle))
        was, after = (chain.account_state(before.currency, before.opened_ms, each) for each in (before.kind, kind))
        self.note(HouseCode.ACCOUNT_MARKED, Subject.ACCOUNT.of(handle), by, now, before=was, after=after)

    def set_person(self, person: stored.StoredPerson, by: str, now: int) -> None:
        """Keep who stands behind a handle; a new password is written down with whoever set it."""
        before = self.person(person.handle)
        was = None if before is None else chain.log_in_state(before.password, is_drawn=before.is_drawn)
        after = chain.log_in_state(person.password, is_drawn=person.is_drawn)
        if after != was:
            self.note(HouseCode.PASSWORD_SET, Subject.PASSWORD.of(person.handle), by, now, before=was, after=after)
        personal = [name for name in ("display", "contact") if getattr(before, name, None) != getattr(person, name)]
        if before is not None and personal:  # what it was and is can be erased by law, and is not written down
            self.note(HouseCode.PERSON_CHANGED, Subject.PERSON.of(person.handle), by, now, after={"changed": personal})
        self.connection.put("people", ["handle"], dict(zip(PERSON, msgspec.structs.astuple(person), strict=True)))

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
            self._movements.append(((*row, m.clause, m.reason or None, actor, second, m.commission, key), m))
            for posting in m.postings:
                self._changes[posting.account] += posting.amount

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
        self._notices += filter(None, (notice_of_act(act.subject) for act in self._acts))
        if self._notices and self.connection.is_shared:
            keep_notices(self.connection, self._notices, self._teller)
        if self._acts:
            acts, self._acts = self._acts, []
            chain.write_house_acts(self.connection, acts)

    def flush(self) -> None:
        """Send everything that waits to the database; it is kept when the transaction is committed."""
        connection = self.connection
        if self._events:
            connection.insert("events", ("table_id", "seq", "v", "key", "body", "hash"), self._events)
            self._events = []
        if self._commands:
            connection.insert("commands", (*COMMAND.split(", "), "hash"), self._chained_commands())
            self._commands = []
        if self._moved_on:
            moved = [
                (self._versions[id], self._heads[id], *self._command_ends[id], id) for id in sorted(self._moved_on)
            ]
            connection.many("UPDATE tables SET version = ?, head = ?, asked = ?, asked_head = ? WHERE id = ?", moved)
            self._moved_on = set()
        if self._movements:
            self._flush_movements()

    def _chained_commands(self) -> list[Sequence[Any]]:
        """The rows of the commands that wait, each with its hash in the chain of its table or of the desk."""
        connection, ends = self.connection, self._command_ends
        # Chains are held before numbers are given, so that both are in the same order.
        if missing := {c.table for c in self._commands if c.table is not None} - ends.keys():
            waiting, self._commands = self._commands, []
            self.lock_tables(missing)
            self._commands = waiting
        if is_desks := any(c.table is None for c in self._commands):
            ends[None] = chain.hold_chain(connection, DESK)
        ids = connection.next_ids("commands", len(self._commands))
        rows: list[Sequence[Any]] = []
        for id_, c in zip(ids, self._commands, strict=True):
            place = (id_, c.table, c.version, c.first_seq, c.last_seq)
            row = (*place, c.actor, c.key, c.body, c.refusal, c.answer, c.expected)
            number, head = ends[c.table]
            head = next_hash(head, chain.command_line(row))
            ends[c.table] = number + 1, head
            rows.append((*row, head))
            if c.table is not None:
                self._moved_on.add(c.table)
        if is_desks:
            chain.keep_chain(connection, DESK, *ends[None])
        return rows

    def _flush_movements(self) -> None:
        # The chain is held before numbers are given, so that both are in the same order.
        is_cashiers = any(row[0] is None for row, _ in self._movements)
        end = chain.hold_chain(self.connection, CASHIER) if is_cashiers else None
        ids = self.connection.next_ids("movements", len(self._movements))
        numbered = [(id_, row, m) for id_, (row, m) in zip(ids, self._movements, strict=True)]
        hashes = chain.chain_cashier(self.connection, end, numbered) if end is not None else {}
        rows = [(id_, *row, hashes.get(id_)) for id_, row, _ in numbered]
        self.connection.insert("movements", (*MOVEMENT.split(", "), "key", "hash"), rows)
        lines = [
            (id_, line, posting.account, posting.amount)
            for id_, _, m in numbered
            for line, posting in enumerate(m.postings, 1)
        ]
        self.connection.insert("postings", ("movement_id", "line", "account", "amount"), lines)
        changes = sorted((account, amount) for account, amount in self._changes.items() if amount)
        self._movements, self._changes = [], defaultdict(int)
        # What an account had before covers what goes out of it, so a row that goes down is there already.
        taken = [(-n, account) for account, n in changes if n < 0 and not account.startswith(_HOUSE)]
        added = [(account, n) for account, n in changes if n > 0 or account.startswith(_HOUSE)]
        taking = "UPDATE balances SET amount = amount - ? WHERE account = ?"
        if self.connection.many(taking, taken) != len(taken):
            raise LedgerBroken("a posting takes money from an account that has none")
        self.connection.many(
            "INSERT INTO balances (account, amount) VALUES (?, ?) "
            "ON CONFLICT (account) DO UPDATE SET amount = balances.amount + excluded.amount",
            added,
        )
        # A round that is over has nothing in play; its account is not needed again.
        over = [(account,) for _, account in taken if account.startswith("play/")]
        self.connection.many("DELETE FROM balances WHERE account = ? AND amount = 0", over)

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        if self._moved_on or self._commands or self._movements:
            self.flush()
        return super().rows(statement, values)
