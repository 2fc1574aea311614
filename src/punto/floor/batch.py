"""A batch of jobs in one transaction: keys, versions, cards, funds, and then everything is written.

Each table is locked, brought up to its last version and taken from command to command in memory. All jobs
are decided first, to know whose wallets have to be locked; then each is paid for in its turn. A bet that
cannot be paid is refused, and what follows at its table is decided again without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from punto.cards.source import SourceKind
from punto.floor.change import Change
from punto.floor.decision import Decision, decide_job
from punto.floor.funds import Funds
from punto.floor.job import (
    ROW_BYTES,
    Accepted,
    DueJob,
    Job,
    WaitToKeep,
    decode_command,
    decode_refusal,
    encode_command,
    encode_refusal,
    is_same_job,
)
from punto.floor.loaded import LoadedTable, load
from punto.floor.running.run import run_of, wrong_terms
from punto.floor.seed import Seed, Seeds
from punto.floor.shelf import Shelf
from punto.ledger.account import float_account
from punto.refusal import Reason, Refusal
from punto.store.access.approvals import AGREED, StoredApproval, approvals_under, lock_keys
from punto.store.errors import KeyTrouble
from punto.store.record import SCHEMA_VERSION, Record
from punto.store.seal import Seal
from punto.store.stored import StoredAccount, StoredCommand, StoredTable
from punto.store.transaction import Transaction
from punto.table.command import ChangeTerms, CloseTable
from punto.table.event import ShoeLoaded

SNAPSHOT_EVERY = 1_000
"""Events between two snapshots of a table."""
MOST_SHOES = 1_024
"""Open seeds that are kept in memory."""


class Memory:
    """What a floor remembers between batches; all of it can be read again from the store."""

    def __init__(self, seal: Seal, seeds: Seeds) -> None:
        self.seal, self.seeds = seal, seeds
        self.wait_to_keep: WaitToKeep | None = None
        self.shelf = Shelf()
        self.tables: dict[str, LoadedTable] = {}
        self.accounts: dict[str, StoredAccount] = {}
        self.shoes: dict[tuple[str, int], Seed] = {}

    def forget(self) -> None:
        """Read everything again: it is not what it was."""
        self.tables.clear()
        self.accounts.clear()
        self.shoes.clear()


class PutBack(Exception):
    """The database was put back to an earlier time while the floor was running."""


class JobBatch:
    """Jobs that are decided and written together."""

    def __init__(self, transaction: Transaction, memory: Memory, jobs: Sequence[Job | DueJob]) -> None:
        self._transaction, self._memory, self._jobs = transaction, memory, jobs
        self._funds = Funds(transaction, memory.accounts)
        self._stored: dict[str, StoredTable] = {}
        self._asked: dict[tuple[str, str], StoredApproval] = {}
        """What was asked under the keys of these jobs and waits or waited for a second person."""
        self._floats: Counter[str] = Counter()
        """What the batch has added to the floats of its tables so far."""
        self._shoes: dict[tuple[str, int], Seed] = {}
        """The seeds of shoes that are loaded in this batch."""
        self.tables: dict[str, LoadedTable] = {}
        """The tables as the batch leaves them, to be remembered once it is kept."""
        self.changes: dict[str, Change] = {}
        """What the batch adds to each table, to be told once it is kept."""

    def run(self) -> list[Accepted | Refusal]:
        """Decide every job and write what came of it; the answers hold once the transaction is kept."""
        transaction, known = self._transaction, self._memory.tables
        self._stored = transaction.lock_tables(sorted({job.table for job in self._jobs}))
        for id, stored in self._stored.items():
            if id in known and known[id].version > stored.version:
                raise PutBack
            self.tables[id] = load(transaction, self._memory.shelf, stored, known.get(id))
        keys = [key for job in self._jobs if (key := _key_of(job))]
        lock_keys(transaction, keys)
        kept = transaction.answers(keys) if keys else {}
        self._asked = approvals_under(transaction, keys)
        firsts = self._decide_all(kept)
        self._funds.lock(first for first in firsts if first is not None)
        answers: list[Accepted | Refusal] = []
        done: list[Decision] = []
        fresh: dict[tuple[str, str], tuple[Job, Accepted | Refusal]] = {}
        for job, first in zip(self._jobs, firsts, strict=True):
            key = _key_of(job)
            if job.table not in self.tables:
                answers.append(Refusal(Reason.NO_TABLE, None, {"table": job.table}))
            elif isinstance(job, DueJob):
                due = self._settle_due(job, first)
                done += [due] if due is not None and not self._wait_to_keep(due) else []
                idle = Accepted(job.table, self.tables[job.table].version, ())
                answers.append(idle if due is None else due.refusal or _answer(due))
            elif key and key in kept:
                answers.append(self._again(job, kept[key]))
            elif self._is_asked(job):
                answers.append(_key_reused(job))
            elif key and key in fresh:
                sent, answer = fresh[key]
                is_repeat = is_same_job(sent, job)
                answers.append(answer if is_repeat else _key_reused(job))
            else:
                decision = self._settle_for(job, first)
                if seconds := self._wait_to_keep(decision):
                    answers.append(Refusal(Reason.TOO_MANY_REFUSED, None, {"seconds": seconds}))
                    continue
                answer = decision.refusal or _answer(decision)
                done.append(decision)
                if key:
                    fresh[key] = job, answer
                answers.append(answer)
        self._write(done)
        return answers

    # ── Deciding ─────────────────────────────────────────────────────────────────────────────────

    def _decide_all(self, kept: dict[tuple[str, str], StoredCommand]) -> list[Decision | None]:
        """Every job as if each could be paid; None for those that were answered before."""
        tables = dict(self.tables)
        decisions: list[Decision | None] = []
        keys: set[tuple[str, str]] = set(kept)
        for job in self._jobs:
            key = _key_of(job)
            made = job.made(tables[job.table]) if isinstance(job, DueJob) and job.table in tables else job
            is_known = (key and key in keys) or self._is_asked(job)
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

    def _decide(self, job: Job, loaded: LoadedTable) -> Decision:
        decision = decide_job(
            job, loaded, lambda shoe: self._seed(loaded, shoe), lambda: self._float(job.table)
        )
        if isinstance(job.command, ChangeTerms) and decision.after is not None:
            run = run_of(self._transaction, job.table)
            if (refusal := wrong_terms(decision.after.table, run)) is not None:
                return decision.refused(refusal)
        for event in decision.events:
            if isinstance(event, ShoeLoaded) and loaded.table.terms.source is not SourceKind.ENTERED:
                self._seed(loaded, event.number)
        return decision

    def _float(self, table: str) -> int:
        name = float_account(table)
        return self._transaction.balances([name]).get(name, 0) + self._floats[name]

    def _settle_for(self, job: Job, first: Decision | None) -> Decision:
        """What the job comes to on the table as it is now, and with what its player has."""
        loaded = self.tables[job.table]
        if first is None or first.before is not loaded or isinstance(job.command, CloseTable):
            first = self._decide(job, loaded)  # for a close, what is in the float is known only now
        if first.after is not None:
            refusal = self._funds.refuse(first)
            if refusal is not None:
                return first.refused(refusal)
            self.tables[job.table] = first.after
            self._count_floats(first)
        return first

    def _settle_due(self, job: DueJob, first: Decision | None) -> Decision | None:
        """What is due on the table as it is now; None where nothing is."""
        loaded = self.tables[job.table]
        if first is not None and first.before is loaded:
            return self._settle_for(first.job, first)
        made = job.made(loaded)
        return self._settle_for(made, None) if made is not None else None

    def _count_floats(self, decision: Decision) -> None:
        name = float_account(decision.job.table)
        for movements in decision.movements:
            for movement in movements:
                for posting in movement.postings:
                    if posting.account == name:
                        self._floats[name] += posting.amount

    def _is_asked(self, job: Job | DueJob) -> bool:
        """Whether the key of a job was used for something that waits for a second person, and is not that."""
        key = _key_of(job)
        asked = self._asked.get(key) if key is not None else None
        if asked is None or isinstance(job, DueJob):
            return False
        if asked.decision != AGREED or asked.table != job.table:
            return True
        return not is_same_job(Job(job.table, decode_command(asked.body), job.expected), job)

    def _again(self, job: Job, kept: StoredCommand) -> Accepted | Refusal:
        """The first answer to a command that was sent before."""
        if kept.table != job.table or not kept.is_of(job.expected):
            return _key_reused(job)  # what a cashier did under this key is not a command of any table
        if not is_same_job(Job(job.table, decode_command(kept.body), job.expected), job):
            return _key_reused(job)
        if kept.refusal is not None:
            return decode_refusal(kept.refusal)
        assert kept.version is not None
        if kept.first_seq is None or kept.last_seq is None:
            return Accepted(job.table, kept.version, ())
        after, number = kept.first_seq - 1, kept.last_seq - kept.first_seq + 1
        return Accepted(job.table, kept.version, tuple(self._transaction.records(job.table, after, number)))

    def _wait_to_keep(self, decision: Decision) -> int:
        """For how many seconds a refusal cannot be kept; 0 where it can, or needs not to be."""
        ask, refusal = self._memory.wait_to_keep, decision.refusal
        if ask is None or refusal is None or not decision.is_kept:
            return 0
        size = len(encode_command(decision.command)) + len(encode_refusal(refusal)) + ROW_BYTES
        return ask(decision.command.actor, size)

    # ── Cards ────────────────────────────────────────────────────────────────────────────────────

    def _seed(self, loaded: LoadedTable, shoe: int) -> Seed:
        """The seed of a shoe; the one that comes next is drawn here, and kept if the shoe is loaded."""
        table = loaded.id
        if (table, shoe) in self._shoes:
            return self._shoes[table, shoe]
        if shoe > loaded.table.state.shoe_number:
            self._shoes[table, shoe] = self._memory.seeds(table, shoe)
            return self._shoes[table, shoe]
        shoes = self._memory.shoes
        if (table, shoe) not in shoes:
            kept = self._transaction.seed(table, shoe)
            if kept is None:
                raise KeyTrouble(f"no seed was kept for shoe {table}/{shoe}")
            if len(shoes) >= MOST_SHOES:
                shoes.clear()
            shoes[table, shoe] = Seed(kept.algorithm, self._memory.seal.open(table, shoe, kept.sealed))
        return shoes[table, shoe]

    # ── Writing ──────────────────────────────────────────────────────────────────────────────────

    def _write(self, done: list[Decision]) -> None:
        """Everything that came of the batch."""
        transaction = self._transaction
        for decision in done:
            if not decision.is_kept:
                continue
            transaction.add_command(_stored_command(decision))
            if decision.after is None:
                continue
            for command in _stored_openings(decision):
                transaction.add_command(command)
            key, second = decision.command.key or None, decision.command.second
            version = decision.before.version
            records = transaction.append(decision.job.table, version, decision.events, key)
            self._note_change(decision.before, decision.after, records)
            for record, movements in zip(records, decision.movements, strict=True):
                if movements:
                    transaction.post(
                        movements,
                        time_ms=record.event.time,
                        table=decision.job.table,
                        seq=record.seq,
                        actor=record.event.by,
                        second=second.name if second else None,
                    )
        loaded_at = {
            (decision.job.table, event.number): event.time
            for decision in done
            for event in decision.events
            if isinstance(event, ShoeLoaded)
        }
        for (table, shoe), seed in self._shoes.items():
            if self.tables[table].table.state.shoe_number >= shoe:
                sealed = self._memory.seal.seal(table, shoe, seed.secret)
                transaction.add_seed(table, shoe, seed.algorithm, sealed, loaded_at[table, shoe])
        for id in self._stored:
            self._keep_snapshot(id)

    def _note_change(self, before: LoadedTable, after: LoadedTable, records: Sequence[Record]) -> None:
        earlier = self.changes.get(before.id)
        if earlier is None:
            self.changes[before.id] = Change(before.id, before, after, tuple(records))
        else:
            self.changes[before.id] = earlier.followed_by(after, records)

    def _keep_snapshot(self, id: str) -> None:
        loaded, before = self.tables[id], self._stored[id].version
        if loaded.version // SNAPSHOT_EVERY > before // SNAPSHOT_EVERY:
            self._transaction.keep_snapshot(id, loaded.version, loaded.table.state)


def _key_of(job: Job | DueJob) -> tuple[str, str] | None:
    """Under which key a command was sent, and by whom; None where it has none."""
    if isinstance(job, DueJob) or not job.command.key:
        return None
    return job.command.actor, job.command.key


def _answer(decision: Decision) -> Accepted:
    assert decision.after is not None
    start, key, table = decision.before.version + 1, decision.command.key or None, decision.job.table
    numbered = enumerate(decision.events, start=start)
    records = tuple(Record(table, seq, SCHEMA_VERSION, key, event) for seq, event in numbered)
    return Accepted(table, decision.after.version, records)


def _stored_command(decision: Decision) -> StoredCommand:
    before, after, command = decision.before, decision.after, decision.command
    return StoredCommand(
        actor=command.actor,
        key=command.key or None,
        body=encode_command(command),
        table=decision.job.table,
        version=after.version if after is not None else before.version,
        first_seq=before.version + 1 if decision.events else None,
        last_seq=after.version if after is not None and decision.events else None,
        refusal=encode_refusal(decision.refusal) if decision.refusal is not None else None,
        expected=decision.job.expected,
    )


def _stored_openings(decision: Decision) -> Iterator[StoredCommand]:
    """What the floor gave of its own accord, each with its event: a session plays it again."""
    assert decision.after is not None
    first = decision.after.version - len(decision.openings) + 1
    for seq, command in enumerate(decision.openings, start=first):
        body, table = encode_command(command), decision.job.table
        yield StoredCommand(command.actor, None, body, table, seq, first_seq=seq, last_seq=seq)


def _key_reused(job: Job) -> Refusal:
    return Refusal(Reason.KEY_REUSED, None, {"key": job.command.key})
