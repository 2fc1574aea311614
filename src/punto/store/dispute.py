"""Rounds that players dispute, as they are stored: what the player says, and what the house answers.

Raising one and answering it are acts of the house, so neither can be changed or removed unseen. A player disputes a
round once.
"""

from __future__ import annotations

from typing import Any

import msgspec

from punto.store.chain import HouseCode, Subject
from punto.store.connection import inserting
from punto.store.reader import AFTER_ALL, Reader
from punto.store.record import Dispute
from punto.store.transaction import Transaction

_COLUMNS = ("id", "table_id", "round", "player", "text", "raised_ms", "answer", "answered_by", "answered_ms")
_ANSWER = ("answer", "answered_by", "answered")


def dispute_state(dispute: Dispute) -> dict[str, Any]:
    """What is written down of a dispute in the chain of the house."""
    fields = msgspec.structs.asdict(dispute)
    return {name: value for name, value in fields.items() if name != "dispute" and value is not None}


def add_dispute(transaction: Transaction, dispute: Dispute) -> bool:
    """Keep a dispute; False where the player has disputed the round before."""
    statement = f"{inserting('disputes', _COLUMNS)} ON CONFLICT DO NOTHING"
    if transaction.connection.run(statement, msgspec.structs.astuple(dispute)) != 1:
        return False
    subject = Subject.DISPUTE.of(dispute.dispute)
    place = {"table": dispute.table, "round": dispute.round}
    transaction.note(
        HouseCode.DISPUTE_RAISED, subject, dispute.player, dispute.raised, after=dispute_state(dispute), **place
    )
    return True


def answer_dispute(transaction: Transaction, id: str, answer: str, by: str, now: int) -> bool:
    """Answer a dispute, once; whether this was the first answer."""
    statement = "UPDATE disputes SET answer = ?, answered_by = ?, answered_ms = ? WHERE id = ? AND answer IS NULL"
    if transaction.connection.run(statement, (answer, by, now, id)) != 1:
        return False
    dispute = dispute_by_id(transaction, id)
    assert dispute is not None
    after = {name: getattr(dispute, name) for name in _ANSWER}
    place = {"table": dispute.table, "round": dispute.round}
    transaction.note(HouseCode.DISPUTE_ANSWERED, Subject.DISPUTE.of(id), by, now, after=after, **place)
    return True


def dispute_by_id(reader: Reader, id: str) -> Dispute | None:
    return next(iter(_disputes(reader, "id = ?", id)), None)


def round_disputes(reader: Reader, table: str, round: int) -> list[Dispute]:
    return _disputes(reader, "table_id = ? AND round = ? ORDER BY raised_ms, id", table, round)


def disputes_of(reader: Reader, player: str) -> list[Dispute]:
    """Everything that a player has disputed, the latest first."""
    return _disputes(reader, "player = ? ORDER BY raised_ms DESC, id", player)


def open_disputes(reader: Reader, limit: int) -> list[Dispute]:
    """What nobody has answered, the oldest first."""
    return _disputes(reader, "answer IS NULL ORDER BY raised_ms, id LIMIT ?", limit)


def all_disputes(reader: Reader, before: int | None = None, limit: int = AFTER_ALL) -> list[Dispute]:
    """Every dispute that was raised before a time, the latest first."""
    return _disputes(
        reader, "raised_ms < ? ORDER BY raised_ms DESC, id LIMIT ?", AFTER_ALL if before is None else before, limit
    )


def _disputes(reader: Reader, wanted: str, *values: str | int) -> list[Dispute]:
    rows = reader.connection.all(f"SELECT {', '.join(_COLUMNS)} FROM disputes WHERE {wanted}", values)
    return [Dispute(*row) for row in rows]
