"""The chain of a table computed again up to an event: is what is shown what was stored?

A round is told from its records. Whoever tells it also says whether these records, and all before them, still
come to the hash that was stored with the last one. `punto audit verify` looks at far more than this.
"""

from __future__ import annotations

from dataclasses import dataclass

from punto.store.chain import first_hash, next_hash
from punto.store.reader import Reader
from punto.store.stored import StoredTable


@dataclass(frozen=True, slots=True)
class Chained:
    """What the records of a table come to."""

    version: int
    """The last event that was looked at."""
    hash: str
    """In hexadecimal digits."""
    is_same: bool
    """Whether the stored hash is the same."""


def chained(reader: Reader, table: StoredTable, at: int) -> Chained:
    """Compute the hash of a table's records up to an event, and compare it with the one that is stored."""
    found = first_hash(table.id, table.digest)
    for line in reader.lines(table.id, 0, at):
        found = next_hash(found, line)
    stored = reader.rows("SELECT hash FROM events WHERE table_id = ? AND seq = ?", (table.id, at))
    return Chained(at, found.hex(), [bytes(hash) for (hash,) in stored] == [found])
