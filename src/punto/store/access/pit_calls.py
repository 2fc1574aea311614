"""Calls for somebody from the pit to come to a table: a note beside the table, and no event of it.

A table has at most one call that is open. It ends when somebody says that they are coming, or clears it.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.store.connection import placeholders
from punto.store.reader import Reader
from punto.store.transaction import Transaction


class PitAnswer(Enum):
    """How a call ended."""

    COMING = "coming"
    CLEARED = "cleared"


class StoredPitCall(msgspec.Struct, frozen=True):
    """A call, open or answered."""

    id: str
    table: str
    caller: str
    role: str
    reason: str | None
    called_ms: int
    answer: str | None = None
    answered_by: str | None = None
    answered_ms: int | None = None


_COLUMNS = (
    *("id", "table_id", "caller", "role", "reason", "called_ms", "answer", "answered_by", "answered_ms"),
)
_ALL = f"SELECT {', '.join(_COLUMNS)} FROM pit_calls"


def add_pit_call(transaction: Transaction, call: StoredPitCall) -> StoredPitCall:
    """Keep a call; where one of the table is open already, it is that one which is answered."""
    statement = (
        f"INSERT INTO pit_calls ({', '.join(_COLUMNS)}) VALUES ({placeholders(len(_COLUMNS))}) "
        "ON CONFLICT DO NOTHING"
    )
    while transaction.connection.run(statement, msgspec.structs.astuple(call)) == 0:
        is_open = _found(transaction, f"{_ALL} WHERE table_id = ? AND answer IS NULL", call.table)
        if is_open:
            return is_open[0]
    return call


def pit_call(reader: Reader, id: str) -> StoredPitCall | None:
    """A call by its id."""
    return next(iter(_found(reader, f"{_ALL} WHERE id = ?", id)), None)


def live_pit_calls(reader: Reader, since: int) -> list[StoredPitCall]:
    """Every call that is open, and those that somebody said after `since` to be coming to; oldest first."""
    waiting = _found(reader, f"{_ALL} WHERE answer IS NULL")
    coming = _found(reader, f"{_ALL} WHERE answered_ms > ? AND answer = ?", since, PitAnswer.COMING.value)
    return sorted((*waiting, *coming), key=lambda call: (call.called_ms, call.id))


def answer_pit_call(transaction: Transaction, id: str, answer: PitAnswer, by: str, now: int) -> bool:
    """Answer a call, unless somebody else has."""
    statement = (
        "UPDATE pit_calls SET answer = ?, answered_by = ?, answered_ms = ? WHERE id = ? AND answer IS NULL"
    )
    return transaction.connection.run(statement, (answer.value, by, now, id)) == 1


def _found(reader: Reader, statement: str, *values: str | int) -> list[StoredPitCall]:
    return [StoredPitCall(*row) for row in reader.connection.all(statement, values)]
