"""Reading an exported table: its first line and its records, believed only where they fit together."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from punto.floor.archive.export import FORMAT, FORMAT_VERSION, ExportHeader
from punto.floor.shelf import read_document
from punto.rules.book import Book
from punto.rules.digest import digest_of
from punto.store.errors import StoreError
from punto.store.record import Record, read_line
from punto.table.event import TableOpened
from punto.table.state import State

LONGEST_LINE = 4 * 1024 * 1024
"""Bytes of a line: the longest is the first, with the whole book."""


class WrongExport(Exception):
    """A file is not the export of a table, or does not fit together; the sentence says where."""


def read_header(line: bytes) -> tuple[ExportHeader, Book]:
    """The first line of an export, and the book in it, which must have its digest."""
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


def read_records(header: ExportHeader, lines: Iterator[bytes]) -> Iterator[tuple[Record, bytes]]:
    """The records of an export with their lines, each in its place."""
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
        yield record, line


def fold_record(state: State, record: Record) -> State:
    """The state after a record of a file; what cannot have happened is not believed."""
    try:
        return record.event.fold(state)
    except (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise WrongExport(f"line {record.seq + 1}: that cannot have happened there") from None
