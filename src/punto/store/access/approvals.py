"""What waits for a second person: one exact command, for one version of its table, until it expires."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from punto.store.reader import SOME, Reader
from punto.store.stored import NOT_KEPT
from punto.store.transaction import Transaction

_COLUMNS = (
    *("id", "table_id", "actor", "role", "key", "body", "version", "needs", "asked_ms", "expires_ms"),
    *("decision", "decided_by", "decided_ms", "answer", "expected"),
)
_ALL = f"SELECT {', '.join(_COLUMNS)} FROM approvals"


AGREED = "approve"
"""The decision of a second person who agrees."""


class StoredApproval(msgspec.Struct, frozen=True):
    """A command that was given by one person and needs another."""

    id: str
    table: str | None
    """None where it is for the cashier."""
    actor: str
    role: str
    key: str
    body: str
    """The JSON of the command."""
    version: int | None
    """The version of the table that it was decided on."""
    needs: str
    """The rank that the second person has at least."""
    asked_ms: int
    expires_ms: int
    decision: str | None = None
    decided_by: str | None = None
    decided_ms: int | None = None
    answer: str | None = None
    """The JSON of what came of it."""
    expected: int | None = None
    """The version that the command named, if it named one; `NOT_KEPT` where nobody knows."""


class AskedBody(msgspec.Struct, frozen=True):
    """What is asked under a key."""

    text: str
    """The JSON of the command."""
    expected: int | None = None
    """The version of the table that it was decided on, if it names one."""

    def is_of(self, approval: StoredApproval) -> bool:
        """Whether the same was asked then, as far as is known."""
        return self.text == approval.body and approval.expected in (NOT_KEPT, self.expected)


def add_approval(transaction: Transaction, approval: StoredApproval) -> None:
    """Keep what waits; `NotUnique` where the key was used before."""
    transaction.connection.insert("approvals", _COLUMNS, [msgspec.structs.astuple(approval)])


def approval(reader: Reader, id: str) -> StoredApproval | None:
    """What waits or waited, by its id."""
    return _first(reader, f"{_ALL} WHERE id = ?", id)


def approval_of(reader: Reader, actor: str, key: str) -> StoredApproval | None:
    """What was asked under this key of this person."""
    return _first(reader, f"{_ALL} WHERE actor = ? AND key = ?", actor, key)


def lock_keys(transaction: Transaction, keys: Collection[tuple[str, str]]) -> None:
    """Hold these keys, each of a person, until the end: one key, one act, whatever the call.

    A key may be sent for a command and for something that waits at the same moment, and these stand in two
    tables. Whoever asks whether a key was used holds it first, and so waits for whoever is using it.
    """
    if keys:
        transaction.connection.lock_all([f"key/{actor}/{key}" for actor, key in keys])


def approvals_under(
    reader: Reader, keys: Collection[tuple[str, str]]
) -> dict[tuple[str, str], StoredApproval]:
    """What was asked under these keys; those under which nothing waits or waited are left out."""
    found, asked = {}, sorted(set(keys))
    for start in range(0, len(asked), SOME):
        some = asked[start : start + SOME]
        pairs = ", ".join(["(?, ?)"] * len(some))
        values = [value for pair in some for value in pair]
        for row in reader.connection.all(f"{_ALL} WHERE (actor, key) IN (VALUES {pairs})", values):
            one = StoredApproval(*row)
            found[one.actor, one.key] = one
    return found


def waiting_approvals(reader: Reader, now: int) -> list[StoredApproval]:
    """Everything that waits now, oldest first."""
    statement = f"{_ALL} WHERE decision IS NULL AND expires_ms > ? ORDER BY asked_ms, id"
    return [StoredApproval(*row) for row in reader.connection.all(statement, (now,))]


def unfinished_approvals(reader: Reader, decision: str) -> list[StoredApproval]:
    """Everything with this decision of which nobody knows yet what came of it, oldest first."""
    statement = f"{_ALL} WHERE decision = ? AND answer IS NULL ORDER BY asked_ms, id"
    return [StoredApproval(*row) for row in reader.connection.all(statement, (decision,))]


def overdue_approvals(reader: Reader, now: int) -> list[StoredApproval]:
    """Everything that nobody decided in time and that is not marked so, oldest first."""
    statement = f"{_ALL} WHERE decision IS NULL AND expires_ms <= ? ORDER BY asked_ms, id"
    return [StoredApproval(*row) for row in reader.connection.all(statement, (now,))]


def next_expiry(reader: Reader) -> int | None:
    """When the first of those that wait expires."""
    [(end,)] = reader.connection.all("SELECT min(expires_ms) FROM approvals WHERE decision IS NULL")
    return None if end is None else int(end)


def decide_approval(transaction: Transaction, id: str, decision: str, by: str, now: int) -> bool:
    """Take the decision, unless somebody else has taken it or it is too late."""
    statement = (
        "UPDATE approvals SET decision = ?, decided_by = ?, decided_ms = ? "
        "WHERE id = ? AND decision IS NULL AND expires_ms > ?"
    )
    return transaction.connection.run(statement, (decision, by, now, id, now)) == 1


def expire_approval(transaction: Transaction, id: str, decision: str, now: int) -> bool:
    """Mark as over what nobody has decided; whether it was so."""
    statement = "UPDATE approvals SET decision = ?, decided_ms = ? WHERE id = ? AND decision IS NULL"
    return transaction.connection.run(statement, (decision, now, id)) == 1


def keep_answer(transaction: Transaction, id: str, answer: str) -> bool:
    """Keep what came of it, once; whether this was the first time."""
    statement = "UPDATE approvals SET answer = ? WHERE id = ? AND answer IS NULL"
    return transaction.connection.run(statement, (answer, id)) == 1


def _first(reader: Reader, statement: str, *values: str) -> StoredApproval | None:
    return next((StoredApproval(*row) for row in reader.connection.all(statement, values)), None)
