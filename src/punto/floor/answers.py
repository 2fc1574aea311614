"""What the floor answers about tables, money and approvals: one struct per noun, the same over HTTP, in `--json`,
for the client and for the pages. Members, statement lines and pit calls are rows of the store, and stand in its
`record`.

Amounts are minor units, times milliseconds. Nothing here reads or writes, so that a client can load it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from punto.refusal import RefusalText
from punto.rules.authority import Role
from punto.store.record import StatementLine
from punto.table.state import Phase


class Account(msgspec.Struct, frozen=True):
    """What somebody is and has."""

    account: str
    display: str | None
    roles: tuple[Role, ...]
    currency: str
    free: int  # May be bet or cashed out.
    held: dict[str, int]  # By table: what a settlement paid, until the next call there.
    opened_ms: int
    contact: str | msgspec.UnsetType | None = msgspec.UNSET  # Only at the command line of the house.


class AccountStatement(msgspec.Struct, frozen=True):
    """Movements of an account, oldest first unless the latest were asked for."""

    account: str
    currency: str
    lines: tuple[StatementLine, ...]
    last: int  # The `id` of the last line here, for `after`.


class OpenedTable(msgspec.Struct, frozen=True):
    """A table that was opened."""

    table: str
    version: int
    digest: str  # Of its book.


class TableSummary(OpenedTable, frozen=True):
    """A table in a line: what `punto table list` has of it, and every answer about a table."""

    book: str
    phase: Phase
    round: int
    paused: bool
    imported: bool  # It came from a file, and cannot go on.
    created_ms: int


class Moved(msgspec.Struct, frozen=True):
    """What the cashier did."""

    account: str
    kind: str
    amount: int
    free: int  # What is free after it.


class Waiting(msgspec.Struct, frozen=True):
    """A command that waits for a second person."""

    approval: str
    needs: Role  # The rank that the second person has at least.
    expires: int


class Approval(Waiting, frozen=True, kw_only=True):
    """Something that waits, or waited, for a second person, as one of the people concerned sees it."""

    table: str | None
    actor: str
    role: Role
    command: dict[str, Any]  # The exact command.
    version: int | None  # The version of the table that it was decided on.
    asked: int
    yours: bool  # Whether you may decide it.
    decision: str | None = None
    """None while it waits, and until it is known what came of it; `approve`, `decline`, `refused` if it was
    agreed to and could not be carried out, or `expired`.
    """
    decided_by: str | None = None
    done: int | None = None  # The version of the table after it was carried out.
    refusal: RefusalText | None = None  # Why it could not be carried out.
