"""Tables that are looked at in several processes at once: each has its own connection to the database."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

from punto.audit.chain.anchor import AnchoredChain
from punto.audit.chain.table_check import TableCheck, check_table
from punto.audit.chain.verification import Begin
from punto.store.address import Address
from punto.store.store import Store, open_store
from punto.store.stored import StoredTable


@contextmanager
def several(address: Address, workers: int) -> Iterator[Begin]:
    """A way to look at tables in this many processes, for as long as it is needed."""
    # A fresh interpreter for each: nothing of ours, no thread and no connection, is shared by accident.
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_open, initargs=(address,)
    )

    def begin(table: StoredTable, anchored: AnchoredChain | None) -> Callable[[], TableCheck]:
        return pool.submit(_check, table, anchored).result

    try:
        yield begin
    finally:
        pool.shutdown(cancel_futures=True)


_store: list[Store] = []
"""The store of a worker process."""


def _open(address: Address) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us is told, and ends us
    _store.append(open_store(address, create=False))


def _check(table: StoredTable, anchored: AnchoredChain | None) -> TableCheck:
    with _store[0].read() as reader:
        return check_table(reader, table, anchored)
