"""The chain of one table: every record has the hash that follows from it and from the one before it."""

from __future__ import annotations

from collections.abc import Iterator

from punto.audit.chain.anchor import AnchoredChain
from punto.audit.chain.problem import Findings
from punto.store.chain import first_hash, next_hash
from punto.store.chain.rows import link_rows
from punto.store.reader import Reader
from punto.store.record import record_line
from punto.store.stored import StoredTable

Link = tuple[int, int, str | None, str]
"""A record as it is stored: seq, version of its form, key and body."""


def linked_records(
    reader: Reader, table: StoredTable, anchored: AnchoredChain | None, findings: Findings
) -> Iterator[Link]:
    """The records of a table in order, each looked at before it is given on; problems are written down."""
    id, last = table.id, 0
    head = first_hash(id, table.digest)
    seen: bytes | None = head if anchored is not None and not anchored.seq else None
    for seq, v, key, body, stored in link_rows(reader, id, table.version):
        # SQLite keeps anything in any column.
        is_record = type(seq) is type(v) is int and type(body) is str and (key is None or type(key) is str)
        if not is_record or type(stored) is not bytes:
            place = seq if type(seq) is int else last
            findings.add(id, place, "the record is not of the kind that is stored: it was changed")
            continue
        if seq > last + 1:
            findings.add(id, last + 1, _gap(last + 1, seq - 1))
        elif seq <= last:
            findings.add(id, seq, "the record has a number that no record can have")
        elif next_hash(head, record_line(id, seq, v, key, body)) != stored:
            findings.add(id, seq, "the hash does not follow from the record and the one before it")
        head, last = stored, seq
        if anchored is not None and seq == anchored.seq:
            seen = stored
        yield seq, v, key, body
    _check_end(table, last, head, findings)
    if anchored is not None:
        _check_anchor(table, anchored, last, seen, findings)


def _gap(first: int, last: int) -> str:
    return "the record is missing" if first == last else f"the records from this one to {last:,} are missing"


def _check_end(table: StoredTable, last: int, head: bytes, findings: Findings) -> None:
    if last != table.version:
        sentence = f"the last record is {last:,}, and the table is at version {table.version:,}"
        findings.add(table.id, last, sentence)
    elif head != table.head:
        findings.add(table.id, last, "the hash of the last record is not the one that the table ends with")


def _check_anchor(
    table: StoredTable, anchored: AnchoredChain, last: int, seen: bytes | None, findings: Findings
) -> None:
    if last < anchored.seq:
        sentence = f"the anchor has record {anchored.seq:,}, and the last one here is {last:,}"
        findings.add(table.id, last, f"{sentence}: the end was cut off")
    elif seen is None or seen.hex() != anchored.hash:
        sentence = f"record {anchored.seq:,} has another hash than in the anchor"
        findings.add(table.id, anchored.seq, f"{sentence}: it, or one before it, was written again")
    if table.imported != anchored.imported:
        was = "imported" if anchored.imported else "not imported"
        findings.add(table.id, None, f"in the anchor the table was {was}")
