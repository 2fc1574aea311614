"""One change to a database by somebody who owns it: what was done, and what chance decides about it."""

from __future__ import annotations

import random
from typing import NamedTuple

from punto.store.connection import Connection

Chance = random.Random

CASHIER, DESK, HOUSE = "", "/desk", "/house"
"""The chains of the cashier's movements, of the desk's commands and of the house, among those of tables."""
ASKED = "/commands/"
"""What stands before the name of a table where the chain of its commands is meant."""


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
