"""One change to a database by somebody who owns it: what was done, and what chance decides about it."""

from __future__ import annotations

import random
from typing import NamedTuple

from punto.store.connection import Connection

Chance = random.Random

CASHIER = ""
"""The chain of the cashier, among those of tables."""


class Tampering(NamedTuple):
    """What was done, and from which record of which chain on everything else was made to fit."""

    what: str
    chain: str | None = None
    fits_from: int | None = None


def some_event(connection: Connection, chance: Chance) -> tuple[str, int]:
    rows = connection.all("SELECT table_id, seq FROM events ORDER BY table_id, seq")
    table, seq = chance.choice(rows)
    return table, seq


def flipped(content: bytes, chance: Chance) -> bytes:
    """The same with one bit flipped."""
    changed = bytearray(content)
    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)
