"""Invitations as they are stored: for which role and buy-in, who made them, until when they hold, and what became of
each. Of a code only the SHA-256 is kept. Making, using and withdrawing one are acts of the house.
"""

from __future__ import annotations

from typing import Any

import msgspec

from punto.store.chain import HouseCode, Subject
from punto.store.reader import Reader
from punto.store.transaction import Transaction


class StoredInvitation(msgspec.Struct, frozen=True):
    """A code that lets somebody make their own log-in, once."""

    id: str
    digest: str  # What is kept of its code.
    role: str
    currency: str
    buy_in: int  # Minor units; 0 for none.
    made_by: str
    made_ms: int
    expires_ms: int
    used_by: str | None = None
    used_ms: int | None = None
    withdrawn_by: str | None = None
    withdrawn_ms: int | None = None

    def holds(self, now: int) -> bool:
        """Whether it can still be used."""
        return self.used_by is None and self.withdrawn_by is None and now < self.expires_ms

    @property
    def state(self) -> dict[str, Any]:
        """What is written down of it."""
        document = msgspec.structs.asdict(self)
        del document["id"]
        return document


_COLUMNS = ", ".join(StoredInvitation.__struct_fields__)


def stored_invitations(reader: Reader) -> list[StoredInvitation]:
    """Every invitation there ever was, oldest first."""
    rows = reader.rows(f"SELECT {_COLUMNS} FROM invitations ORDER BY made_ms, id")
    return [StoredInvitation(*row) for row in rows]


def invitation_of(reader: Reader, column: str, value: str) -> StoredInvitation | None:
    """An invitation by its id, or by what is kept of its code."""
    assert column in ("id", "digest")
    rows = reader.rows(f"SELECT {_COLUMNS} FROM invitations WHERE {column} = ?", (value,))
    return next((StoredInvitation(*row) for row in rows), None)


def add_invitations(transaction: Transaction, invitations: list[StoredInvitation]) -> None:
    rows = [msgspec.structs.astuple(each) for each in invitations]
    transaction.connection.insert("invitations", StoredInvitation.__struct_fields__, rows)
    for each in invitations:
        subject = Subject.INVITATION.of(each.id)
        transaction.note(HouseCode.INVITATION_MADE, subject, each.made_by, each.made_ms, after=each.state)


def use_invitation(transaction: Transaction, invitation: StoredInvitation, by: str, now: int) -> bool:
    """Use an invitation; whether nobody was faster, and it was not withdrawn meanwhile."""
    changed = msgspec.structs.replace(invitation, used_by=by, used_ms=now)
    return _end(transaction, changed, HouseCode.INVITATION_USED, by, now)


def withdraw_invitation(transaction: Transaction, invitation: StoredInvitation, by: str, now: int) -> bool:
    changed = msgspec.structs.replace(invitation, withdrawn_by=by, withdrawn_ms=now)
    return _end(transaction, changed, HouseCode.INVITATION_WITHDRAWN, by, now)


def _end(transaction: Transaction, changed: StoredInvitation, code: HouseCode, by: str, now: int) -> bool:
    """End an invitation that still holds; whether it did."""
    ending = "used_by = ?, used_ms = ?, withdrawn_by = ?, withdrawn_ms = ?"
    statement = (
        f"UPDATE invitations SET {ending} WHERE id = ? AND used_by IS NULL AND withdrawn_by IS NULL AND expires_ms > ?"
    )
    values = (changed.used_by, changed.used_ms, changed.withdrawn_by, changed.withdrawn_ms, changed.id, now)
    if transaction.connection.run(statement, values) != 1:
        return False
    transaction.note(code, Subject.INVITATION.of(changed.id), by, now, after=changed.state)
    return True
