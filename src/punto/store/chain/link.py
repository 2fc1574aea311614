"""The chain of hashes over what is stored: each record's hash covers the record and every one before it.

The stream of a table begins with a hash of its id and its book. The hash of a record is the SHA-256 of the
hash before it, as 32 bytes, followed by the record's line of JSON exactly as it is stored. Whoever changes,
removes, adds or moves a record has to compute every later hash again, and an anchor that is kept elsewhere
shows that. What the cashier moves belongs to no table and has a chain of its own.

The commands of a table are a second chain of it, refused ones too, and those of the cashier's desk a third
kind. What the house itself does, such as giving somebody a role, is in `punto.store.chain.house`.

These definitions are for ever: hashes are stored, printed and signed.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

HASH_BYTES = 32
CASHIER, DESK, HOUSE = "cashier", "desk", "house"
"""The chains in the table `chains`: the cashier's movements, the commands of the desk, what the house did."""

_encoder = msgspec.json.Encoder()


def first_hash(table: str, digest: str) -> bytes:
    """What the chain of a table begins with."""
    return sha256(f"punto/1/{table}/{digest}".encode()).digest()


def next_hash(previous: bytes, line: str) -> bytes:
    """The hash of a record from the hash before it and its line of JSON."""
    return sha256(previous + line.encode()).digest()


CASHIER_FIRST = sha256(b"punto/1/cashier").digest()
"""What the chain of the cashier begins with."""
DESK_FIRST = sha256(b"punto/1/desk").digest()
"""What the chain of the commands begins with that were given to the cashier's desk."""
HOUSE_FIRST = sha256(b"punto/1/house").digest()
"""What the chain of the house begins with."""


def first_command_hash(table: str) -> bytes:
    """What the chain of the commands of a table begins with."""
    return sha256(f"punto/1/{table}/commands".encode()).digest()


def command_line(row: Sequence[Any]) -> str:
    """A command as one line of JSON: an array of its columns.

    They are id, table, version, first and last event, actor, key, body, refusal, answer and expected version.
    """
    return _encoder.encode(row).decode()


def movement_line(
    number: int, row: Sequence[Any], postings: Sequence[tuple[str, int]], key: str | None = None
) -> str:
    """A movement of the cashier as one line of JSON.

    `number` is its place in the chain; `row` is its id, time, kind, player, clause, reason, actor and second.
    The key that it was asked for under is named where there is one.
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
    if key is not None:
        document["key"] = key
    return _encoder.encode(document).decode()
