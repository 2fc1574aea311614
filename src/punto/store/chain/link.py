"""The chain of hashes over what is stored: each record's hash covers the record and every one before it.

The stream of a table begins with a hash of its id and its book. The hash of a record is the SHA-256 of the
hash before it, as 32 bytes, followed by the record's line of JSON exactly as it is stored. Whoever changes,
removes, adds or moves a record has to compute every later hash again, and an anchor that is kept elsewhere
shows that. What the cashier moves belongs to no table and has a chain of its own.

These definitions are for ever: hashes are stored, printed and signed.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

HASH_BYTES = 32
CASHIER = "cashier"
"""The name of the cashier's chain in the table `chains`."""

_encoder = msgspec.json.Encoder()


def first_hash(table: str, digest: str) -> bytes:
    """What the chain of a table begins with."""
    return sha256(f"punto/1/{table}/{digest}".encode()).digest()


def next_hash(previous: bytes, line: str) -> bytes:
    """The hash of a record from the hash before it and its line of JSON."""
    return sha256(previous + line.encode()).digest()


CASHIER_FIRST = sha256(b"punto/1/cashier").digest()
"""What the chain of the cashier begins with."""


def movement_line(number: int, row: Sequence[Any], postings: Sequence[tuple[str, int]]) -> str:
    """A movement of the cashier as one line of JSON.

    `number` is its place in the chain; `row` is its id, time, kind, player, clause, reason, actor and second.
    """
    id_, time_ms, kind, player, clause, reason, actor, second = row
    document = {
        "number": number,
        "id": id_,
        "time": time_ms,
        "kind": kind,
        "player": player,
        "clause": clause,
        "reason": reason,
        "actor": actor,
        "second": second,
        "postings": postings,
    }
    return _encoder.encode(document).decode()
