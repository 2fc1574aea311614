"""What was moved, as one hash for every thousand events of a table.

The movements that events lead to and those that are stored are taken in by the same rule. Where two hashes
differ, and only there, the movements themselves are looked at.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

BLOCK = 1_000
"""Events whose movements share a hash."""

MovementRow = tuple[Any, ...]
"""A movement as it is stored, without number and table.

Seq, time, kind, round, box, area, player, clause, reason, actor, second, then account and amount of each
posting.
"""

_encode = msgspec.msgpack.Encoder().encode


class Digests:
    """Hashes by table and block."""

    def __init__(self) -> None:
        self._rows: dict[str, list[MovementRow]] = {}
        self._blocks: dict[str, int] = {}
        self._done: dict[str, dict[int, bytes]] = {}

    def add(self, table: str, row: MovementRow) -> None:
        """Take in a movement of a table."""
        block = row[0] // BLOCK
        if self._blocks.get(table) != block:
            self._finish(table)
            self._blocks[table], self._rows[table] = block, [row]
        else:
            self._rows[table].append(row)

    def of(self, table: str) -> dict[int, bytes]:
        """The hashes of a table, by block."""
        self._finish(table)
        return self._done.get(table, {})

    def _finish(self, table: str) -> None:
        if rows := self._rows.pop(table, None):
            done, block = self._done.setdefault(table, {}), self._blocks.pop(table)
            done[block] = sha256(done.get(block, b"") + _encode(rows)).digest()


def differing(ours: dict[int, bytes], theirs: dict[int, bytes]) -> list[int]:
    """The blocks of a table whose movements are not the same in both."""
    return sorted(block for block in ours.keys() | theirs.keys() if ours.get(block) != theirs.get(block))
