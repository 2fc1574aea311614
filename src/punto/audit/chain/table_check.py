"""One table, looked at: its chain, its states and commands, and what its events moved.

It can be done in another process, which sees the database at a later moment: only records up to the version
that is asked for are looked at, and those never change.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from punto.audit.chain.anchor import AnchoredChain
from punto.audit.chain.commands import CommandTrail, linked_commands
from punto.audit.chain.digests import Digests, MovementRow
from punto.audit.chain.problem import AuditProblem, Findings
from punto.audit.chain.replay import Replay, movement_row
from punto.audit.chain.stream import linked_records
from punto.store.chain import first_command_hash
from punto.store.chain.rows import command_rows, snapshot_bodies
from punto.store.reader import Reader
from punto.store.stored import StoredTable


class TableCheck(msgspec.Struct, frozen=True):
    """What was found at a table."""

    events: int
    last: int
    """The last event that is there."""
    moved: dict[int, bytes]
    """Hashes of what its events moved, by block."""
    problems: tuple[AuditProblem, ...]
    count: int
    """Problems, with those that are too many to be listed."""


def check_table(reader: Reader, table: StoredTable, anchored: AnchoredChain | None) -> TableCheck:
    """Look at a table up to its version."""
    findings, digests, events, last = Findings(), Digests(), 0, 0
    for seq, rows in events_moved(reader, table, anchored, findings):
        events += 1
        last = seq
        for row in rows:
            digests.add(table.id, row)
    return TableCheck(events, last, digests.of(table.id), findings.listed, findings.count(table.id))


def events_moved(
    reader: Reader, table: StoredTable, anchored: AnchoredChain | None, findings: Findings
) -> Iterator[tuple[int, list[MovementRow]]]:
    """Every event of a table, looked at, with what it moved."""
    replay = Replay(table, snapshot_bodies(reader, table.id), findings)
    first, end = first_command_hash(table.id), (table.asked, table.asked_head)
    asked = linked_commands(command_rows(reader, table.id), table.id, first, end, anchored, findings)
    trail = CommandTrail(table, asked, findings)
    for link in linked_records(reader, table, anchored, findings):
        seq, _, key, _ = link
        taken = replay.take(link)
        trail.follow(seq, key, taken[0].by if taken is not None else None)
        if taken is None:
            yield seq, []
            continue
        event, moved = taken
        yield seq, [movement_row(seq, event, movement, trail.second) for movement in moved]
    trail.end()
