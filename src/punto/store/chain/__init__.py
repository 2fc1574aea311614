"""The chain of hashes over what is stored, as it is computed and written."""

from __future__ import annotations

from punto.store.chain.link import (
    CASHIER,
    CASHIER_FIRST,
    DESK,
    DESK_FIRST,
    HASH_BYTES,
    HOUSE,
    HOUSE_FIRST,
    command_line,
    first_command_hash,
    first_hash,
    movement_line,
    next_hash,
)

__all__ = [
    "CASHIER",
    "CASHIER_FIRST",
    "DESK",
    "DESK_FIRST",
    "HASH_BYTES",
    "HOUSE",
    "HOUSE_FIRST",
    "command_line",
    "first_command_hash",
    "first_hash",
    "movement_line",
    "next_hash",
]
