"""What is stopped: the whole floor, or the tables of one book; who stopped it, when and why.

Command line and every server process obey the same rows. Each stop and each start is an act of the house.
"""

from __future__ import annotations

from typing import Any

import msgspec

from punto.store.chain import HouseCode, Subject
from punto.store.reader import Reader
from punto.store.transaction import Transaction

WHOLE_FLOOR = "floor"
_BOOK = "book/"


class StoredStop(msgspec.Struct, frozen=True):
    """Play that is stopped."""

    what: str
    stopped_by: str
    stopped_ms: int
    reason: str

    @property
    def state(self) -> dict[str, Any]:
        """What is written down of it."""
        return {"stopped_by": self.stopped_by, "stopped_ms": self.stopped_ms, "reason": self.reason}


def stop_subject(book: str | None) -> str:
    """Under which name a book, or without one the whole floor, is stopped."""
    return WHOLE_FLOOR if book is None else f"{_BOOK}{book}"


def stopped_book(what: str) -> str | None:
    """The book that is stopped under a name; None for the whole floor."""
    return None if what == WHOLE_FLOOR else what.removeprefix(_BOOK)


def stored_stops(reader: Reader) -> list[StoredStop]:
    columns = ", ".join(StoredStop.__struct_fields__)
    return [StoredStop(*row) for row in reader.connection.all(f"SELECT {columns} FROM stops ORDER BY what")]


def add_stop(transaction: Transaction, stop: StoredStop) -> bool:
    """Stop something; whether it was not stopped already."""
    transaction.connection.lock("stops")
    if any(each.what == stop.what for each in stored_stops(transaction)):
        return False
    transaction.connection.insert("stops", StoredStop.__struct_fields__, [msgspec.structs.astuple(stop)])
    what, by, now = Subject.STOP.of(stop.what), stop.stopped_by, stop.stopped_ms
    transaction.note(HouseCode.PLAY_STOPPED, what, by, now, after=stop.state, reason=stop.reason)
    return True


def remove_stop(transaction: Transaction, what: str, by: str, now: int, reason: str = "") -> bool:
    """Let something be played again; whether it was stopped."""
    transaction.connection.lock("stops")
    before = next((each for each in stored_stops(transaction) if each.what == what), None)
    if before is None:
        return False
    transaction.connection.run("DELETE FROM stops WHERE what = ?", (what,))
    subject = Subject.STOP.of(what)
    transaction.note(HouseCode.PLAY_STARTED, subject, by, now, before=before.state, reason=reason or None)
    return True
