"""What the house itself did, as one chain: accounts, passwords, roles, approvals, seeds, how tables are run.

None of this follows from the events of a table, and all of it decides who may do what with whose money. So
each act is written down in the same transaction as the rows it is about: who did it, what was there before
and what is there after it. Verification folds the chain and compares it with the rows.

The hash of an act is the SHA-256 of the hash before it, as 32 bytes, followed by its line of JSON exactly as
it is stored. This too is for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from hashlib import sha256
from typing import Any

import msgspec

from punto.store.chain.cashier import hold_chain, keep_chain
from punto.store.chain.link import HOUSE, HOUSE_FIRST, next_hash
from punto.store.connection import Connection


class HouseCode(Enum):
    """What was done."""

    FOUND = "found"
    """It was there before the house had a chain; nobody vouches for how it came to be."""
    TABLE_OPENED = "table-opened"
    TABLE_IMPORTED = "table-imported"
    ACCOUNT_OPENED = "account-opened"
    PASSWORD_SET = "password-set"
    PERSON_ERASED = "person-erased"
    ROLES_CHANGED = "roles-changed"
    APPROVAL_ASKED = "approval-asked"
    APPROVAL_DECIDED = "approval-decided"
    APPROVAL_EXPIRED = "approval-expired"
    APPROVAL_FINISHED = "approval-finished"
    SHOE_SEALED = "shoe-sealed"
    RUN_CHANGED = "run-changed"


class Subject(Enum):
    """What an act is about; its name stands after it, as in `roles/Lee`."""

    TABLE = "table"
    ACCOUNT = "account"
    PASSWORD = "password"
    ROLES = "roles"
    APPROVAL = "approval"
    SEED = "seed"
    RUN = "run"

    def of(self, name: str) -> str:
        """The subject of this kind with this name."""
        return f"{self.value}/{name}"


class HouseEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One act of the house."""

    seq: int = 0
    """Its place in the chain, from 1; given when it is written."""
    time: int
    """Milliseconds."""
    code: str
    subject: str
    """What it is about: a kind, a slash and a name."""
    who: str | None
    """None where nobody knows any more."""
    second: str | None = None
    """Who agreed."""
    before: dict[str, Any] | None = None
    """What was there; of a change only what changed."""
    after: dict[str, Any] | None = None
    """What is there now, as far as it changed; None where nothing is any more."""
    reason: str | None = None


_encode = msgspec.json.Encoder().encode
_COLUMNS = ("seq", "body", "hash")
FOUND_REASON = "it was there before the house had a chain"


def write_house_events(connection: Connection, events: Sequence[HouseEvent]) -> None:
    """Carry the chain on; it is held until the transaction ends, so this comes last in it."""
    number, head = hold_chain(connection, HOUSE, HOUSE_FIRST)
    *rows, last = linked(events, number, head)
    connection.insert("house_events", _COLUMNS, [*rows, last])
    keep_chain(connection, HOUSE, last[0], last[2])


def linked(events: Iterable[HouseEvent], number: int, head: bytes) -> Iterable[tuple[int, str, bytes]]:
    """The rows of acts that follow on this place and hash of the chain: seq, body and hash."""
    for seq, event in enumerate(events, start=number + 1):
        body = _encode(msgspec.structs.replace(event, seq=seq)).decode()
        head = next_hash(head, body)
        yield seq, body, head


def log_in_state(hashed: str | None, *, is_drawn: bool) -> dict[str, Any] | None:
    """What is written down of a log-in: the digest of what is kept of its password; None without one."""
    if hashed is None:
        return None
    return {"password": sha256(hashed.encode()).hexdigest(), **({"drawn": True} if is_drawn else {})}


def seed_state(algorithm: str, sealed: bytes) -> dict[str, Any]:
    """What is written down of a sealed seed."""
    return {"algorithm": algorithm, "sealed": sha256(sealed).hexdigest()}


def roles_state(rows: Iterable[tuple[str, str, int]]) -> dict[str, Any] | None:
    """What is written down of somebody's roles, each with who gave it and when; None where there are none."""
    return {role: [by, when] for role, by, when in sorted(rows, key=str)} or None
