"""Rounds that players dispute: who may, how long, how many; and what the house answers.

A dispute comes to the pit with the round that it is about, and a pit manager or above answers it in words. Both stay
for ever. It changes nothing at the table: what is to be put right is put right by the acts that the book has for it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

from punto.audit.round_history import RoundPlace, place_of
from punto.floor.house_rules import house_rules
from punto.floor.job import ROW_BYTES, WaitToKeep
from punto.floor.pit import rank_needed, refuse_keeping
from punto.ledger.movement import MovementKind
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store import dispute as stored
from punto.store.reader import Reader
from punto.store.record import Dispute, StoredTable
from punto.store.store import Store
from punto.store.transaction import Transaction

MOST_OPEN = 10  # Disputes of one player that nobody has answered.
MOST_SHOWN = 50  # Open disputes that a stream of the pit begins with.
DAY_MS = 86_400_000
ANSWERERS = (Role.PIT_MANAGER, Role.SHIFT_MANAGER)


class Disputes:
    """Keeps what players dispute, and what is answered."""

    def __init__(self, store: Store, clock: Callable[[], int], wait_to_keep: WaitToKeep | None = None) -> None:
        self._store, self._clock, self._wait_to_keep = store, clock, wait_to_keep

    def raise_dispute(self, table: str, round: int, player: str, text: str) -> Dispute | Refusal | None:
        """Dispute a round in which one had a bet; None where there is no such round."""
        now, said = self._clock(), text.strip()
        dispute = Dispute(secrets.token_hex(9), table, round, player, said, now, None, None, None)
        with self._store.write() as transaction:
            found = transaction.table(table)
            place = place_of(transaction, found, round) if found is not None else None
            if found is None or place is None:
                return None
            if refusal := _refuse(transaction, found, place, dispute):
                return refusal
            if refusal := refuse_keeping(self._wait_to_keep, player, len(said.encode()) + ROW_BYTES):
                return refusal
            is_first = stored.add_dispute(transaction, dispute)
        return dispute if is_first else Refusal(Reason.ALREADY_DISPUTED, None, {"round": f"{table}/{round}"})

    def answer(self, dispute: Dispute, answer: str, name: str, roles: Iterable[Role]) -> Dispute | Refusal:
        """Answer in words, once; nobody answers their own."""
        if not set(ANSWERERS) & set(roles):
            return rank_needed(Role.PIT_MANAGER.value)
        if dispute.player == name:
            return Refusal(Reason.OWN_DISPUTE, None)
        with self._store.write() as transaction:
            is_first = stored.answer_dispute(transaction, dispute.dispute, answer.strip(), name, self._clock())
            answered = stored.dispute_by_id(transaction, dispute.dispute)
        assert answered is not None, "disputes are never removed"
        return answered if is_first else Refusal(Reason.DISPUTE_OVER, None, {"person": answered.answered_by or ""})

    def find(self, id: str) -> Dispute | None:
        with self._store.read() as reader:
            return stored.dispute_by_id(reader, id)

    def open(self) -> list[Dispute]:
        """What nobody has answered, the oldest first."""
        with self._store.read() as reader:
            return stored.open_disputes(reader, MOST_SHOWN)


def _refuse(transaction: Transaction, table: StoredTable, place: RoundPlace, dispute: Dispute) -> Refusal | None:
    """Why a round cannot be disputed by this player now."""
    name, player = f"{dispute.table}/{dispute.round}", dispute.player
    if not _had_bet(transaction, table, place, player):
        return Refusal(Reason.NO_BET_THERE, None, {"round": name})
    days = house_rules(transaction).dispute_days
    [last] = transaction.records(table.id, place.last - 1, 1)
    if dispute.raised - last.event.time > days * DAY_MS or not days:
        return Refusal(Reason.DISPUTE_LATE, None, {"days": days})
    before = stored.disputes_of(transaction, player)
    if any((one.table, one.round) == (dispute.table, dispute.round) for one in before):
        return Refusal(Reason.ALREADY_DISPUTED, None, {"round": name})
    if sum(one.answer is None for one in before) >= MOST_OPEN:
        return Refusal(Reason.TOO_MANY_DISPUTES, None, {"count": MOST_OPEN})
    return None


def _had_bet(reader: Reader, table: StoredTable, place: RoundPlace, player: str) -> bool:
    """Whether a player staked something in a round."""
    first, last = reader.records(table.id, place.first - 1, 1), reader.records(table.id, place.last - 1, 1)
    times = sorted((first[0].event.time, last[0].event.time))
    rows = reader.rows(
        "SELECT 1 FROM movements WHERE table_id = ? AND time_ms >= ? AND time_ms <= ? AND round = ? AND player = ? "
        "AND kind = ? LIMIT 1",
        (table.id, times[0], times[1], place.round, player, MovementKind.BET.value),
    )
    return bool(rows)
