"""Frames of a stream, from the client and from the server; their JSON schema is `/frames.schema.json`.

Clients ignore server frames of a type that they do not know.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any

import msgspec

from punto.rules.role import Role
from punto.server.http.answers import PitCallAnswer
from punto.server.http.command_body import LONGEST_KEY, CommandBody, Expected
from punto.server.http.rejection import RefusalText
from punto.views.legal import LegalView
from punto.views.table_view import TableView


class CloseCode(IntEnum):
    """Why the server closes a stream."""

    BAD_FRAME = 4400
    SESSION = 4401
    ROLE = 4403
    TABLE = 4404
    TOO_SLOW = 4408
    BUSY = 1013
    """Too many clients have connected and not said who they are, or one person has too many streams."""


class HelloFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hello"):
    """The first frame of a client."""

    ticket: Annotated[str, msgspec.Meta(max_length=100)]
    after: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """The last event that the client has; what came after it is sent again."""
    role: Role | None = None
    """In which role to watch; default: the one of the session that sees most."""
    views: bool = False
    """Send the whole view after each change, for pages that fold nothing themselves."""


class CommandFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="command"):
    """A command, as `POST /tables/{id}/commands` takes it; the answer has the same `id`."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    key: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_KEY)]
    role: Role
    command: CommandBody
    expected: Expected | None = None


ClientFrame = HelloFrame | CommandFrame


class SnapshotFrame(msgspec.Struct, frozen=True, tag="snapshot"):
    """The table as it is, where `after` was absent or too old."""

    seq: int
    view: TableView
    legal: tuple[LegalView, ...]


class EventFrame(msgspec.Struct, frozen=True, tag="event"):
    """An event; every `seq` once, in order, without what is hidden from the viewer."""

    seq: int
    event: dict[str, Any]


class LegalFrame(msgspec.Struct, frozen=True, tag="legal"):
    """What the viewer may do, after the event `seq`; sent where it has changed."""

    seq: int
    commands: tuple[LegalView, ...]


class ViewFrame(msgspec.Struct, frozen=True, tag="view"):
    """The table after the event `seq`, for clients that asked for views."""

    seq: int
    view: TableView


class ClockFrame(msgspec.Struct, frozen=True, tag="clock"):
    """A clock that runs at an automatic table."""

    what: str
    ends_in_ms: int


class AnswerFrame(msgspec.Struct, frozen=True, tag="answer", omit_defaults=True):
    """The answer to a command frame: a version, a refusal, or an approval that it waits for."""

    id: str
    version: int | None = None
    refusal: RefusalText | None = None
    approval: str | None = None
    needs: Role | None = None
    expires: int | None = None


class ApprovalFrame(msgspec.Struct, frozen=True, tag="approval", omit_defaults=True):
    """Something at this table waits for a second person; or it is over, with what came of it."""

    approval: str
    needs: Role
    expires: int
    decision: str | None = None
    """None while it waits; `approve` once it was agreed to and carried out, `refused` if it was agreed to and
    could not be carried out, `decline`, or `expired` if nobody decided in time.
    """
    version: int | None = None
    """The version of the table after it was carried out."""
    refusal: RefusalText | None = None
    """Why it could not be carried out."""


class PitCallFrame(msgspec.Struct, frozen=True, tag="pit-call"):
    """The pit is called to a table, or a call was answered; when a stream begins, every call that is live."""

    call: PitCallAnswer


ServerFrame = (
    SnapshotFrame
    | EventFrame
    | LegalFrame
    | ViewFrame
    | ClockFrame
    | AnswerFrame
    | ApprovalFrame
    | PitCallFrame
)

encoder = msgspec.json.Encoder()
client_decoder: msgspec.json.Decoder[HelloFrame | CommandFrame] = msgspec.json.Decoder(ClientFrame)
