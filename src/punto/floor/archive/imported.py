"""A table from a file: its records are replayed and have to lead to the state that the file names.

The book has to have its digest, and the state its hash. An imported table is for looking at: it has no
postings, and it cannot go on.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from punto.floor.archive.export_file import WrongExport, fold_record, read_header, read_records
from punto.floor.batch import SNAPSHOT_EVERY
from punto.floor.shelf import book_document
from punto.refusal import Reason, Refusal
from punto.store.record import Record
from punto.store.snapshot import state_hash
from punto.store.store import Store
from punto.store.transaction import OPENER, Transaction
from punto.table.state import State


def import_table(store: Store, id: str, lines: Iterable[bytes], now: int, by: str = OPENER) -> int | Refusal:
    """Store a table from the lines of an export; its version, or why it is refused.

    `WrongExport` says what is wrong with the file; nothing is stored then.
    """
    found = iter(lines)
    header, book = read_header(next(found, b""))
    state, version = State(), 0
    with store.write() as transaction:
        if transaction.table(id) is not None:
            return Refusal(Reason.TABLE_EXISTS, None, {"table": id})
        transaction.add_book(header.digest, book.name, book_document(book))
        transaction.add_table(id, header.digest, now, by, imported=True)
        records = (record for record, _ in read_records(header, found))
        for _, same in groupby(records, lambda record: (record.key, record.seq // SNAPSHOT_EVERY)):
            some = list(same)
            for record in some:
                state = fold_record(state, record)
            version = _append(transaction, id, version, some)
            if version % SNAPSHOT_EVERY == SNAPSHOT_EVERY - 1:
                # So that a round in the middle of a long log is found as quickly as at the table itself.
                transaction.keep_snapshot(id, version, state)
        if version != header.version:
            raise WrongExport(f"the file ends at record {version}, and should have {header.version}")
        if state_hash(state) != header.hash:
            raise WrongExport("its records lead to another state than the one it names: it was changed")
    return version


def _append(transaction: Transaction, id: str, version: int, records: list[Record]) -> int:
    transaction.append(id, version, [record.event for record in records], records[0].key)
    return version + len(records)
