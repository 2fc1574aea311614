"""What stands in the rows of a database, as frozen values."""

from __future__ import annotations

import msgspec

from punto.table.state import State


class StoredTable(msgspec.Struct, frozen=True):
    """A table of play, its book by digest, and how far its stream goes."""

    id: str
    digest: str
    version: int
    """The `seq` of its last event."""
    created_ms: int
    imported: bool
    """It came from a file: it has no postings and cannot go on."""
    head: bytes = b""
    """The hash of its last event, or what its chain begins with."""
    asked: int = 0
    """How many commands were given to it, those that were refused and kept too."""
    asked_head: bytes = b""
    """The hash of the last of them, or what their chain begins with."""


NOT_KEPT = -1
"""In place of an expected version: what was kept by an earlier version of Punto does not say it."""


class StoredCommand(msgspec.Struct, frozen=True):
    """A command that was decided, and what came of it."""

    actor: str
    key: str | None
    body: str
    """Its JSON."""
    table: str | None = None
    version: int | None = None
    """The version of the table after it."""
    first_seq: int | None = None
    """Its first event; None where there is none."""
    last_seq: int | None = None
    refusal: str | None = None
    """The JSON of the refusal, if it was refused."""
    answer: str | None = None
    """The JSON of the answer, where that is not its events."""
    id: int = 0
    """Its place among all commands; given when it is written."""
    expected: int | None = None
    """The version that it was decided on, if it named one; `NOT_KEPT` where nobody knows."""

    def is_of(self, expected: int | None) -> bool:
        """Whether it was sent with this expected version, as far as is known."""
        return self.expected in (NOT_KEPT, expected)


class StoredAccount(msgspec.Struct, frozen=True):
    """An account: its handle is never reused and never removed."""

    handle: str
    currency: str
    opened_ms: int


class StoredPerson(msgspec.Struct, frozen=True):
    """Who stands behind a handle. None of it is in any event, and all of it can be erased."""

    handle: str
    display: str | None = None
    contact: str | None = None
    password: str | None = None
    """As the server keeps it, never plain."""
    is_drawn: bool = False
    """Made for a demonstration, with a password that was shown on a screen."""


class StoredMovement(msgspec.Struct, frozen=True):
    """A movement of money without its postings."""

    id: int
    table: str | None
    seq: int | None
    """The event that caused it."""
    time_ms: int
    kind: str
    round: int | None
    box: int | None
    area: str | None
    player: str | None
    clause: str | None
    reason: str | None
    actor: str | None
    second: str | None


class StatementLine(msgspec.Struct, frozen=True):
    """One posting of an account, with the movement it belongs to and the balance after it."""

    movement: StoredMovement
    line: int
    amount: int
    balance: int


class StoredSeed(msgspec.Struct, frozen=True):
    """The sealed seed of a shuffled shoe."""

    table: str
    shoe: int
    algorithm: str
    sealed: bytes


class StoredSnapshot(msgspec.Struct, frozen=True):
    """The state of a table after an event: a cache, never the truth."""

    table: str
    seq: int
    state: State
