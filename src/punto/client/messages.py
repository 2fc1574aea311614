"""What a floor answers, as values. Fields that a newer server adds are passed over."""

from __future__ import annotations

from typing import Any

import msgspec

from punto.rules.role import Role
from punto.table.terms import Terms


class Refused(msgspec.Struct, frozen=True):
    """Why something was not done; nothing has changed."""

    reason: str
    params: dict[str, str | int]
    sentence: str
    clause: str | None = None
    status: int = 0
    """The HTTP status; 0 in an answer on a stream."""
    retry_after: int | None = None
    """Seconds to wait, where it was too often."""


class ClientSession(msgspec.Struct, frozen=True):
    """A session that was opened."""

    account: str
    roles: tuple[Role, ...]
    token: str
    csrf: str
    expires: int


class SentRecord(msgspec.Struct, frozen=True):
    """An event with its place in the stream of its table, without what is hidden."""

    table: str
    seq: int
    v: int
    key: str | None
    event: dict[str, Any]


class Done(msgspec.Struct, frozen=True):
    """A command that was carried out: the version after it, and its events."""

    version: int | None
    events: tuple[SentRecord, ...] = ()


class Waiting(msgspec.Struct, frozen=True):
    """A command that waits for a second person."""

    approval: str
    needs: Role
    expires: int


class LegalCommand(msgspec.Struct, frozen=True):
    """A command that would be accepted, and how its free parts may be filled."""

    command: dict[str, Any]
    free: tuple[str, ...] = ()
    most: int | None = None
    odds: tuple[str, ...] = ()
    second: Role | None = None


class ShownTable(msgspec.Struct, frozen=True):
    """A table as the caller sees it."""

    table: str
    version: int
    terms: Terms | None
    digest: str
    view: dict[str, Any]
    legal: tuple[LegalCommand, ...]


class Events(msgspec.Struct, frozen=True):
    """Events of a table, and its version."""

    events: tuple[SentRecord, ...]
    last: int


class Ticket(msgspec.Struct, frozen=True):
    """A ticket that opens one stream."""

    ticket: str
    expires: int


class PitCall(msgspec.Struct, frozen=True):
    """A call for somebody from the pit to come to a table."""

    call: str
    table: str
    caller: str
    role: Role
    reason: str | None
    called: int
    answer: str | None = None
    """`coming` or `cleared`; None while nobody has answered."""
    answered_by: str | None = None
    answered: int | None = None


class Holding(msgspec.Struct, frozen=True):
    """What the caller has, in minor units."""

    account: str
    roles: tuple[Role, ...]
    currency: str
    free: int
    held: dict[str, int]


class _Tables(msgspec.Struct, frozen=True):
    tables: tuple[ShownTable, ...]


class _PitCalls(msgspec.Struct, frozen=True):
    calls: tuple[PitCall, ...]


class _RefusalBody(msgspec.Struct, frozen=True):
    refusal: Refused


def refused_from(content: bytes, status: int, retry_after: str | None) -> Refused:
    """The refusal in a body."""
    try:
        found = msgspec.json.decode(content, type=_RefusalBody).refusal
    except msgspec.MsgspecError:
        found = Refused("unreadable", {}, f"the server answered {status}, and not in JSON")
    seconds = int(retry_after) if retry_after is not None and retry_after.isdecimal() else None
    return msgspec.structs.replace(found, status=status, retry_after=seconds)


def calls_from(content: bytes) -> tuple[PitCall, ...]:
    """The calls in a body."""
    return msgspec.json.decode(content, type=_PitCalls).calls


def tables_from(content: bytes) -> tuple[ShownTable, ...]:
    """The tables in a body."""
    return msgspec.json.decode(content, type=_Tables).tables
