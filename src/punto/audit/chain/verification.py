"""Verification: is what is stored what was written, as far as an anchor can say?

Every record is linked to the one before it, and everything beside the records is found again from them:
states, movements, postings, balances. Movements are compared by one hash for every thousand events, so that a
table with a million events needs little memory; only where two hashes differ are they looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from punto.audit.chain.anchor import Anchor, AnchoredChain
from punto.audit.chain.books import check_books
from punto.audit.chain.commands import check_desk
from punto.audit.chain.digests import BLOCK, MovementRow, differing
from punto.audit.chain.house import check_house
from punto.audit.chain.ledger import StoredLedger
from punto.audit.chain.problem import AuditProblem, Findings
from punto.audit.chain.table_check import TableCheck, check_table, events_moved
from punto.store.chain.rows import beyond, movement_rows, strays
from punto.store.errors import StoreBroken
from punto.store.reader import Reader
from punto.store.stored import StoredTable

Begin = Callable[[StoredTable, AnchoredChain | None], Callable[[], TableCheck]]
"""Begins to look at a table somewhere; what it gives waits for the end."""


class Verification(msgspec.Struct, frozen=True):
    """What was looked at, and what was found."""

    ok: bool
    events: int
    """Events that were looked at."""
    anchored: dict[str, int]
    """By table: the event up to which the anchor vouches for it."""
    last: dict[str, int]
    """By table: its last event; what comes after the anchor nobody vouches for."""
    cashier: dict[str, int | None]
    """The same for the cashier's movements: `anchored` and `last`; empty where one table was looked at."""
    problems: tuple[AuditProblem, ...]
    house: dict[str, int | None] = {}
    """The same for what the house itself did."""


def verify(
    reader: Reader,
    table: StoredTable | None = None,
    anchor: Anchor | None = None,
    begin: Begin | None = None,
) -> Verification:
    """Look at everything, or at one table, against an anchor if there is one.

    Tables are looked at one after the other, or wherever `begin` has them looked at.
    """
    findings, checks = Findings(), dict[str, TableCheck]()
    known = anchor.tables if anchor is not None else {}
    tables = [table] if table is not None else []
    if table is None:
        with _readable(findings, None, "the tables"):
            tables = reader.tables()
    begun = [begin(each, known.get(each.id)) for each in tables] if begin is not None else []
    ledger = StoredLedger(findings, anchor.cashier if anchor is not None else None)
    with _readable(findings, None, "the movements"):
        ledger.read(reader, table.id if table is not None else None)
    for place, each in enumerate(tables):
        check = TableCheck(0, 0, {}, (), 0)
        with _readable(findings, each.id, "the records"):
            check = begun[place]() if begun else check_table(reader, each, known.get(each.id))
        checks[each.id] = check
        findings.take(each.id, check.problems, check.count)
        if blocks := differing(check.moved, ledger.digests.of(each.id)):
            with _readable(findings, each.id, "the movements"):
                _explain(reader, each, blocks, findings)
    with _readable(findings, None, "the tables"):
        for id, what in beyond(reader, [each.id for each in tables]):
            findings.add(id, None, f"there are {what} after the last version of the table")
        if table is None:
            for id, what in strays(reader):
                findings.add(id, None, f"there are {what} of the table, which is not there")
    with _readable(findings, None, "the books"):
        check_books(reader, tables, findings)
    cashier: dict[str, int | None] = {}
    house: dict[str, int | None] = {}
    if table is None:
        with _readable(findings, None, "the commands of the desk"):
            check_desk(reader, anchor.cashier if anchor is not None else None, findings)
        acts = 0
        with _readable(findings, None, "what the house did"):
            acts = check_house(reader, anchor.house if anchor is not None else None, findings)
        anchored = anchor.house.seq if anchor is not None and anchor.house is not None else None
        house = {"anchored": anchored, "last": acts}
        with _readable(findings, None, "the ledger"):
            ledger.check_cashier(reader)
            ledger.check_balances(reader)
        cashier = {"anchored": anchor.cashier.seq if anchor is not None else None, "last": ledger.cashier}
        for id in sorted(known.keys() - checks.keys()):
            findings.add(id, None, "the table is in the anchor and not in the database: it was removed")
    return Verification(
        ok=not findings.listed,
        events=sum(check.events for check in checks.values()),
        anchored={id: chain.seq for id, chain in known.items() if table is None or id == table.id},
        last={id: check.last for id, check in checks.items()},
        cashier=cashier,
        house=house,
        problems=findings.all(),
    )


@contextmanager
def _readable(findings: Findings, table: str | None, what: str) -> Iterator[None]:
    """What the database itself cannot read, such as text that is not UTF-8, was changed too."""
    try:
        yield
    except StoreBroken as error:
        findings.add(table, None, f"{what} cannot be read: {error}")


def _explain(reader: Reader, table: StoredTable, blocks: Sequence[int], findings: Findings) -> None:
    """Say which events of these blocks have other movements than they lead to."""
    wanted, before = set(blocks), findings.count(table.id)
    stored: dict[int, list[MovementRow]] = {}
    for row in movement_rows(reader, table.id):
        if type(row[2]) is int and row[2] // BLOCK in wanted:
            stored.setdefault(row[2], []).append(row[2:13] + row[14:20])
    for seq, rows in events_moved(reader, table, None, Findings()):
        if seq // BLOCK in wanted:
            found = stored.pop(seq, [])
            if found != rows:
                findings.add(table.id, seq, _difference(found, rows))
    for seq in sorted(stored):
        findings.add(table.id, seq, "money was moved for an event that is not there, or moves nothing")
    if findings.count(table.id) == before:
        findings.add(table.id, None, "the movements are not in the order of the events")


def _difference(found: list[MovementRow], rows: list[MovementRow]) -> str:
    if len(found) != len(rows):
        times = "once" if len(rows) == 1 else f"{len(rows)} times"
        number = f"{len(found)} movement{'' if len(found) == 1 else 's'}"
        return f"the event moves money {times if rows else 'not at all'}; stored: {number}"
    if [row[11:] for row in found] != [row[11:] for row in rows]:
        return "the postings are not those that the event leads to"
    return "the movement is not the one that the event leads to"
