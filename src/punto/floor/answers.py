"""What is answered about sessions, tables, commands, money and approvals: one struct per noun, the same over HTTP,
in `--json`, for the client and for the pages. Members, statement lines and pit calls are rows of the store, and
stand in its `record`.

Amounts are minor units, times milliseconds. Nothing here reads or writes, so that a client can load it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from punto.money import Money
from punto.refusal import RefusalText
from punto.rules.authority import Role
from punto.store.record import Dispute, PitCall, StatementLine
from punto.table.state import Phase
from punto.table.terms import Terms


class LastLogIn(msgspec.Struct, frozen=True):
    """The log-in before this one: if it was not you, say so to the house."""

    time: int
    address: str  # Of IPv6 the network of 64 bits.


class LoggedInAnswer(msgspec.Struct, frozen=True):
    """A new session; the token is told only here."""

    account: str
    roles: tuple[Role, ...]
    token: str
    csrf: str
    expires: int
    last: LastLogIn | None = None  # None at the first log-in.
    must_enrol: bool = False  # A role needs a second factor: nothing but setting one up is possible.


class SecondFactorStatus(msgspec.Struct, frozen=True):
    """Whether somebody logs in with a second factor."""

    account: str
    enrolled: bool
    since: int | None
    recovery_left: int  # Recovery codes that were not used.
    needed: bool  # Whether a role of theirs needs one.


class BegunFactor(msgspec.Struct, frozen=True):
    """A second factor to be set up; it is told only here, and holds when a code confirms it."""

    account: str
    secret: str  # In base 32, to be typed where a picture cannot be taken.
    uri: str
    qr: str  # The same as a QR code, in SVG.
    expires: int


class RecoveryCodes(msgspec.Struct, frozen=True):
    """Codes that each let somebody in once who has lost the second factor; they are told only here."""

    account: str
    codes: tuple[str, ...]


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation, without the code that opens it."""

    invitation: str
    state: str  # `open`, `used`, `withdrawn` or `expired`.
    role: Role
    currency: str
    buy_in: Money  # What whoever uses it begins with; 0 for nothing.
    made_by: str
    made: int
    expires: int
    used_by: str | None = None
    used: int | None = None


class NewInvitation(Invitation, frozen=True, kw_only=True):
    """An invitation that was just made; its code is told only here."""

    code: str
    link: str  # Where a guest goes: the address of the floor, with the code.
    qr: str  # The same as a QR code, in SVG.


class Joined(msgspec.Struct, frozen=True):
    """Somebody who came by an invitation, and may log in."""

    account: str
    display: str | None
    currency: str
    roles: tuple[Role, ...]
    free: Money  # What the account begins with.


class OpenSession(msgspec.Struct, frozen=True):
    """A session that is open, without anything that could open it."""

    session: str  # Its name, for ending it.
    created: int
    active: int  # When something was last done in it, within moments.
    expires: int
    address: str
    current: bool = False  # Whether it is the one in which this is asked.


class TicketAnswer(msgspec.Struct, frozen=True):
    """A ticket that opens one stream."""

    ticket: str
    expires: int


class Account(msgspec.Struct, frozen=True):
    """What somebody is and has."""

    account: str
    display: str | None
    roles: tuple[Role, ...]
    currency: str
    free: Money  # May be bet or cashed out.
    held: dict[str, Money]  # By table: what a settlement paid, until the next call there.
    opened_ms: int
    contact: str | msgspec.UnsetType | None = msgspec.UNSET  # Only at the command line of the house.
    due: dict[str, Money] = {}  # By table: commission that is set aside there and not collected yet.


class AccountStatement(msgspec.Struct, frozen=True):
    """Movements of an account, oldest first unless the latest were asked for."""

    account: str
    currency: str
    lines: tuple[StatementLine, ...]
    last: int  # The `id` of the last line here, for `after`.


class Stop(msgspec.Struct, frozen=True):
    """Play that is stopped, as the staff see it."""

    book: str | None  # None for the whole floor.
    since: int
    by: str
    reason: str


class TableStop(msgspec.Struct, frozen=True):
    """That no round begins at a table, as everybody may see it."""

    book: str | None  # The book that is stopped; None for the whole floor.
    since: int


class OpenedTable(msgspec.Struct, frozen=True):
    """A table that was opened, and the version to name in the next command to it."""

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
    stopped: TableStop | None  # Where the house has stopped play: the round in play ends, and no other begins.


class LegalView(msgspec.Struct, frozen=True):
    """A command that would be accepted, and how its free parts may be filled."""

    command: dict[str, Any]  # As `POST /tables/{id}/commands` takes it, with the least amount.
    free: tuple[str, ...]  # Fields that may be filled otherwise.
    most: int | None  # The greatest amount that would be taken whole, in minor units.
    odds: tuple[str, ...]  # What the bet can pay.
    second: Role | None  # The least rank of a second person who must agree, where one is needed.


class ShownTable(TableSummary, frozen=True):
    """A table as somebody sees it, and what they may do."""

    terms: Terms | None
    view: Any  # The server says which struct it is; a client reads it as JSON.
    legal: tuple[LegalView, ...]


class SeenRecord(msgspec.Struct, frozen=True):
    """A stored record as a viewer may see it."""

    table: str
    seq: int
    v: int
    key: str | None  # Only whoever sent the command is told its key.
    event: dict[str, Any]  # The event as docs/reference/table.md has it, without what is hidden from this viewer.


class EventsAnswer(msgspec.Struct, frozen=True):
    """Events of a table, as the role may see them."""

    events: tuple[SeenRecord, ...]
    last: int  # The version of the table: the number of its last event.


class CommandAnswer(msgspec.Struct, frozen=True):
    """What came of a command that was accepted."""

    version: int
    events: tuple[SeenRecord, ...]


class Moved(msgspec.Struct, frozen=True):
    """What the cashier did."""

    account: str
    kind: str
    amount: Money
    free: Money  # What is free after it.


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


class DecidedAnswer(msgspec.Struct, frozen=True):
    """What came of a decision on something that waited: the command's answer."""

    decision: str
    version: int | None = None
    events: tuple[SeenRecord, ...] = ()


class PitCallsAnswer(msgspec.Struct, frozen=True):
    """Calls that nobody has answered, and those that somebody is coming to; oldest first."""

    calls: tuple[PitCall, ...]


class DisputesAnswer(msgspec.Struct, frozen=True):
    """Rounds that players dispute."""

    disputes: tuple[Dispute, ...]
