"""A table from a file: its records are replayed and have to lead to the state that the file names.

The book has to have its digest, and the state its hash. An imported table is for looking at: it has no
postings, and it cannot go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from punto.floor.export import FORMAT, FORMAT_VERSION, ExportHeader
from punto.floor.shelf import book_document, read_document
from punto.refusal import Reason, Refusal
from punto.rules.book import Book
from punto.rules.digest import digest_of
from punto.store.errors import StoreError
from punto.store.record import Record, read_line
from punto.store.snapshot import state_hash
from punto.store.store import Store
from punto.store.transaction import Transaction
from punto.table.event import TableOpened
from punto.table.state import State

LONGEST_LINE = 4 * 1024 * 1024
"""Bytes of a line: the longest is the first, with the whole book."""


class WrongExport(Exception):
    """A file is not the export of a table, or does not fit together; the sentence says where."""


def import_table(store: Store, id: str, lines: Iterable[bytes], now: int) -> int | Refusal:
    """Store a table from the lines of an export; its version, or why it is refused.

    `WrongExport` says what is wrong with the file; nothing is stored then.
    """
    found = iter(lines)
    header, book = _header(next(found, b""))
    state, version = State(), 0
    with store.write() as transaction:
        if transaction.table(id) is not None:
            return Refusal(Reason.TABLE_EXISTS, None, {"table": id})
        transaction.add_book(header.digest, book.name, book_document(book))
        transaction.add_table(id, header.digest, now, imported=True)
        for key, same in groupby(_records(header, found), lambda record: record.key):
            records = list(same)
            for record in records:
                state = _folded(state, record)
            version = _append(transaction, id, version, records, key)
        if version != header.version:
            raise WrongExport(f"the file ends at record {version}, and should have {header.version}")
        if state_hash(state) != header.hash:
            raise WrongExport("its records lead to another state than the one it names: it was changed")
    return version


def _append(transaction: Transaction, id: str, version: int, records: list[Record], key: str | None) -> int:
    transaction.append(id, version, [record.event for record in records], key)
    return version + len(records)


def _header(line: bytes) -> tuple[ExportHeader, Book]:
    try:
        header = msgspec.json.decode(line, type=ExportHeader)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise WrongExport("line 1 is not the beginning of an exported table") from None
    if (header.format, header.v) != (FORMAT, FORMAT_VERSION):
        raise WrongExport(f"line 1: it is a {header.format} of version {header.v}, not a {FORMAT} of 1")
    try:
        book = read_document(bytes(header.book).decode())
    except StoreError as error:
        raise WrongExport(f"line 1: {error}") from None
    if digest_of(book) != header.digest:
        raise WrongExport("line 1: the book has another digest than the one named: it was changed")
    return header, book


def _records(header: ExportHeader, lines: Iterator[bytes]) -> Iterator[Record]:
    for seq, line in enumerate(lines, start=1):
        try:
            record = read_line(line)
        except (StoreError, RecursionError) as error:
            raise WrongExport(f"line {seq + 1}: {error}") from None
        if (record.table, record.seq) != (header.table, seq):
            raise WrongExport(f"line {seq + 1} is not record {seq} of table {header.table}")
        is_opening = isinstance(record.event, TableOpened)
        if is_opening is not (seq == 1) or (
            isinstance(record.event, TableOpened) and record.event.digest != header.digest
        ):
            raise WrongExport(f"line {seq + 1}: a table is opened once, first, by the book of the file")
        yield record


def _folded(state: State, record: Record) -> State:
    try:
        return record.event.fold(state)
    except (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise WrongExport(f"line {record.seq + 1}: that cannot have happened there") from None
