"""The floor: gives commands to stored tables, many at once, and answers when what came of them is durable. A
batch of jobs is one transaction: keys, versions, cards and funds are looked at, then everything is
written. How a table is run (by whom, at which pace, with which bots) is kept here too.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum

import msgspec

from punto.cards.source import SourceKind
from punto.dealer.bot import BOTS
from punto.dealer.dealer import Pace
from punto.floor import job as floor_job
from punto.floor.job import Accepted, ChooseCommand, Decision, DueJob, Funds, Job, WaitToKeep, encode_command
from punto.floor.loaded_table import (
    MOST_FOLLOWED,
    BookCache,
    Change,
    LoadedTable,
    Subscribers,
    book_document,
    change_since,
    load_table,
)
from punto.floor.orders import HouseOrders, house_orders, is_ordered, last_call, refuse_ordered
from punto.floor.protection import PlayGuard, accounts_of
from punto.floor.shoe import Seed, Seeds, fresh_seed, replacement_shoe
from punto.floor.significance import Significance
from punto.ledger.movement import float_account
from punto.refusal import Reason, Refusal
from punto.rules.book import Book, digest_of
from punto.store import TABLE_ID
from punto.store.chain import HouseCode, Subject
from punto.store.connection import DatabaseKind
from punto.store.errors import ContentBroken, KeyTrouble
from punto.store.pit import AGREED, StoredApproval, approval_of, approvals_under, keep_run, lock_keys, stored_runs
from punto.store.reader import Reader, book_digests
from punto.store.record import SCHEMA_VERSION, Record, StoredAccount, StoredCommand, StoredTable, json_text
from punto.store.seal import Seal
from punto.store.store import GroupCommit, Store
from punto.store.transaction import Transaction
from punto.store.witness import Witness, check_key, events_in
from punto.table.acting import refusal_of
from punto.table.betting import BetsCalled
from punto.table.command import Command
from punto.table.house import FLOOR, ChangeTerms, CloseTable, OpenTable, ShoeLoaded
from punto.table.state import Table
from punto.table.terms import Noticing, boxes_of

LONGEST_PACE_MS = 3_600_000  # No clock runs for more than an hour.


class DealtBy(Enum):
    """Who deals at a table."""

    AUTOMATIC = "automatic"
    PERSON = "person"


class TableRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is run."""

    dealer: DealtBy = DealtBy.PERSON
    pace: Pace | None = None  # In milliseconds; None for the pace of the house.
    bots: tuple[str, ...] = ()  # Bots that sit there, by name.

    @property
    def is_automatic(self) -> bool:
        return self.dealer is DealtBy.AUTOMATIC


HUMAN_PACE = Pace(
    bets=20_000, antes=15_000, insurance=15_000, squeeze=20_000, options=30_000, draw=15_000, cards=1_200, rounds=6_000
)
"""The pace of a table with people at it."""


def pace_of_seconds(seconds: float) -> Pace:
    """The pace at which bets are open for this long, and everything else in proportion.

    >>> pace_of_seconds(20) == HUMAN_PACE
    True
    """
    assert HUMAN_PACE.bets is not None
    factor = seconds * 1000 / HUMAN_PACE.bets
    clocks = {name: getattr(HUMAN_PACE, name) for name in Pace.__dataclass_fields__}
    return Pace(**{name: round(clock * factor) for name, clock in clocks.items()})


def with_clocks(run: TableRun) -> TableRun:
    """How a table is run, with every clock that players have, also where whoever set the pace did not name it.

    To choose after an irregularity there is as much time as for an ante; to draw, as much as for a squeeze.
    """
    pace = run.pace
    if pace is None:
        return run
    squeeze = pace.antes if pace.squeeze is None else pace.squeeze
    options = pace.antes if pace.options is None else pace.options
    draw = squeeze if pace.draw is None else pace.draw
    return msgspec.structs.replace(run, pace=replace(pace, squeeze=squeeze, options=options, draw=draw))


def refuse_run(table: Table, run: TableRun) -> Refusal | None:
    is_dealing = run.is_automatic and table.state.terms is not None
    if is_dealing and table.terms.source is SourceKind.ENTERED:
        return _wrong_term("dealer", run.dealer.value, "the cards of a physical shoe are dealt by a person")
    if is_dealing and table.terms.noticing is not Noticing.STRICT:
        return _wrong_term("dealer", run.dealer.value, "with noticing=dealer a person says which bets are wrong")
    if unknown := [name for name in run.bots if name not in BOTS]:
        return _wrong_term("bots", unknown[0], f"the bots are {', '.join(BOTS)}")
    if len(set(run.bots)) < len(run.bots):
        return _wrong_term("bots", ", ".join(run.bots), "a bot is named twice")
    if table.state.terms is not None and len(run.bots) > (boxes := boxes_of(table.book, table.terms)):
        return _wrong_term("bots", len(run.bots), f"the table has {boxes} boxes")
    for name in Pace.__dataclass_fields__:
        value = getattr(run.pace, name) if run.pace is not None else 0
        if value is not None and not 0 <= value <= LONGEST_PACE_MS:
            return _wrong_term(name, value, f"it must be from 0 to {LONGEST_PACE_MS} milliseconds")
        if value is None:
            return _wrong_term(name, "none", "a table that deals by itself needs a clock")
    return None


def refuse_terms(table: Table, run: TableRun) -> Refusal | None:
    """Which term of a table cannot be, because of how the table is run."""
    problem = "this one deals by itself; have a person deal first"
    if run.is_automatic and table.terms.source is SourceKind.ENTERED:
        return _wrong_term("source", table.terms.source.value, problem)
    if run.is_automatic and table.terms.noticing is not Noticing.STRICT:
        return _wrong_term("noticing", table.terms.noticing.value, problem)
    return None


def _wrong_term(term: str, value: str | int, problem: str) -> Refusal:
    return Refusal(Reason.WRONG_TERMS, None, {"term": term, "value": value, "problem": problem})


def table_run(reader: Reader, table: str) -> TableRun:
    """How a table is run; by a person where nobody has said otherwise."""
    return table_runs(reader, table).get(table, TableRun())


def table_runs(reader: Reader, table: str | None = None) -> dict[str, TableRun]:
    """How every table is run of which somebody has said so; or one of them."""
    runs = {}
    for id, row in stored_runs(reader, table).items():
        pace = msgspec.json.decode(row["pace"], type=Pace) if row["pace"] is not None else None
        bots = msgspec.json.decode(row["bots"] or "[]", type=tuple[str, ...])
        runs[id] = TableRun(DealtBy(row["dealer"]), pace, bots)
    return runs


def keep_table_run(transaction: Transaction, table: str, run: TableRun, by: str, now: int) -> None:
    pace = json_text(run.pace) if run.pace is not None else None
    row = {"dealer": run.dealer.value, "pace": pace, "bots": json_text(run.bots)}
    keep_run(transaction, table, row, by, now)


SNAPSHOT_EVERY = 1_000  # Events between two snapshots of a table.
MOST_SHOES = 1_024  # Open seeds that are kept in memory.


@dataclass(slots=True)
class Memory:
    """What a floor remembers between batches; all of it can be read again from the store."""

    seal: Seal
    seeds: Seeds
    wait_to_keep: WaitToKeep | None = None
    books: BookCache = field(default_factory=BookCache)
    tables: dict[str, LoadedTable] = field(default_factory=dict)
    accounts: dict[str, StoredAccount] = field(default_factory=dict)
    shoes: dict[tuple[str, int], Seed] = field(default_factory=dict)

    def draft(self) -> Memory:
        """A copy for what is not kept yet: the tables it leads to are its own."""
        return replace(self, tables=dict(self.tables))

    def forget(self) -> None:
        """Read everything again: it is not what it was."""
        self.tables.clear()
        self.accounts.clear()
        self.shoes.clear()


class PutBack(Exception):
    """The database was put back to an earlier time while the floor was running."""


class JobBatch:
    """Jobs that are decided and written together.

    Each table is locked, brought up to its last version and taken from command to command in memory. All jobs are
    decided first, to know whose wallets have to be locked; then each is paid for in its turn. A bet that cannot be
    paid is refused, and what follows at its table is decided again without it.
    """

    def __init__(self, transaction: Transaction, memory: Memory, jobs: Sequence[Job | DueJob]) -> None:
        self._transaction, self._memory, self._jobs = transaction, memory, jobs
        self._funds, self._guard = Funds(transaction, memory.accounts), PlayGuard(transaction)
        self._stored: dict[str, StoredTable] = {}
        self._answered: dict[tuple[str, str], StoredCommand] = {}  # What earlier batches kept under these keys.
        self._waited: dict[tuple[str, str], StoredApproval] = {}
        """What was asked under the keys of these jobs and waits or waited for a second person."""
        self._fresh: dict[tuple[str, str], tuple[Job, Accepted | Refusal]] = {}  # What this batch keeps under them.
        self._done: list[Decision] = []  # What came of the jobs, to be written.
        self._orders: HouseOrders | None = None  # Of the house, read where they matter.
        self._called: dict[str, int] = {}  # When this batch has bets called for, by table.
        self._floats: Counter[str] = Counter()  # What the batch has added to the floats of its tables so far.
        self._shoes: dict[tuple[str, int], Seed] = {}  # The seeds of shoes that are loaded in this batch.
        self.tables: dict[str, LoadedTable] = {}  # As the batch leaves them, to be remembered once it is kept.
        self.changes: dict[str, Change] = {}  # What the batch adds to each table, to be told once it is kept.

    def run(self) -> list[Accepted | Refusal]:
        """Decide every job and write what came of it; the answers hold once the transaction is kept."""
        self._load_tables()
        self._look_up_keys()
        firsts = self._decide_all()
        self._hold_players([first for first in firsts if first is not None])
        answers = [self._answer(job, first) for job, first in zip(self._jobs, firsts, strict=True)]
        self._write()
        return answers

    def _hold_players(self, decisions: Sequence[Decision]) -> None:
        """Lock the wallets of everybody concerned, and look up what protects them."""
        accounts = accounts_of(decisions)
        self._funds.lock(accounts)
        self._guard.load(accounts)

    def _load_tables(self) -> None:
        transaction, known = self._transaction, self._memory.tables
        self._stored = transaction.lock_tables(sorted({job.table for job in self._jobs}))
        for id, stored in self._stored.items():
            if id in known and known[id].version > stored.version:
                raise PutBack
            if id in known and 0 < stored.version - known[id].version <= MOST_FOLLOWED:
                # Another process was here. Who follows the table is told of that too, in its order.
                self.changes[id] = change_since(transaction, known[id], stored.version)
                self.tables[id] = self.changes[id].after
            else:
                self.tables[id] = load_table(transaction, self._memory.books, stored, known.get(id))

    def _look_up_keys(self) -> None:
        keys = [key for job in self._jobs if (key := _key_of(job))]
        lock_keys(self._transaction, keys)
        self._answered = self._transaction.answers(keys) if keys else {}
        self._waited = approvals_under(self._transaction, keys)

    def _decide_all(self) -> list[Decision | None]:
        """Every job as if each could be paid; None for those that were answered before."""
        tables, keys = dict(self.tables), set(self._answered)
        decisions: list[Decision | None] = []
        for job in self._jobs:
            key = _key_of(job)
            made = self._made(job, tables[job.table]) if isinstance(job, DueJob) and job.table in tables else job
            is_known = (key and key in keys) or self._is_waiting(job)
            if not isinstance(made, Job) or job.table not in tables or is_known:
                decisions.append(None)
                continue
            if key:
                keys.add(key)
            decision = self._decide(made, tables[job.table])
            decisions.append(decision)
            if decision.after is not None:
                tables[job.table] = decision.after
        return decisions

    def _made(self, job: DueJob, loaded: LoadedTable) -> Job | None:
        """What is due at a table; nothing where the house lets nobody do it now."""
        made = job.made(loaded)
        return made if made is None or self._refuse_ordered(made, loaded) is None else None

    def _refuse_ordered(self, job: Job, loaded: LoadedTable) -> Refusal | None:
        if not is_ordered(loaded, job.command):
            return None
        if self._orders is None:
            self._orders = house_orders(self._transaction)

        def called() -> int | None:
            return self._called.get(job.table) or last_call(self._transaction, job.table)

        return refuse_ordered(self._orders, loaded, job.command, called)

    def _decide(self, job: Job, loaded: LoadedTable) -> Decision:
        decision = floor_job.decide_job(
            job, loaded, lambda shoe: self._seed(loaded, shoe), lambda: self._float(job.table)
        )
        if decision.after is not None and (refusal := self._refuse_ordered(job, loaded)) is not None:
            return decision.refused(refusal)
        if isinstance(job.command, ChangeTerms) and decision.after is not None:
            run = table_run(self._transaction, job.table)
            if (refusal := refuse_terms(decision.after.table, run)) is not None:
                return decision.refused(refusal)
        for event in decision.events:
            if isinstance(event, BetsCalled):
                self._called[job.table] = event.time
            if isinstance(event, ShoeLoaded) and loaded.table.terms.source is not SourceKind.ENTERED:
                self._seed(loaded, event.number)
        return decision

    def _float(self, table: str) -> int:
        name = float_account(table)
        return self._transaction.balances([name]).get(name, 0) + self._floats[name]

    def _answer(self, job: Job | DueJob, first: Decision | None) -> Accepted | Refusal:
        """What the job comes to in its turn; `first` is what it came to as if each before it could be paid."""
        if job.table not in self.tables:
            return Refusal(Reason.NO_TABLE, None, {"table": job.table})
        if isinstance(job, DueJob):
            return self._answer_due(job, first)
        key = _key_of(job)
        if key and key in self._answered:
            return self._again(job, self._answered[key])
        if self._is_waiting(job):
            return _key_reused(job)
        if key and key in self._fresh:
            sent, answer = self._fresh[key]
            return answer if floor_job.is_same_job(sent, job) else _key_reused(job)
        decision = self._settle_for(job, first)
        if seconds := self._wait_to_keep(decision):
            return Refusal(Reason.TOO_MANY_REFUSED, None, {"seconds": seconds})
        self._done.append(decision)
        answer = decision.refusal or _accepted(decision)
        if key:
            self._fresh[key] = job, answer
        return answer

    def _answer_due(self, job: DueJob, first: Decision | None) -> Accepted | Refusal:
        due = self._settle_due(job, first)
        if due is None:
            return Accepted(job.table, self.tables[job.table].version, ())
        if not self._wait_to_keep(due):
            self._done.append(due)
        return due.refusal or _accepted(due)

    def _settle_for(self, job: Job, first: Decision | None) -> Decision:
        """What the job comes to on the table as it is now, and with what its player has."""
        loaded = self.tables[job.table]
        # Decided again only where a job before it was refused for money, or one under its key was not kept; and
        # a close always, because what is in the float is known only now.
        if first is None or first.before is not loaded or isinstance(job.command, CloseTable):
            first = self._decide(job, loaded)
        if first.after is not None:
            refusal = self._guard.refuse(first) or self._funds.refuse(first)
            if refusal is not None:
                return first.refused(refusal)
            self._guard.take(first)
            self.tables[job.table] = first.after
            name = float_account(job.table)
            self._floats[name] += sum(amount for account, amount in first.postings if account == name)
        return first

    def _settle_due(self, job: DueJob, first: Decision | None) -> Decision | None:
        """What is due on the table as it is now; None where nothing is."""
        loaded = self.tables[job.table]
        is_decided = first is not None and first.before is loaded
        made = first.job if first is not None and is_decided else self._made(job, loaded)
        return self._settle_for(made, first) if made is not None else None

    def _is_waiting(self, job: Job | DueJob) -> bool:
        """Whether the key of a job was used for something that waits for a second person, and is not that."""
        if not self._waited:
            return False
        key = _key_of(job)
        waited = self._waited.get(key) if key is not None else None
        if waited is None or isinstance(job, DueJob):
            return False
        if waited.decision != AGREED or waited.table != job.table:
            return True
        return not floor_job.is_same_job(Job(job.table, floor_job.decode_command(waited.body), job.expected), job)

    def _again(self, job: Job, before: StoredCommand) -> Accepted | Refusal:
        """The first answer to a command that was sent before."""
        if before.table is None:
            return _key_reused(job)  # what a cashier did under this key is not a command of any table
        if not floor_job.is_same_job(Job(before.table, floor_job.decode_command(before.body), before.expected), job):
            return _key_reused(job)
        if before.refusal is not None:
            return floor_job.decode_refusal(before.refusal)
        assert before.version is not None
        if before.first_seq is None or before.last_seq is None:
            return Accepted(job.table, before.version, ())
        after, number = before.first_seq - 1, before.last_seq - before.first_seq + 1
        return Accepted(job.table, before.version, tuple(self._transaction.records(job.table, after, number)))

    def _wait_to_keep(self, decision: Decision) -> int:
        """For how many seconds a refusal cannot be kept; 0 where it can, or needs not to be."""
        ask, refusal = self._memory.wait_to_keep, decision.refusal
        if ask is None or refusal is None or not decision.is_kept:
            return 0
        size = len(encode_command(decision.command)) + len(json_text(refusal)) + floor_job.ROW_BYTES
        return ask(decision.command.actor, size)

    def _seed(self, loaded: LoadedTable, shoe: int) -> Seed:
        """The seed of a shoe; the one that comes next is drawn here, and kept if the shoe is loaded."""
        place, shoes = (loaded.id, shoe), self._memory.shoes
        if place not in self._shoes and shoe > loaded.table.state.shoe_number:
            self._shoes[place] = self._memory.seeds(*place)
        if place in self._shoes:
            return self._shoes[place]
        if place not in shoes:
            sealed = self._transaction.seed(*place)
            if sealed is None:
                raise KeyTrouble(f"no seed was kept for shoe {loaded.id}/{shoe}")
            if len(shoes) >= MOST_SHOES:
                shoes.clear()
            shoes[place] = Seed(sealed.algorithm, self._memory.seal.open(*place, sealed.sealed))
        return shoes[place]

    def _write(self) -> None:
        transaction = self._transaction
        significance = Significance(transaction)
        for decision in (decision for decision in self._done if decision.is_kept):
            for command in _stored_commands(decision):
                transaction.add_command(command)
            if decision.after is None:
                continue
            id, before, second = decision.job.table, decision.before, decision.command.second
            records = transaction.append(id, before.version, decision.events, decision.command.key or None)
            change = self.changes.get(id) or Change(id, before, before, ())
            self.changes[id] = change.followed_by(decision.after, records)
            agreed = second.name if second else None
            significance.look(id, before.table.state, records, agreed)
            for record, movements in zip(records, decision.movements, strict=True):
                if movements:
                    time_ms, actor = record.event.time, record.event.by
                    transaction.post(movements, time_ms=time_ms, table=id, seq=record.seq, actor=actor, second=agreed)
        significance.finish()
        self._guard.write()
        loaded_at = {
            (decision.job.table, event.number): event.time
            for decision in self._done
            for event in decision.events
            if isinstance(event, ShoeLoaded)
        }
        for (table, shoe), seed in self._shoes.items():
            if self.tables[table].table.state.shoe_number >= shoe:
                sealed = self._memory.seal.seal(table, shoe, seed.secret)
                transaction.add_seed(table, shoe, seed.algorithm, sealed, loaded_at[table, shoe])
        for id, stored in self._stored.items():
            loaded = self.tables[id]
            if loaded.version // SNAPSHOT_EVERY > stored.version // SNAPSHOT_EVERY:
                transaction.keep_snapshot(id, loaded.version, loaded.table.state)


class Together:
    """Commands to one table in one transaction, each decided on what those before it led to."""

    def __init__(self, transaction: Transaction, memory: Memory, table: str) -> None:
        self.transaction, self.memory, self._table = transaction, memory.draft(), table
        self.batches: list[JobBatch] = []

    def give(self, command: Command, expected: int | None = None) -> Accepted | Refusal:
        """What comes of a command, if everything is kept in the end."""
        batch = JobBatch(self.transaction, self.memory, [Job(self._table, command, expected)])
        [answer] = batch.run()
        self.memory.tables.update(batch.tables)
        self.batches.append(batch)
        return answer


def _key_of(job: Job | DueJob) -> tuple[str, str] | None:
    """Under which key a command was sent, and by whom; None where it has none."""
    if isinstance(job, DueJob) or not job.command.key:
        return None
    return job.command.actor, job.command.key


def _accepted(decision: Decision) -> Accepted:
    assert decision.after is not None
    start, key, table = decision.before.version + 1, decision.command.key or None, decision.job.table
    numbered = enumerate(decision.events, start=start)
    records = tuple(Record(table, seq, SCHEMA_VERSION, key, event) for seq, event in numbered)
    return Accepted(table, decision.after.version, records)


def _stored_commands(decision: Decision) -> Iterator[StoredCommand]:
    """A command, and what the floor gave of its own accord, each with its event: a session plays it again."""
    command, table, before = decision.command, decision.job.table, decision.before.version
    after = decision.after.version if decision.after is not None else before
    first, last = (before + 1, after) if decision.events else (None, None)
    refusal = json_text(decision.refusal) if decision.refusal is not None else None
    yield StoredCommand(
        *(command.actor, command.key or None, encode_command(command), table, after, first, last, refusal),
        expected=decision.job.expected,
    )
    for seq, opening in enumerate(decision.openings, start=after - len(decision.openings) + 1):
        yield StoredCommand(opening.actor, None, encode_command(opening), table, seq, seq, seq)


def _key_reused(job: Job) -> Refusal:
    return Refusal(Reason.KEY_REUSED, None, {"key": job.command.key})


_log = logging.getLogger("punto.floor")
MOST_TABLES = 10_000  # Tables that are kept in memory.
TellAnswers = Callable[[Sequence[Accepted | Refusal | BaseException]], None]
"""Is told what came of each of several commands."""
ObserveCommits = Callable[[int, float, Mapping[str, Change]], None]
"""Is told of each batch of this floor that is durable: its jobs, its seconds, and what it changed."""


class Floor:
    """Stored tables that can be run: load, act, append. Everybody comes through here, whatever process they are in.

    Commands that wait at the same time are decided in one transaction, so they share the time that a disk takes.
    """

    def __init__(self, store: Store, seal: Seal | None = None, seeds: Seeds = fresh_seed) -> None:
        self.store = store
        self._memory = Memory(seal or Seal(), seeds)
        self._batch: JobBatch | None = None
        folder = self._memory.seal.folder
        self._witness = Witness(folder / "witness" if folder is not None else None)
        self._is_checked = False
        """Whether it is known that the database was not put back to an earlier time."""
        self._subscribers = Subscribers()
        self._observers: list[ObserveCommits] = []
        self._began = (0, 0.0)  # The number of jobs of the batch that is being decided, and when that began.
        self._group = GroupCommit[Job | DueJob, Accepted | Refusal](store, self._run, committed=self._remember)

    @property
    def seal(self) -> Seal:
        """Seals seeds, and signs what the house acts on by itself."""
        return self._memory.seal

    def __enter__(self) -> Floor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish what is in hand; nothing more can be given after it."""
        self._group.close()
        self._witness.close()

    def check_put_back(self) -> None:
        """Check at once whether the database was put back to an earlier time, and put its shoes right.

        The first command that is given would do the same; a dealer's would then be for an older version.
        """
        with self.store.read() as reader:
            is_put_back = self._witness.is_put_back(reader)
        if is_put_back:
            self._group.submit(DueJob("", lambda _: None)).result()

    def check_key(self) -> None:
        """`KeyTrouble` where other servers of the house seal with another key; on a file there are no others."""
        if self.store.address.kind is DatabaseKind.POSTGRESQL:
            with self.store.write() as transaction:
                check_key(transaction, self.seal)

    def observe_commits(self, observe: ObserveCommits) -> None:
        """Have every commit told to whoever counts or traces them, in the thread that commits."""
        self._observers.append(observe)

    def bound_refusals(self, wait_to_keep: WaitToKeep) -> None:
        """Keep refused commands only as far as this lets somebody; the rest is not decided."""
        self._memory.wait_to_keep = wait_to_keep

    def submit(self, table: str, command: Command, expected: int | None = None) -> Future[Accepted | Refusal]:
        """Give a command; the answer comes when what it caused is durable."""
        return self._group.submit(Job(table, command, expected))

    def submit_all(self, jobs: Sequence[Job], tell: TellAnswers) -> None:
        """Give commands that came together; `tell` is called in the thread that commits."""
        self._group.submit_all(jobs, tell)

    def submit_step(self, table: str, decide: ChooseCommand) -> Future[Accepted | Refusal]:
        """Decide on a command in its turn, on the table as it is then, and give it.

        Where nothing is to be done, the answer has no records. `decide` runs in the thread that commits, may
        be asked twice, and should only look.
        """
        return self._group.submit(DueJob(table, decide))

    def give(self, table: str, command: Command, expected: int | None = None) -> Accepted | Refusal:
        return self.submit(table, command, expected).result()

    @contextmanager
    def together(self, table: str) -> Iterator[Together]:
        """Give several commands to a table: all of them are kept when this ends, or none if it ends with an error.

        For a floor in this process, in the thread that asks: nobody else's commands share the transaction.
        """
        with self.store.write() as transaction:
            together = Together(transaction, self._memory, table)
            yield together
        self._memory.tables.update(together.memory.tables)
        for batch in together.batches:
            self._publish(batch)

    def open_table(self, table: str, book: Book, command: OpenTable) -> Accepted | Refusal:
        """Open a new table by a book, which is stored with it."""
        assert TABLE_ID.fullmatch(table), "an id has letters, digits and hyphens"
        if (refusal := refusal_of(Table(book), command)) is not None:
            return refusal  # nothing is stored of a table that cannot be opened
        with self.store.write() as transaction:
            if transaction.table(table) is not None:
                return Refusal(Reason.TABLE_EXISTS, None, {"table": table})
            if command.key:
                actor, key = command.actor, command.key
                lock_keys(transaction, [(actor, key)])
                if transaction.answer(actor, key) is not None or approval_of(transaction, actor, key) is not None:
                    return Refusal(Reason.KEY_REUSED, None, {"key": key})  # else it would be half a table
            transaction.add_book(digest_of(book), book.name, book_document(book))
            transaction.add_table(table, digest_of(book), command.time, command.actor)
            batch = JobBatch(transaction, self._memory, [Job(table, command, 0)])
            [answer] = batch.run()
        self._publish(batch)
        return answer

    def subscribe(self, callback: Callable[[Sequence[Change]], None]) -> Callable[[], None]:
        """Have every change told once it is durable; what is returned ends it.

        It is called in the thread that commits, before whoever gave the commands has an answer, in the order
        of the streams. It should only hand the changes on: commands wait while it runs.
        """
        return self._subscribers.add(callback)

    def table(self, id: str, at: int | None = None) -> LoadedTable | None:
        """A table as it is stored now, or as it was after an earlier event; None where there is none."""
        with self.store.read() as reader:
            stored = reader.table(id)
            if stored is None or (at is not None and not 0 <= at <= stored.version):
                return None
            return load_table(reader, self._memory.books, stored, self._memory.tables.get(id), at)

    def follow(self, known: LoadedTable) -> Change | None:
        """What was added to a table after what somebody knows of it; None where nothing was."""
        with self.store.read() as reader:
            stored = reader.table(known.id)
            if stored is None or stored.version <= known.version:
                return None
            change = change_since(reader, known, min(stored.version, known.version + MOST_FOLLOWED))
        self.remember(change.after)
        return change

    def stored_digests(self) -> list[str]:
        """The digests of the books of all tables there are, and of those that are kept for tables."""
        with self.store.read() as reader:
            return book_digests(reader)

    def stored_book(self, digest: str) -> Book | None:
        """One of them; None where there is none, or where it was changed: its tables say so.

        There may be more than are kept compiled, so nobody asks for all of them to find one.
        """
        with self.store.read() as reader, suppress(ContentBroken):
            return self._memory.books.book(reader, digest)
        return None

    def remember(self, loaded: LoadedTable) -> None:
        """Take up from here at the next look; for a process that only reads, and hears of no commit."""
        known = self._memory.tables.get(loaded.id)
        if known is None or known.version < loaded.version:
            self._memory.tables[loaded.id] = loaded

    def _run(self, transaction: Transaction, jobs: Sequence[Job | DueJob]) -> list[Accepted | Refusal]:
        self._began = len(jobs), time.perf_counter()
        if self._is_checked:
            try:
                self._batch = JobBatch(transaction, self._memory, jobs)
                return self._batch.run()
            except PutBack:
                self._is_checked = False
                self._memory.forget()
                return self._run_anew(transaction, jobs, is_put_back=True)
        transaction.connection.lock("put-back")  # two servers that start at once replace shoes once
        return self._run_anew(transaction, jobs, is_put_back=self._witness.is_put_back(transaction))

    def _run_anew(
        self, transaction: Transaction, jobs: Sequence[Job | DueJob], *, is_put_back: bool
    ) -> list[Accepted | Refusal]:
        """The first jobs on a database; before them, shoes whose cards may be known are replaced."""
        events, instead = events_in(transaction), list[DueJob]()
        if is_put_back:
            instead = [DueJob(table.id, replacement_shoe) for table in transaction.tables() if not table.imported]
            _log.warning("the database was put back to an earlier time: its shoes are replaced")
            subject, now = Subject.DATABASE.of("house"), time.time_ns() // 1_000_000
            transaction.note(HouseCode.DATABASE_PUT_BACK, subject, FLOOR, now, after={"events": events})
        self._batch = JobBatch(transaction, self._memory, [*instead, *jobs])
        answers = self._batch.run()
        if is_put_back and not any(isinstance(answer, Refusal) for answer in answers[: len(instead)]):
            self._witness.put_right(transaction)
        self._witness.begin(transaction, events)
        return answers[len(instead) :]

    def _remember(self) -> None:
        """What a batch leads to is taken up by the next one only once it is kept."""
        assert self._batch is not None
        tables = self._memory.tables
        tables.update(self._batch.tables)
        while len(tables) > MOST_TABLES:
            del tables[next(iter(tables))]
        self._is_checked = True
        jobs, began = self._began
        for observe in self._observers:
            observe(jobs, time.perf_counter() - began, self._batch.changes)
        self._publish(self._batch)

    def _publish(self, batch: JobBatch) -> None:
        self._witness.note(sum(len(change.records) for change in batch.changes.values()))
        self._subscribers.tell(batch.changes)
