"""A table replayed from its records: its states, and what its events moved.

Everything that is stored beside the events follows from them: who was paid what, and the snapshots. Each is
found again here and compared.
"""

from __future__ import annotations

import msgspec

from punto.audit.chain.digests import MovementRow
from punto.audit.chain.problem import Findings
from punto.audit.chain.stream import Link
from punto.ledger.account import float_account
from punto.ledger.movement import Movement
from punto.ledger.postings import movements_of
from punto.store.errors import StoreError
from punto.store.record import decode_event
from punto.store.snapshot import decode_state
from punto.store.stored import StoredTable
from punto.table.event import BetPlaced, Event, TableClosed, TableOpened
from punto.table.state import State

BROKEN = (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What a fold can raise on an event that cannot have happened."""


class Replay:
    """A table on its way through its records."""

    def __init__(self, table: StoredTable, snapshots: dict[int, bytes], findings: Findings) -> None:
        self.table, self._snapshots, self._findings = table, snapshots, findings
        self._state = State()
        self._float = 0
        self._float_name = float_account(table.id)
        self.is_broken = False
        """A record cannot have happened: nothing can be said of what follows from it and those after it."""

    def take(self, link: Link) -> tuple[Event, tuple[Movement, ...]] | None:
        """Take the next record: its event, and what it moved; None if it cannot be replayed."""
        if self.is_broken:
            return None
        seq, v, _, body = link
        try:
            event = decode_event(body, v)
            moved = () if self.table.imported else self._moved(event)
            self._state = event.fold(self._state)
        except (StoreError, *BROKEN):
            self.is_broken = True
            self._findings.add(self.table.id, seq, "the record cannot be replayed: it was changed")
            return None
        if seq == 1:
            self._check_opening(event)
        if seq in self._snapshots:
            self._check_snapshot(seq)
        return event, moved

    def _moved(self, event: Event) -> tuple[Movement, ...]:
        balance = self._float if type(event) is TableClosed else 0
        moved = movements_of(self.table.id, self._state, event, float_balance=balance)
        for movement in moved if type(event) is not BetPlaced else ():  # most events, and none pays
            for posting in movement.postings:
                if posting.account == self._float_name:
                    self._float += posting.amount
        return moved

    def _check_opening(self, event: Event) -> None:
        table, add = self.table, self._findings.add
        if not isinstance(event, TableOpened):
            add(table.id, 1, "the first record does not open the table")
            return
        if event.digest != table.digest:
            add(table.id, 1, "the table was opened by another book than its row names")
        if not table.imported and event.time != table.created_ms:
            add(table.id, None, "the table was opened at another time than its row says")

    def _check_snapshot(self, seq: int) -> None:
        try:
            is_same = decode_state(self._snapshots[seq]) == self._state
        except (msgspec.MsgspecError, *BROKEN):
            is_same = False
        if not is_same:
            self._findings.add(self.table.id, seq, "the snapshot is not the state that the records lead to")


def movement_row(seq: int, event: Event, m: Movement, second: str | None) -> MovementRow:
    """A movement as it is stored."""
    told = (m.kind.value, m.round, m.box, m.area, m.player, m.clause, m.reason or None, event.by, second)
    first, other, *more = m.postings
    if not more:
        return (seq, event.time, *told, first.account, first.amount, other.account, other.amount, None, None)
    [third] = more
    lines = (first.account, first.amount, other.account, other.amount, third.account, third.amount)
    return (seq, event.time, *told, *lines)
