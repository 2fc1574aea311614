"""One table, looked at: its chain of records, its commands, its states found again by replay, and what its
events moved. Problems are gathered as findings. It can be done in another process, which sees the database at a
later moment: only records up to the version that is asked for are looked at, and those never change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from itertools import chain, islice
from operator import attrgetter
from typing import Any

import msgspec

from punto.audit.anchor import AnchoredChain
from punto.audit.problem import AuditProblem, Findings, ProblemKind
from punto.audit.significant_check import TableTold, TableWatch
from punto.ledger.movement import (
    Movement,
    MovementKind,
    bank_account,
    float_account,
    held_account,
    play_account,
    player_account,
)
from punto.ledger.postings import movements_of
from punto.store import reader as raw
from punto.store.chain import DESK, FIRST_HASHES, command_line, command_line_bytes, first_command_hash, first_hash
from punto.store.connection import Row
from punto.store.errors import StoreError
from punto.store.reader import Reader, command_rows, link_rows, snapshot_bodies
from punto.store.record import StoredTable, decode_event, decode_state, record_line
from punto.table.betting import BetPlaced
from punto.table.event import Event
from punto.table.house import TableClosed, TableOpened
from punto.table.settlement import RoundSettled
from punto.table.state import SettledBet, State

BLOCK_EVENTS = 1_000  # Events whose movements share a hash.

MovementRow = tuple[Any, ...]
"""A movement as it is stored, without number and table: seq, time, kind, round, box, area, player, clause, reason,
actor, second, commission, then account and amount of each posting.
"""
ROW_POSTINGS = slice(12, None)  # Where the postings are in it.
_encode_movement = msgspec.msgpack.Encoder().encode


class Digests:
    """Hashes of movements by table and block. Those that events lead to and those that are stored are taken in by the
    same rule; where two hashes differ, and only there, the movements themselves are looked at.
    """

    def __init__(self) -> None:
        self._open: dict[str, tuple[int, list[MovementRow]]] = {}  # By table: the block that is being filled.
        self._done: dict[str, dict[int, bytes]] = {}

    def add(self, table: str, seq: int, *rows: MovementRow) -> None:
        """Take in movements of one event."""
        block, open_rows = self._open.get(table, _NO_BLOCK)
        if seq // BLOCK_EVENTS == block:
            open_rows += rows
        else:
            self._finish(table)
            self._open[table] = seq // BLOCK_EVENTS, [*rows]

    def of(self, table: str) -> dict[int, bytes]:
        self._finish(table)
        return self._done.get(table, {})

    def differing(self, table: str, others: dict[int, bytes]) -> set[int]:
        """The blocks of a table whose movements are not the same in both."""
        return {block for block, _ in self.of(table).items() ^ others.items()}

    def _finish(self, table: str) -> None:
        if table in self._open:
            done, (block, rows) = self._done.setdefault(table, {}), self._open.pop(table)
            done[block] = sha256(done.get(block, b"") + _encode_movement(rows)).digest()


_NO_BLOCK: tuple[None, list[MovementRow]] = (None, [])


class ChainWalk:
    """A chain of hashes, followed link by link, and whether it is still the one that an anchor saw."""

    def __init__(
        self, findings: Findings, table: str | None, first: bytes, anchored: tuple[int, str | None] | None
    ) -> None:
        """From the hash that it begins with; an anchor gives a number and the hash of that link."""
        self._findings, self._table, self.last, self.head = findings, table, 0, first
        self._anchored, self._hash = anchored or (0, None)
        self._seen = "" if self._anchored else first.hex()

    def follow(self, number: int, stored: object, line: Callable[[], str]) -> bool:
        """Take the next link; whether its hash follows from its line and the hash before it."""
        head = bytes(stored) if isinstance(stored, bytes | memoryview) else b""
        try:
            return self.step(number, head, line().encode())
        except (AttributeError, TypeError, ValueError):  # SQLite keeps anything in any column
            self.step(number, head, b"")
            return False

    def step(self, number: int, stored: bytes, line: bytes) -> bool:
        """Take the next link, where its line is at hand and its hash is one."""
        before, self.last, self.head = self.head, number, stored
        if number == self._anchored:
            self._seen = stored.hex()
        return sha256(before + line).digest() == stored

    def compare(self, cut: ProblemKind, rewritten: ProblemKind, *, has_place: bool = False, **fields: object) -> None:
        """Write down where the anchor saw more of the chain, or another one."""
        anchored, add = self._anchored, self._findings.add
        if self._hash is not None and anchored > self.last:
            add(self._table, self.last if has_place else None, cut, anchored=anchored, **fields, last=self.last)
        elif self._hash is not None and self._seen != self._hash:
            add(self._table, anchored if has_place else None, rewritten, anchored=anchored, **fields)


LinkedRecord = tuple[int, int, str | None, str]  # A record as it is stored: seq, version of its form, key and body.


def linked_records(
    reader: Reader, table: StoredTable, anchored: AnchoredChain | None, findings: Findings
) -> Iterator[LinkedRecord]:
    """The records of a table in order, each looked at before it is given on; problems are written down."""
    id, end = table.id, (anchored.seq, anchored.hash) if anchored else None
    walk = ChainWalk(findings, id, first_hash(id, table.digest), end)
    for seq, v, key, body, stored in link_rows(reader, id, table.version):
        # SQLite keeps anything in any column.
        is_record = type(seq) is type(v) is int and type(body) is str and (key is None or type(key) is str)
        if not is_record or type(stored) is not bytes:
            findings.add(id, seq if type(seq) is int else walk.last, ProblemKind.RECORD_OTHER)
            continue
        last = walk.last
        is_linked = walk.step(seq, stored, record_line(id, seq, v, key, body).encode())
        if is_linked and seq == last + 1:
            pass
        elif seq == last + 2:
            findings.add(id, last + 1, ProblemKind.RECORD_MISSING)
        elif seq > last + 2:
            findings.add(id, last + 1, ProblemKind.RECORDS_MISSING, last=seq - 1)
        elif seq <= last:
            findings.add(id, seq, ProblemKind.RECORD_NUMBER)
        elif not is_linked:
            findings.add(id, seq, ProblemKind.RECORD_HASH)
        yield seq, v, key, body
    if walk.last != table.version:
        findings.add(id, walk.last, ProblemKind.RECORD_LAST, last=walk.last, version=table.version)
    elif walk.head != table.head:
        findings.add(id, walk.last, ProblemKind.RECORD_HEAD)
    walk.compare(ProblemKind.RECORDS_CUT, ProblemKind.RECORDS_REWRITTEN, has_place=True)
    if anchored is not None and table.imported != anchored.imported:
        was = "imported" if anchored.imported else "not-imported"
        findings.add(id, None, ProblemKind.IMPORT_CHANGED, was=was)


BROKEN_FOLD = (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What a fold can raise on an event that cannot have happened."""


class Replay:
    """A table on its way through its records. What is stored beside them follows from them: who was paid what, and the
    snapshots. Each is found again here and compared.
    """

    def __init__(self, table: StoredTable, snapshots: dict[int, bytes], findings: Findings) -> None:
        self.table, self._snapshots, self._findings = table, snapshots, findings
        self._state = self.before = State()  # The table now, and before the last record.
        self._float = 0
        self._float_name = float_account(table.id)
        self._event: Event
        self._bet: BetPlaced | None = None
        self._paid: RoundSettled | None = None
        self._others: tuple[Movement, ...] = ()
        """What the last event moved, unless it was a bet or a plain settlement."""
        self.is_broken = False
        """A record cannot have happened: nothing can be said of what follows from it and those after it."""

    def take(self, link: LinkedRecord) -> Event | None:
        """Take the next record: its event; None if it cannot be replayed."""
        if self.is_broken:
            return None
        seq, v, _, body = link
        try:
            event = decode_event(body, v)
            self._bet, self._paid, self._others = None, None, ()
            if type(event) is BetPlaced and event.amount and not self.table.imported:
                self._bet = event
            elif type(event) is RoundSettled and is_plainly_settled(self._state, event) and not self.table.imported:
                self._paid = event
                self._float += max(0, _float_gain(event.bets))  # what it pays beyond that, the bank has put in
            else:
                self._others = self._moved(event)
            self.before, self._state = self._state, event.fold(self._state)
        except (StoreError, *BROKEN_FOLD):
            self.is_broken = True
            self._findings.add(self.table.id, seq, ProblemKind.RECORD_IMPOSSIBLE)
            return None
        if seq == 1:
            self._check_opening(event)
        if self._snapshots and seq in self._snapshots and not self._is_now(self._snapshots[seq]):
            self._findings.add(self.table.id, seq, ProblemKind.SNAPSHOT_WRONG)
        self._event = event
        return event

    def rows(self, seq: int, second: str | None) -> list[MovementRow]:
        """The rows of what the event moved that was taken last; this person stood beside its actor."""
        if self._bet is not None:
            return [bet_row(self.table.id, seq, self.before, self._bet, second)]
        if self._paid is not None:
            return settled_rows(self.table.id, seq, self.before, self._paid, second)
        return [movement_row(seq, self._event, movement, second) for movement in self._others]

    def _moved(self, event: Event) -> tuple[Movement, ...]:
        if self.table.imported:
            return ()
        balance = self._float if type(event) is TableClosed else 0
        moved = movements_of(self.table.id, self._state, event, float_balance=balance)
        for movement in moved:
            for posting in movement.postings:
                if posting.account == self._float_name:
                    self._float += posting.amount
        return moved

    def _check_opening(self, event: Event) -> None:
        table, add = self.table, self._findings.add
        if not isinstance(event, TableOpened):
            add(table.id, 1, ProblemKind.NOT_OPENED)
            return
        if event.digest != table.digest:
            add(table.id, 1, ProblemKind.OTHER_BOOK)
        if not table.imported and event.time != table.created_ms:
            add(table.id, None, ProblemKind.OTHER_OPENING)

    def _is_now(self, snapshot: bytes) -> bool:
        try:
            return decode_state(snapshot) == self._state
        except (msgspec.MsgspecError, *BROKEN_FOLD):
            return False


def movement_row(seq: int, event: Event, m: Movement, second: str | None) -> MovementRow:
    columns = (m.kind._value_, m.round, m.box, m.area, m.player, m.clause, m.reason or None, event.by, second)
    first, other, *more = m.postings
    lines = (first.account, first.amount, other.account, other.amount)
    if not more:
        return (seq, event.time, *columns, m.commission, *lines, None, None)
    [third] = more
    return (seq, event.time, *columns, m.commission, *lines, third.account, third.amount)


def bet_row(table: str, seq: int, before: State, bet: BetPlaced, second: str | None) -> MovementRow:
    """The row of the movement of a bet, without the movement: half of all rows are of bets."""
    player, round, amount = bet.player, before.round, bet.amount
    wallet, play = player_account(player), play_account(table, round)
    # One tuple, not several put together: that would take three times as long.
    # fmt: off
    return (
        seq, bet.time, _BET, round, bet.box, bet.area, player, None, None, bet.by, second, 0,
        wallet, -amount, play, amount, None, None,
    )
    # fmt: on


def is_plainly_settled(before: State, event: RoundSettled) -> bool:
    """Whether a settlement moves nothing but stakes and nets: no commission is set aside, and the bank is owed nothing.

    Only then, as nearly always, `settled_rows` says what it moves.
    """
    if before.advanced or before.terms is None:
        return False
    return all(line.stake > 0 and line.stake + line.net >= 0 and not line.is_due for line in event.bets)


def settled_rows(table: str, seq: int, before: State, event: RoundSettled, second: str | None) -> list[MovementRow]:
    """The rows of the movements of a plain settlement, without the movements: nearly all other rows are of those."""
    round, time, by, rows = before.round, event.time, event.by, list[MovementRow]()
    play, at_table = play_account(table, round), float_account(table)
    if (cost := -_float_gain(event.bets)) > 0:
        assert before.terms is not None
        fill = (_FILL, round, None, None, None, None, None, by, second, 0)
        rows.append((seq, time, *fill, bank_account(before.terms.currency), -cost, at_table, cost, None, None))
    for line in sorted(event.bets, key=_by_net):
        net, stake, player = line.net, line.stake, line.player
        held, paid = (held_account(table, player), stake + net) if stake + net else (None, None)
        first, gained, second_account, got = (at_table, -net, held, paid) if net else (held, paid, None, None)
        # fmt: off
        rows.append((
            seq, time, _SETTLEMENT, round, line.box, line.area, player, line.clause, line.result._value_, by, second,
            line.commission, play, -stake, first, gained, second_account, got,
        ))
        # fmt: on
    return rows


def _float_gain(lines: Iterable[SettledBet]) -> int:
    """What the float of a table gets by plain lines."""
    return -sum([line.net for line in lines])


_by_net = attrgetter("net")
_BET, _FILL, _SETTLEMENT = MovementKind.BET.value, MovementKind.FILL.value, MovementKind.SETTLEMENT.value


class _Second(msgspec.Struct):
    name: str


class _Body(msgspec.Struct):
    second: _Second | None = None


_bodies = msgspec.json.Decoder(_Body)


def linked_commands(
    rows: Iterator[Row],
    table: str | None,
    first: bytes,
    end: tuple[int, bytes],
    anchored: AnchoredChain | None,
    findings: Findings,
) -> Iterator[Row]:
    """The commands of a table, or of the desk, each looked at as the next link of their chain.

    The chain begins with the hash `first`, and should end at this number and hash; what was added after that
    is not ours to judge, because the rows may be read at a later moment.
    """
    walk = ChainWalk(findings, table, first, (anchored.asked, anchored.asked_hash) if anchored else None)
    version, is_whole, desk = 0, True, _DESK if table is None else "table"
    for number, row in enumerate(islice(rows, max(0, end[0])), start=1):
        stored = row[_COMMAND_HASH]
        if type(stored) is bytes:
            is_linked = walk.step(number, stored, command_line_bytes(row[:_COMMAND_HASH]))
        else:
            is_linked = walk.follow(number, stored, partial(command_line, row[:_COMMAND_HASH]))
        if not is_linked:
            is_whole = False
            place = version + 1 if table is not None else None  # it was changed, or one before it is gone
            findings.add(table, place, ProblemKind.COMMAND_HASH, id=row[raw.COMMAND_ID], desk=desk)
        if type(row[_COMMAND_VERSION]) is int:
            version = row[_COMMAND_VERSION]
        yield row
    if is_whole and (walk.last, walk.head) != end:
        findings.add(table, None, ProblemKind.COMMANDS_END, desk=desk, last=walk.last, due=end[0])
    walk.compare(ProblemKind.COMMANDS_CUT, ProblemKind.COMMANDS_REWRITTEN, desk=desk)


_COMMAND_HASH, _COMMAND_VERSION = raw.COMMAND_HASH, raw.COMMAND_VERSION


def check_desk(reader: Reader, anchored: AnchoredChain | None, findings: Findings) -> None:
    rows = command_rows(reader, None)
    for row in linked_commands(rows, None, FIRST_HASHES[DESK], reader.chain_end(DESK), anchored, findings):
        if (row[raw.COMMAND_VERSION], *row[raw.COMMAND_EVENTS]) != (None, None, None):
            findings.add(None, None, ProblemKind.COMMAND_OF_TABLE, id=row[raw.COMMAND_ID], desk=_DESK)
    for row in rows:
        findings.add(None, None, ProblemKind.COMMAND_ADDED, id=row[raw.COMMAND_ID], desk=_DESK)


_DESK = "desk"  # The cashier's, whose commands are of no table.


_COMMAND_CONTENT = slice(raw.COMMAND_VERSION, raw.COMMAND_VERSION + 7)  # From the version to the refusal.


class CommandTrail:
    """The commands of a table, followed along its events: one is there for every event, in order and under its key."""

    def __init__(self, table: StoredTable, rows: Iterator[Row], findings: Findings) -> None:
        self._table, self._rows, self._findings = table, rows, findings
        self._last = 0
        self._key: str | None = None
        self._actor: str | None = None
        self._of_others: dict[int, str] = {}
        """Events of the command that somebody else caused: the floor opens seeds of its own accord."""
        self._waiting: Row | None = None
        """A command whose first event has not come yet."""
        self.second: str | None = None
        """Who stood beside the actor of the event that was looked at last."""

    def follow(self, seq: int, key: str | None, by: str | None) -> None:
        """Look at the next event, which these people caused under this key."""
        if seq > self._last:
            if self._table.imported:
                self._last = self._table.version
                return
            self._advance(seq)
            if by is not None and self._actor is not None and by != self._actor:
                self._add(seq, ProblemKind.OTHER_ACTOR, by=by, actor=self._actor)
        elif by is not None and self._actor is not None and by != self._actor:
            self._of_others[seq] = by
        if key != self._key and not self._table.imported:
            self._add(seq, ProblemKind.OTHER_KEY)

    def end(self) -> None:
        """After the last event: no command is left, but those that came after that version."""
        for row in self._rows if self._waiting is None else chain((self._waiting,), self._rows):
            _, _, version, first, last, _, _, _, refusal, *_ = row
            if self._table.imported:
                if not (refusal is not None and (first, last) == (None, None)):  # everything is refused there
                    self._add(0, ProblemKind.COMMAND_AT_IMPORT)
            elif not (isinstance(version, int) and version > self._table.version) and self._take(row):
                self._add(last, ProblemKind.EVENTS_MISSING, first=first)
        self._check_others()

    def _check_others(self) -> None:
        for seq, by in self._of_others.items():
            self._add(seq, ProblemKind.NO_COMMAND_OF_THEIRS, by=by)
        self._of_others.clear()

    def _advance(self, seq: int) -> None:
        """Go on to the command that this event belongs to, past those whose events are all missing."""
        rows = self._rows if self._waiting is None else chain((self._waiting,), self._rows)
        self._waiting = None
        for row in rows:
            if not self._take(row):
                continue
            first, last = row[raw.COMMAND_EVENTS]
            if last < seq:
                self._add(last, ProblemKind.EVENTS_MISSING, first=first)
                continue
            if first > seq:
                self._waiting = row
                self._without_command(seq, seq)
            elif first < seq:
                self._add(seq, ProblemKind.COMMAND_BEGINS_EARLIER)
            return
        self._without_command(seq, 2**63)

    def _without_command(self, seq: int, last: int) -> None:
        """Say that this event, and those after it up to the last one, are of no command."""
        self._add(seq, ProblemKind.NO_COMMAND)
        self._last, self._key, self._actor, self.second = last, None, None, None

    def _take(self, row: Row) -> bool:
        """Look at a command; whether it brings events that no command before it had."""
        version, first, last, actor, key, body, refusal = row[_COMMAND_CONTENT]
        if refusal is not None or (first is None and last is None):
            if not (first is None and last is None and version == self._last):
                self._add(self._last, ProblemKind.COMMAND_VERSION, version=version, due=self._last)
            return False
        if not (isinstance(first, int) and isinstance(last, int) and first <= last == version):
            self._add(self._last, ProblemKind.COMMAND_EVENTS, first=first, last=last, version=version)
            return False
        if first <= self._last:
            if not (first == last and self._of_others.pop(first, None) == actor):
                self._add(self._last, ProblemKind.COMMAND_OVERLAPS, first=first, last=last)
            return False
        if self._of_others:
            self._check_others()
        self._last, self._key, self._actor = last, key, actor
        self.second = _second(body) if type(body) is str and '"second"' in body else None
        return True

    def _add(self, seq: int, kind: ProblemKind, **fields: object) -> None:
        self._findings.add(self._table.id, seq, kind, **fields)


def _second(body: Any) -> str | None:
    try:
        second = _bodies.decode(body).second
    except (msgspec.MsgspecError, TypeError):
        return None
    return second.name if second is not None else None


class TableCheck(msgspec.Struct, frozen=True):
    events: int
    last: int  # The last event that is there.
    moved: dict[int, bytes]  # Hashes of what its events moved, by block.
    problems: tuple[AuditProblem, ...]
    count: int  # Problems, with those that are too many to be listed.
    told: TableTold = msgspec.field(default_factory=TableTold)  # What the house must have been told of it.


def check_table(
    reader: Reader, table: StoredTable, anchored: AnchoredChain | None, watch: TableWatch | None = None
) -> TableCheck:
    """Look at a table; `watch` says by which thresholds its significant events were told."""
    findings, digests, events, last, told = Findings(), Digests(), 0, 0, TableTold()
    id, add = table.id, digests.add
    for seq, rows in events_moved(reader, table, anchored, findings, watch, told):
        events, last = events + 1, seq
        if rows:
            add(id, seq, *rows)
    return TableCheck(events, last, digests.of(table.id), findings.listed, findings.count(table.id), told)


def events_moved(
    reader: Reader,
    table: StoredTable,
    anchored: AnchoredChain | None,
    findings: Findings,
    watch: TableWatch | None = None,
    told: TableTold | None = None,
) -> Iterator[tuple[int, list[MovementRow]]]:
    """Every event of a table, looked at, with what it moved; what had to be told of it is gathered in `told`."""
    replay = Replay(table, snapshot_bodies(reader, table.id), findings)
    first, end = first_command_hash(table.id), (table.asked, table.asked_head)
    commands = linked_commands(command_rows(reader, table.id), table.id, first, end, anchored, findings)
    trail = CommandTrail(table, commands, findings)
    watched = watch.watched() if watch is not None else frozenset()
    for link in linked_records(reader, table, anchored, findings):
        seq, _, key, _ = link
        event = replay.take(link)
        trail.follow(seq, key, event.by if event is not None else None)
        if watch is not None and told is not None and type(event) in watched:
            assert event is not None
            told.look(table.id, seq, replay.before, event, trail.second, watch)
        yield seq, replay.rows(seq, trail.second) if event is not None else []
    trail.end()
