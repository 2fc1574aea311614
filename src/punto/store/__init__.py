"""The store of a house: event logs, commands, ledger and sealed seeds in one database, SQLite or PostgreSQL.

    with open_store("house.db") as store, store.write() as transaction:
        transaction.append("t1", expected, events)

Names are loaded when they are first asked for, and the drivers with them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from punto.store.connection import Address, parse_address
    from punto.store.errors import StoreError
    from punto.store.reader import Reader
    from punto.store.record import Record, state_hash
    from punto.store.store import GroupCommit, Store, open_store
    from punto.store.transaction import Transaction

__all__ = [
    "Address",
    "GroupCommit",
    "Reader",
    "Record",
    "Store",
    "StoreError",
    "Transaction",
    "open_store",
    "parse_address",
    "state_hash",
]

_HOMES = {
    "Address": "punto.store.connection",
    "GroupCommit": "punto.store.store",
    "Reader": "punto.store.reader",
    "Record": "punto.store.record",
    "Store": "punto.store.store",
    "StoreError": "punto.store.errors",
    "Transaction": "punto.store.transaction",
    "open_store": "punto.store.store",
    "parse_address": "punto.store.connection",
    "state_hash": "punto.store.record",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
