"""Verification: is what is stored what was written, as far as an anchor can say? Every table is checked, here
or in several processes, and beside the tables the books, the ledger and what the house itself did.
"""

from __future__ import annotations

import json
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, UnsetType

from punto.audit.anchor import Anchor, AnchoredChain
from punto.audit.play_check import PlayCheck
from punto.audit.problem import AuditProblem, Findings, ProblemKind
from punto.audit.significant_check import CashTold, Correction, HouseTimeline, TableWatch, check_told
from punto.audit.table_check import (
    BLOCK_EVENTS,
    ROW_POSTINGS,
    ChainWalk,
    Digests,
    TableCheck,
    check_desk,
    check_table,
    events_moved,
)
from punto.ledger.movement import AccountKind, MovementKind, bank_account, cash_account
from punto.money import format_money
from punto.rules.book import SHORT_DIGEST, digest_of
from punto.rules.book_text import BookText
from punto.store import chain
from punto.store import reader as raw
from punto.store.cage import stored_shifts, stored_slips
from punto.store.chain import CASHIER, DESK, FIRST_HASHES, HOUSE, WITHOUT_ROWS, HouseAct, HouseCode, Subject
from punto.store.connection import Address, Row
from punto.store.device import stored_devices
from punto.store.dispute import all_disputes, dispute_state
from punto.store.errors import StoreBroken
from punto.store.gaming_days import stored_days
from punto.store.house_settings import HOUSE_RULES, stored_settings
from punto.store.invitation import stored_invitations
from punto.store.people import shut_log_ins
from punto.store.pit import approval_state, stored_approvals, stored_runs
from punto.store.protection import subject_of
from punto.store.reader import Reader
from punto.store.record import AccountOwner, StoredTable
from punto.store.second_factor import factor_states
from punto.store.stop import stored_stops

if TYPE_CHECKING:
    from punto.store.store import Store


def check_books(reader: Reader, tables: Sequence[StoredTable], findings: Findings) -> None:
    """Look at the books of these tables, and at any other that is there."""
    known = set()
    for digest, name, document in raw.book_rows(reader):
        known.add(digest)
        try:
            text = msgspec.convert(json.loads(document), BookText)
            is_same = digest_of(text) == digest and text.name == name
        except (ValueError, TypeError, RecursionError, msgspec.MsgspecError):
            is_same = False
        if not is_same:
            findings.add(None, None, ProblemKind.BOOK_CHANGED, digest=str(digest)[:SHORT_DIGEST])
    for table in tables:
        if table.digest not in known:
            findings.add(table.id, None, ProblemKind.BOOK_MISSING)


class StoredLedger:
    """Everything that is posted. What tables moved goes into hashes, to be compared with what their events lead to;
    what the cashier moved follows from no event and has its own chain. Balances are the sums of all postings.
    """

    def __init__(self, findings: Findings, anchored: AnchoredChain | None = None) -> None:
        self._findings, self.digests = findings, Digests()
        self.cashier = ChainWalk(
            findings, None, FIRST_HASHES[CASHIER], (anchored.seq, anchored.hash) if anchored else None
        )
        self._postings = 0
        self._sums: defaultdict[str, int] = defaultdict(int)
        self._currencies: dict[str, str] = {}
        self.corrections: list[tuple[int, Correction]] = []
        """The corrections at the cashier's desk, each with its place in the chain."""
        self.cash: CashTold | None = None  # None where one table is looked at by itself.
        self._play: PlayCheck | None = None

    def read(self, reader: Reader, table: str | None = None) -> None:
        """Take in every movement, or those of one table."""
        tables = {each.id for each in reader.tables()}
        self._play = PlayCheck(reader) if table is None else None
        self._currencies = {account.handle: account.currency for account in reader.accounts()}
        add, sums, postings = self.digests.add, self._sums, 0
        take, place, rest = self._play.take if self._play is not None else None, raw.MOVEMENT_PLACE, _POSTINGS_AND_REST
        for row in raw.movement_rows(reader, table):
            id, table_id, seq = row[place]
            account, amount, other, other_amount, third, third_amount, stored, key = row[rest]
            if take is not None:
                take(row)
            postings += 2
            try:
                sums[account] += amount
                sums[other] += other_amount
                if third is not None:
                    sums[third] += third_amount
                    postings += 1
            except TypeError:
                self._add(ProblemKind.MOVEMENT_POSTINGS, id=id)
            if table_id is None:
                self._cashiers(row)
            elif type(seq) is not int or table_id not in tables:
                self._findings.add(table_id, None, ProblemKind.MOVEMENT_ALONE, id=id)
            elif stored is not None or key is not None:
                self._findings.add(table_id, seq, ProblemKind.MOVEMENT_CHAINED, id=id)
            else:
                add(table_id, seq, row[_CONTENT])
        self._postings += postings

    def check_balances(self, reader: Reader) -> None:
        """Every balance is the sum of its postings, and every player has an account."""
        if raw.posting_count(reader) != self._postings:
            self._add(ProblemKind.POSTINGS_ALONE)
        balances = reader.all_balances()
        for account in sorted(balances.keys() | {name for name, amount in self._sums.items() if amount}):
            stored, summed = balances.get(account, 0), self._sums[account]
            if stored != summed:
                amounts = {"stored": _money_text(stored), "summed": _money_text(summed)}
                self._add(ProblemKind.BALANCE_WRONG, account=account, **amounts)
            handle = account.removeprefix(_WALLET)
            if handle != account and handle not in self._currencies:
                self._add(ProblemKind.NO_ACCOUNT, handle=handle)

    def check_play(self, reader: Reader) -> None:
        """What is counted of every player's play is what was posted."""
        if self._play is not None:  # else the movements cannot be read, which is told
            self._play.compare(reader, self._findings)

    def check_cashier(self, reader: Reader) -> None:
        """The chain of the cashier ends where it should, and is the one in the anchor."""
        walk, (number, head) = self.cashier, reader.chain_end(CASHIER)
        if (number, head) != (walk.last, walk.head):
            self._add(ProblemKind.CASHIER_END, last=walk.last, due=number)
        walk.compare(ProblemKind.CASHIER_CUT, ProblemKind.CASHIER_REWRITTEN)

    def _cashiers(self, row: Row) -> None:
        """A movement of the cashier: the next link of the chain."""
        id, _, seq, time, kind, round, box, area, player, *rest, commission = row[: raw.MOVEMENT_POSTINGS.start]
        postings, stored, number = row[raw.MOVEMENT_POSTINGS], row[raw.MOVEMENT_HASH], self.cashier.last + 1
        lines = [line for line in zip(postings[::2], postings[1::2], strict=True) if line[0] is not None]
        columns = (id, time, kind, player, *rest)
        line = partial(chain.movement_line, number, columns, lines, row[raw.MOVEMENT_KEY])
        is_desks = (seq, round, box, area, commission) == (None, None, None, None, 0)
        if not self.cashier.follow(number, stored, line) or not is_desks:
            self._add(ProblemKind.CASHIER_HASH, id=id)
        if sum(amount for _, amount in lines if type(amount) is int):
            self._add(ProblemKind.CASHIER_SUM, id=id)
        if kind == MovementKind.CORRECTION.value:
            _, reason, actor, second = rest
            amount = sum(n for account, n in lines if account == f"{_WALLET}{player}" and type(n) is int)
            self.corrections.append((number, (time, player, amount, actor, second, reason)))
        elif self.cash is not None and kind in _CASH:
            amount = sum(n for account, n in lines if account == f"{_WALLET}{player}" and type(n) is int)
            self.cash.take(number, time, kind, player, amount, rest[2])
        currency = self._currencies.get(player or "")
        if currency is not None:
            own = {cash_account(currency), bank_account(currency), f"{_WALLET}{player}"}
            if not {account for account, _ in lines} <= own:
                self._add(ProblemKind.CASHIER_CURRENCY, id=id, currency=currency, player=player)

    def _add(self, kind: ProblemKind, **fields: object) -> None:
        self._findings.add(None, None, kind, **fields)


_CONTENT = raw.MOVEMENT_CONTENT
_POSTINGS_AND_REST = slice(raw.MOVEMENT_POSTINGS.start, None)  # To the hash and the key.
_WALLET = f"{AccountKind.PLAYER.value}/"
_CASH = (MovementKind.BUY_IN.value, MovementKind.CASH_OUT.value)


def _money_text(amount: object) -> str:
    """An amount for people; SQLite keeps anything in any column."""
    return format_money(amount) if type(amount) is int else repr(amount)


HouseState = dict[str, Any]

_GOES_ON = (
    *(HouseCode.APPROVAL_DECIDED.value, HouseCode.APPROVAL_EXPIRED.value, HouseCode.APPROVAL_FINISHED.value),
    HouseCode.DISPUTE_ANSWERED.value,
    HouseCode.SHIFT_CLOSED.value,
)
"""Acts that say only what they add to what was there."""
_OF_TABLES = frozenset(subject.value for subject in (Subject.TABLE, Subject.SEED, Subject.RUN))
_house_decoder = msgspec.json.Decoder(HouseAct)


def check_house(reader: Reader, anchored: AnchoredChain | None, findings: Findings) -> tuple[int, list[HouseAct]]:
    """Look at everything that the house did; the number of its acts, and those that no row is compared with.

    Each act says what is there after it. Folded from the first to the last, they say what must be in the rows of
    accounts, passwords, roles, approvals, sealed seeds, runs and tables now.
    """
    states: dict[str, tuple[int, HouseState]] = {}
    last, told = 0, list[HouseAct]()
    for event in _linked_house_events(reader, anchored, findings):
        last = event.seq
        if event.subject.partition("/")[0] in WITHOUT_ROWS or event.event is not None:
            told.append(event)
            continue
        before = states.get(event.subject, (0, {}))[1] if event.code in _GOES_ON else {}
        if event.after is None:
            states.pop(event.subject, None)
        else:
            states[event.subject] = event.seq, {**before, **event.after}
    for subject, state in _house_rows_found(reader):
        seq, wanted = states.pop(subject, (0, None))
        if wanted is None:
            _add_of_house(findings, subject, ProblemKind.ROW_ADDED)
        elif wanted != state:
            names = sorted(str(name) for name in wanted.keys() | state if wanted.get(name) != state.get(name))
            _add_of_house(findings, subject, ProblemKind.ROW_CHANGED, act=seq, fields=", ".join(names))
    for (name,) in reader.rows("SELECT id FROM chains"):
        if name not in (CASHIER, DESK, HOUSE):
            findings.add(None, None, ProblemKind.CHAIN_UNKNOWN, chain=name)
    for subject, (seq, _) in states.items():
        _add_of_house(findings, subject, ProblemKind.ROW_MISSING, act=seq)
    return last, told


def _linked_house_events(reader: Reader, anchored: AnchoredChain | None, findings: Findings) -> Iterator[HouseAct]:
    """The acts in their order, each looked at as the next link of the chain."""
    walk = ChainWalk(findings, None, FIRST_HASHES[HOUSE], (anchored.seq, anchored.hash) if anchored else None)
    for seq, body, stored in raw.house_rows(reader):
        due, event = walk.last + 1, _read_house_event(body)
        is_linked = walk.follow(seq if type(seq) is int else walk.last, stored, partial(str, body))
        if seq != due:
            findings.add(None, None, ProblemKind.ACT_MISSING, act=due)
        elif event is None or event.seq != seq or not is_linked:
            findings.add(None, None, ProblemKind.ACT_HASH, act=seq)
        if event is not None:
            yield event
    number, head = reader.chain_end(HOUSE)
    if (number, head) != (walk.last, walk.head):
        findings.add(None, None, ProblemKind.ACTS_END, last=walk.last, due=number)
    walk.compare(ProblemKind.ACTS_CUT, ProblemKind.ACTS_REWRITTEN)


def _read_house_event(body: object) -> HouseAct | None:
    try:
        return _house_decoder.decode(body) if isinstance(body, str) else None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _house_rows_found(reader: Reader) -> Iterator[tuple[str, HouseState]]:
    for id, digest, created, imported in reader.rows("SELECT id, digest, created_ms, imported FROM tables"):
        yield Subject.TABLE.of(id), {"digest": digest, "created_ms": created, "imported": bool(imported)}
    for handle, currency, opened, kind in reader.rows("SELECT handle, currency, opened_ms, kind FROM accounts"):
        yield Subject.ACCOUNT.of(handle), chain.account_state(currency, opened, kind)
    for handle, hashed, drawn in reader.rows("SELECT handle, password, drawn FROM people WHERE password IS NOT NULL"):
        yield Subject.PASSWORD.of(handle), chain.log_in_state(str(hashed), is_drawn=bool(drawn)) or {}
    held: dict[str, list[tuple[str, str, int]]] = {}
    for handle, role, by, when in reader.rows("SELECT handle, role, granted_by, granted_ms FROM roles"):
        held.setdefault(handle, []).append((role, by, when))
    for handle, rows in held.items():
        yield Subject.ROLES.of(handle), chain.roles_state(rows) or {}
    for approval in stored_approvals(reader):
        yield Subject.APPROVAL.of(approval.id), approval_state(approval)
    for table, shoe, algorithm, sealed in reader.rows("SELECT table_id, shoe, algorithm, sealed FROM seeds"):
        content = sealed if isinstance(sealed, bytes | memoryview) else str(sealed).encode()
        yield Subject.SEED.of(f"{table}/{shoe}"), chain.seed_state(algorithm, bytes(content))
    for table, run in stored_runs(reader).items():
        yield Subject.RUN.of(table), run
    for handle, kind, value in reader.rows("SELECT handle, kind, value FROM protections"):
        yield subject_of(handle, kind), _document(value)
    if settings := stored_settings(reader):
        yield HOUSE_RULES, settings
    for handle, shut in shut_log_ins(reader).items():
        yield Subject.SHUT.of(handle), shut.state
    for handle, state in factor_states(reader).items():
        yield Subject.SECOND_FACTOR.of(handle), state
    for invitation in stored_invitations(reader):
        yield Subject.INVITATION.of(invitation.id), invitation.state
    for device in stored_devices(reader):
        yield Subject.DEVICE.of(device.id), device.state
    for day in stored_days(reader):
        yield Subject.DAY.of(day.day), day.state
    for stop in stored_stops(reader):
        yield Subject.STOP.of(stop.what), stop.state
    for dispute in all_disputes(reader):
        yield Subject.DISPUTE.of(dispute.dispute), dispute_state(dispute)
    for slip in stored_slips(reader):
        yield Subject.RACK.of(str(slip.number)), slip.state
    for shift in stored_shifts(reader):
        yield Subject.SHIFT.of(str(shift.number)), shift.state


def _document(value: object) -> HouseState:
    """What stands in a row as JSON; whatever else stands there is no act's."""
    try:
        return msgspec.json.decode(str(value), type=dict[str, Any])
    except msgspec.MsgspecError:
        return {"value": value}


def _add_of_house(findings: Findings, subject: str, problem: ProblemKind, **fields: object) -> None:
    kind, _, name = subject.partition("/")
    table = name.partition("/")[0] if kind in _OF_TABLES else None
    is_known = kind in Subject._value2member_map_  # somebody may have written an act about anything
    findings.add(table, None, problem, subject=kind if is_known else subject, name=name, **fields)


Begin = Callable[[StoredTable, AnchoredChain | None, TableWatch | None], Callable[[], TableCheck]]
"""Begins to look at a table somewhere; what it gives waits for the end."""


class VerifiedChain(msgspec.Struct, frozen=True):
    """How far a chain goes that belongs to no table; nothing of it is known where one table was looked at."""

    anchored: int | UnsetType | None = UNSET  # The entry up to which the anchor vouches for it.
    last: int | UnsetType = UNSET


class Verification(msgspec.Struct, frozen=True):
    """What was looked at, and what was found."""

    ok: bool
    events: int  # Events that were looked at.
    anchored: dict[str, int]  # By table: the event up to which the anchor vouches for it.
    last: dict[str, int]  # By table: its last event; what comes after the anchor nobody vouches for.
    cashier: VerifiedChain  # The cashier's movements.
    problems: tuple[AuditProblem, ...]
    house: VerifiedChain = VerifiedChain()  # What the house itself did.


def verify(
    reader: Reader, table: StoredTable | None = None, anchor: Anchor | None = None, begin: Begin | None = None
) -> Verification:
    """Look at everything, or at one table, against an anchor if there is one; `begin` looks at tables elsewhere.

    Every record is linked to the one before it, and everything beside the records is found again from them.
    Movements are compared by one hash for every thousand events, so that a table with a million events needs little
    memory; only where two hashes differ are they looked at one by one.
    """
    inspection = _Inspection(reader, table, anchor)
    inspection.check_tables(begin)
    inspection.check_beside_tables()
    if table is None:
        inspection.check_house_chains()
    return inspection.result()


class _Inspection:
    """A verification of everything, or of one table: what it knows and has found so far."""

    def __init__(self, reader: Reader, only: StoredTable | None, anchor: Anchor | None) -> None:
        self._reader, self._only = reader, only
        self._known = anchor.tables if anchor is not None else {}
        self._desk = anchor.cashier if anchor is not None else None
        self._house = anchor.house if anchor is not None else None
        self._findings = Findings()
        self._ledger = StoredLedger(self._findings, self._desk)
        self._tables = [only] if only is not None else []
        self._checks: dict[str, TableCheck] = {}
        self._acts = 0
        self._timeline: HouseTimeline | None = None

    def check_tables(self, begin: Begin | None) -> None:
        """Every table by itself, while the movements are read here, and whether these are what its events moved."""
        reader, known, only = self._reader, self._known, self._only
        if only is None:
            with self._readable(None, "tables"):
                self._tables = reader.tables()
            with self._readable(None, "house"):
                self._timeline = HouseTimeline(reader)
                bots = (each.handle for each in reader.accounts() if each.kind == AccountOwner.BOT.value)
                self._ledger.cash = CashTold(self._timeline.cash, frozenset(bots))
        watches = {each.id: self._watch_of(each) for each in self._tables}
        begun = [begin(t, known.get(t.id), watches[t.id]) for t in self._tables] if begin is not None else []
        with self._readable(None, "movements"):
            self._ledger.read(reader, only.id if only is not None else None)
        for place, each in enumerate(self._tables):
            check = TableCheck(0, 0, {}, (), 0)
            with self._readable(each.id, "records"):
                check = begun[place]() if begun else check_table(reader, each, known.get(each.id), watches[each.id])
            self._checks[each.id] = check
            self._findings.take(each.id, check.problems, check.count)
            if blocks := self._ledger.digests.differing(each.id, check.moved):
                with self._readable(each.id, "movements"):
                    _explain(reader, each, blocks, self._findings)

    def _watch_of(self, table: StoredTable) -> TableWatch | None:
        """None where nothing is told of a table: it came from a file, or it is looked at by itself."""
        return None if table.imported or self._timeline is None else self._timeline.watch_of(table.id)

    def check_beside_tables(self) -> None:
        """Rows that belong to no version of a table, or to none at all, and the books."""
        with self._readable(None, "tables"):
            for id, what in raw.rows_beyond_version(self._reader, [each.id for each in self._tables]):
                self._findings.add(id, None, ProblemKind.ROWS_BEYOND, what=what)
            for id, what in raw.stray_rows(self._reader) if self._only is None else ():
                self._findings.add(id, None, ProblemKind.ROWS_STRAY, what=what)
        with self._readable(None, "books"):
            check_books(self._reader, self._tables, self._findings)

    def check_house_chains(self) -> None:
        """The chains of the desk, the house and the cashier, the balances, and that no table is gone."""
        with self._readable(None, "desk"):
            check_desk(self._reader, self._desk, self._findings)
        with self._readable(None, "house"):
            self._acts, acts = check_house(self._reader, self._house, self._findings)
            begun = self._timeline.corrections_begun if self._timeline is not None else 0
            corrections = [correction for number, correction in self._ledger.corrections if number > begun]
            told = {id: check.told for id, check in self._checks.items()}
            cash = self._ledger.cash.acts if self._ledger.cash is not None else []
            check_told(self._reader, acts, told, corrections, cash, self._findings)
        with self._readable(None, "ledger"):
            self._ledger.check_cashier(self._reader)
            self._ledger.check_balances(self._reader)
            self._ledger.check_play(self._reader)
        for id in sorted(self._known.keys() - self._checks.keys()):
            self._findings.add(id, None, ProblemKind.TABLE_REMOVED)

    def result(self) -> Verification:
        only, desk, house = self._only, self._desk, self._house
        return Verification(
            ok=not self._findings.listed,
            events=sum(check.events for check in self._checks.values()),
            anchored={id: anchored.seq for id, anchored in self._known.items() if only is None or id == only.id},
            last={id: check.last for id, check in self._checks.items()},
            cashier=VerifiedChain() if only else VerifiedChain(desk.seq if desk else None, self._ledger.cashier.last),
            house=VerifiedChain() if only else VerifiedChain(house.seq if house else None, self._acts),
            problems=self._findings.all(),
        )

    @contextmanager
    def _readable(self, table: str | None, what: str) -> Iterator[None]:
        """What the database itself cannot read, such as text that is not UTF-8, was changed too."""
        try:
            yield
        except StoreBroken as error:
            self._findings.add(table, None, ProblemKind.UNREADABLE, what=what, error=str(error))


def _explain(reader: Reader, table: StoredTable, blocks: set[int], findings: Findings) -> None:
    """Say which events of these blocks have other movements than they lead to."""
    posted: dict[int, list[Row]] = {}
    before = findings.count(table.id)
    for row in raw.movement_rows(reader, table.id):
        _, _, seq = row[raw.MOVEMENT_PLACE]
        if type(seq) is int and seq // BLOCK_EVENTS in blocks:
            posted.setdefault(seq, []).append(row[_CONTENT])
    for seq, due in events_moved(reader, table, None, Findings()):
        rows = posted.pop(seq, []) if seq // BLOCK_EVENTS in blocks else due
        if len(rows) != len(due):
            findings.add(table.id, seq, ProblemKind.MOVEMENTS_NUMBER, due=len(due), stored=len(rows))
        elif [row[ROW_POSTINGS] for row in rows] != [row[ROW_POSTINGS] for row in due]:
            findings.add(table.id, seq, ProblemKind.POSTINGS_WRONG)
        elif rows != due:
            findings.add(table.id, seq, ProblemKind.MOVEMENT_WRONG)
    for seq in sorted(posted):
        findings.add(table.id, seq, ProblemKind.MOVED_FOR_NOTHING)
    if findings.count(table.id) == before:
        findings.add(table.id, None, ProblemKind.MOVED_IN_OTHER_ORDER)


@contextmanager
def several_processes(address: Address, workers: int) -> Iterator[Begin]:
    """A way to look at tables in this many processes, for as long as it is needed."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # A fresh interpreter for each: nothing of ours, no thread and no connection, is shared by accident.
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_open_in_worker, initargs=(address,)
    )

    def begin(table: StoredTable, anchored: AnchoredChain | None, watch: TableWatch | None) -> Callable[[], TableCheck]:
        return pool.submit(_check_in_worker, table, anchored, watch).result

    try:
        yield begin
    finally:
        pool.shutdown(cancel_futures=True)


_store_of_worker: list[Store] = []  # The store of a worker process.


def _open_in_worker(address: Address) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us is told, and ends us
    from punto.store.store import open_store

    _store_of_worker.append(open_store(address, create=False))


def _check_in_worker(table: StoredTable, anchored: AnchoredChain | None, watch: TableWatch | None) -> TableCheck:
    with _store_of_worker[0].read() as reader:
        return check_table(reader, table, anchored, watch)
