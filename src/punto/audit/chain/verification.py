"""Verification: is what is stored what was written, as far as an anchor can say?"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from punto.audit.chain.anchor import Anchor
from punto.audit.chain.problem import AuditProblem, Findings
from punto.audit.chain.stream import linked_records
from punto.store.reader import Reader
from punto.store.stored import StoredTable


class Verification(msgspec.Struct, frozen=True):
    """What was looked at, and what was found."""

    ok: bool
    events: int
    """Events that were looked at."""
    anchored: dict[str, int]
    """By table: the event up to which the anchor vouches for it."""
    last: dict[str, int]
    """By table: its last event; what comes after the anchor nobody vouches for."""
    problems: tuple[AuditProblem, ...]


def verify(reader: Reader, tables: Sequence[StoredTable], anchor: Anchor | None = None) -> Verification:
    """Look at these tables, against an anchor if there is one."""
    findings, last, events = Findings(), dict[str, int](), 0
    known = anchor.tables if anchor is not None else {}
    for table in tables:
        last[table.id] = 0
        for seq, *_ in linked_records(reader, table, known.get(table.id), findings):
            events += 1
            last[table.id] = seq
    anchored = {id: chain.seq for id, chain in known.items() if id in last}
    problems = findings.all()
    return Verification(not problems, events, anchored, last, problems)
