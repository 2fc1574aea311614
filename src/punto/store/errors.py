"""What can go wrong with a database: one exception per kind, each with one sentence for people.

A refusal is an answer of the table or the ledger. These are not: the store could not be reached, opened,
read or written. Whatever was in hand is undone, unless the error says that nobody can know.
"""

from __future__ import annotations


class StoreError(Exception):
    """The database could not do what was asked; the message is a sentence for people."""


class BadAddress(StoreError):
    """The address of a database is not one."""


class NoDatabase(StoreError):
    """There is nothing at the address."""


class NoServer(StoreError):
    """The PostgreSQL server does not answer, or does not let us in."""


class NotOurs(StoreError):
    """What is at the address is not a database of Punto."""


class SchemaUnknown(StoreError):
    """The database was written by a version of Punto that this one does not know."""


class StoreLocked(StoreError):
    """Another program holds the database; the same thing can be tried again."""


class StoreInUse(StoreError):
    """A server has the file of the database in use, and nobody else may write to it."""


class StoreReadOnly(StoreError):
    """The database may only be read."""


class DiskFull(StoreError):
    """There is no room left for what was to be written. Nothing of it was kept."""


class StoreBroken(StoreError):
    """Reading or writing failed, or the content is damaged."""


class ContentBroken(StoreBroken):
    """Something that is stored makes no sense; trying again does not help, and the rest may be in order."""


class CommitUnknown(StoreError):
    """The connection was lost while a transaction was being committed: it may have been kept or not.

    Send the command again with the same key: it is then carried out once.
    """


class VersionConflict(StoreError):
    """Events were to be appended to another version of the table than it has."""

    def __init__(self, table: str, expected: int, version: int) -> None:
        super().__init__(f"table {table} is at version {version}, not {expected}")
        self.table, self.expected, self.version = table, expected, version


class LedgerBroken(StoreError):
    """A posting would take an account below zero that may never be there; nothing of it was kept."""


class NotUnique(StoreError):
    """Something with that name, number or key is already there."""


class LastAdministrator(StoreError):
    """Nobody could administer the house any more; nothing of it was kept."""

    def __init__(self, person: str) -> None:
        super().__init__(f"{person} is the last administrator: name another one first")
        self.person = person


class NotEmpty(StoreError):
    """Something would be written over."""


class KeyTrouble(StoreError):
    """The key that seals the seeds of shuffled shoes is missing, damaged or another one."""
