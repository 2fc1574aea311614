"""Gaming days that were closed, as they are stored: from when to when, who closed them, and what was fixed.

A day that is closed stays so. Each closing is an act of the house, with everything that stands in the row.
"""

from __future__ import annotations

from typing import Any

import msgspec

from punto.store.chain import HouseCode, Subject
from punto.store.reader import Reader
from punto.store.transaction import Transaction


class StoredDay(msgspec.Struct, frozen=True):
    """A gaming day that was closed. Times are milliseconds."""

    day: str  # Such as 2026-11-17.
    from_ms: int
    to_ms: int
    closed_ms: int
    closed_by: str
    figures: str  # JSON: the digest of the figures of each report, and the totals of the floor.
    files: str  # JSON: the SHA-256 of each file that was written, by name.

    @property
    def state(self) -> dict[str, Any]:
        """What is written down of it."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != "day"}


_COLUMNS = StoredDay.__struct_fields__


def stored_days(reader: Reader, start: int | None = None, end: int | None = None) -> list[StoredDay]:
    """The days that are closed, in their order; those that have a part in a span, where one is given."""
    days = [StoredDay(*row) for row in reader.rows(f"SELECT {', '.join(_COLUMNS)} FROM gaming_days ORDER BY from_ms")]
    return [day for day in days if (end is None or day.from_ms < end) and (start is None or day.to_ms > start)]


def add_day(transaction: Transaction, day: StoredDay) -> bool:
    """Close a day; whether no part of it was closed before."""
    transaction.connection.lock("gaming-days")
    if stored_days(transaction, day.from_ms, day.to_ms) or any(
        each.day == day.day for each in stored_days(transaction)
    ):
        return False
    transaction.connection.insert("gaming_days", _COLUMNS, [msgspec.structs.astuple(day)])
    subject = Subject.DAY.of(day.day)
    transaction.note(HouseCode.DAY_CLOSED, subject, day.closed_by, day.closed_ms, after=day.state)
    return True
