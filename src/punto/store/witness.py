"""What a database says of itself, in marks, and what is known of it outside: its witness.

Whoever puts a database back to an earlier time takes everything with it that could tell; only what stands
elsewhere knows that cards were dealt since. The witness is a number of events for each database, written
after each commit into a file beside the key of the seeds. It is not forced to the disk: after a loss of power
it may be behind, never ahead.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from punto.store.errors import KeyTrouble
from punto.store.reader import Reader
from punto.store.transaction import Transaction

if TYPE_CHECKING:
    from punto.store.seal import Seal

DEMONSTRATION = "demonstration"
"""Made by `punto serve` to be tried; its value names the log-ins that were drawn for it."""
_USED_TABLES = ("tables", "books", "accounts", "commands", "movements")
"""Where something is kept as soon as a database is used for anything."""


def mark_of(reader: Reader, name: str) -> str | None:
    """The value of a mark; None where the database does not have it."""
    rows = reader.rows("SELECT value FROM marks WHERE name = ?", (name,))
    return next((str(value) for (value,) in rows), None)


def set_mark(transaction: Transaction, name: str, value: str) -> None:
    transaction.connection.put("marks", ["name"], {"name": name, "value": value})


def remove_mark(transaction: Transaction, name: str) -> None:
    transaction.connection.run("DELETE FROM marks WHERE name = ?", (name,))


def is_database_empty(reader: Reader) -> bool:
    return not any(reader.rows(f"SELECT 1 FROM {table} LIMIT 1") for table in _USED_TABLES)


KEY = "key"  # The mark by which servers know that they have the same key: what the key is known by.
LOST_KEY = "PUNTO_LOST_KEY"  # What names, in the environment, a key that is lost for good.


def check_key(transaction: Transaction, seal: Seal) -> None:
    """Know the house by its key; `KeyTrouble` for a server that has another one.

    While one key replaces another, a server has both: whichever of them the house is known by, it is known by the
    one that seals from then on.
    """
    transaction.connection.lock("house-key")
    known, [first, *others] = mark_of(transaction, KEY), seal.key_ids()
    if known is not None and known not in (first, *others) and known != os.environ.get(LOST_KEY):
        raise KeyTrouble(
            f"the seeds of this house are sealed with another key ({known}) than this server has ({first}); give every "
            f"server the same PUNTO_KEY, or, where that key is lost for good, start once with {LOST_KEY}={known}"
        )
    if known != first:
        set_mark(transaction, KEY, first)


RESTORED = "restored"  # The mark of a database that was read from a backup: the shoes in it may be known.
IDENTITY = "identity"  # The mark by which a witness knows a database; copies of it have the same.
WRITTEN = "written"  # The mark that a server writes to know that it can write: which run of it, and when.
_WITNESS_WIDTH = 20  # Digits of the number, so that one write replaces another.


class Witness:
    """What is known outside of one database."""

    def __init__(self, folder: Path | None) -> None:
        """Kept in a folder; without one nothing is kept, and nothing noticed but a mark."""
        self._folder = folder
        self._file: int | None = None
        self._events = 0

    def is_put_back(self, reader: Reader) -> bool:
        """Whether a database says, or the witness knows, that it was at a later time already."""
        if mark_of(reader, RESTORED) is not None:
            return True
        identity = mark_of(reader, IDENTITY)
        if identity is None or self._folder is None:
            return False
        try:
            known = int((self._folder / identity).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return False
        return known > events_in(reader)

    def put_right(self, transaction: Transaction) -> None:
        """Nothing that may be known is in play any more: the database is another one from here on."""
        remove_mark(transaction, RESTORED)
        set_mark(transaction, IDENTITY, secrets.token_hex(16))
        self.close()

    def begin(self, transaction: Transaction, events: int) -> None:
        """Know the database by its mark from here on, and the number of its events."""
        identity = mark_of(transaction, IDENTITY)
        if identity is None:
            identity = secrets.token_hex(16)
            set_mark(transaction, IDENTITY, identity)
        self._events = events
        self.close()
        if self._folder is not None and self._folder.parent.is_dir():
            with suppress(OSError):  # a folder that cannot be written to has no witness
                self._folder.mkdir(mode=0o700, exist_ok=True)
                self._file = os.open(self._folder / identity, os.O_WRONLY | os.O_CREAT, 0o600)

    def note(self, events: int) -> None:
        """Count events that were kept."""
        self._events += events
        if self._file is not None and events:
            with suppress(OSError):
                os.pwrite(self._file, f"{self._events:0{_WITNESS_WIDTH}}".encode(), 0)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def events_in(reader: Reader) -> int:
    [(count,)] = reader.rows("SELECT COALESCE(SUM(version), 0) FROM tables", ())
    return int(count)
