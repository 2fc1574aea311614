"""What is answered about sessions, tables, commands, money and approvals: one struct per noun, the same over HTTP,
in `--json`, for the client and for the pages. Members, statement lines and pit calls are rows of the store, and
stand in its `record`.

Amounts are minor units, times milliseconds. Nothing here reads or writes, so that a client can load it.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

import msgspec

from punto.floor.house_pages import HousePage
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
    pages: tuple[HousePage, ...] = ()  # Which pages of the house your roles open.


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


class Device(msgspec.Struct, frozen=True):
    """A key with which a device says which card left the shoe of one table; the key itself is told once."""

    device: str
    table: str
    name: str
    issued_by: str
    issued: int
    revoked_by: str | None = None
    revoked: int | None = None


class NewDevice(Device, frozen=True, kw_only=True):
    """A key that was just issued."""

    key: str


class FeedState(Enum):
    """Who names the cards of a physical shoe."""

    MANUAL = "manual"  # The dealer.
    DEVICE = "device"  # A device reads them, and is there.
    LOST = "lost"  # A device should, and is not heard of: the dealer does.


class RefusedReading(msgspec.Struct, frozen=True):
    """A card that a device read and the table did not take: out of turn, or not in the shoe."""

    card: str
    refusal: RefusalText


class FeedView(msgspec.Struct, frozen=True):
    """Who names the cards of a table with a physical shoe. Which device, and what it read in vain, is for staff."""

    state: FeedState
    device: str | None = None
    refused: RefusedReading | None = None


MANUAL = FeedView(FeedState.MANUAL)


class TicketAnswer(msgspec.Struct, frozen=True):
    """A ticket that opens one stream."""

    ticket: str
    expires: int


class Balance(msgspec.Struct, frozen=True):
    """What a player has, over all tables: the same wherever it is shown at one moment."""

    free: Money  # May be bet or cashed out.
    staked: Money  # Lies on layouts undecided, insurance included.
    held: Money  # Was paid by settlements that can still be reversed; no bet can be made with it yet.


NO_MONEY = Balance(0, 0, 0)


class Account(msgspec.Struct, frozen=True):
    """What somebody is and has."""

    account: str
    display: str | None
    roles: tuple[Role, ...]
    currency: str
    free: Money  # May be bet or cashed out.
    held: dict[str, Money]  # By table: what a settlement paid, until the next call there.
    balance: Balance
    opened_ms: int
    contact: str | msgspec.UnsetType | None = msgspec.UNSET  # Only at the command line of the house.
    due: dict[str, Money] = {}  # By table: commission that is set aside there and not collected yet.
    kind: str = "player"  # Or `bot` for one that the house itself plays with, and `test`.


class FoundAccount(msgspec.Struct, frozen=True):
    """An account that a cashier looks for: who it is, and nothing of what they have."""

    account: str
    display: str | None
    currency: str
    kind: str = "player"  # Or `test`.


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
    receipt: int = 0  # The number of its receipt.


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


class PlayMeasure(Enum):
    """What a limit of a player is on."""

    STAKE = "stake"  # Stakes that were accepted, less those returned undecided; bets, wagers and insurance.
    LOSS = "loss"  # Stakes less what came back; what lies undecided, or could still be reversed, counts as lost.
    BUY_IN = "buy-in"
    TIME = "time"  # Time of play.


class PlayPeriod(Enum):
    """For how long a limit counts: a session of play, or a gaming day, a week from Monday on, or a month of them."""

    SESSION = "session"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A limit on what a player may do."""

    what: PlayMeasure
    period: PlayPeriod
    amount: Annotated[int, msgspec.Meta(ge=0, le=10**15)]  # Minor units; minutes where it is on time.


class KeptLimit(Limit, frozen=True, omit_defaults=True):
    """A limit in force, and how it becomes looser where that was asked for."""

    changes_ms: int | None = None  # When it changes; a looser limit waits for 24 hours.
    next: int | None = None  # To which amount it changes then; None where it ends.


class PlayerLimits(msgspec.Struct, frozen=True):
    """The limits of a player; where both have one, the stricter holds."""

    limits: tuple[KeptLimit, ...]  # Set by the player.
    house: tuple[KeptLimit, ...] = ()  # Set by the house.


class Guardian(Enum):
    """Who decided something that protects a player."""

    PLAYER = "player"
    HOUSE = "house"


class LimitUse(msgspec.Struct, frozen=True):
    """A limit that holds, and what is used of it."""

    what: PlayMeasure
    period: PlayPeriod
    amount: int  # Minor units; minutes where it is on time.
    used: int  # Negative for a loss where more came back than was staked.
    by: Guardian


class Exclusion(msgspec.Struct, frozen=True, omit_defaults=True):
    """A time in which a player takes no seat, places no bet and buys no chips."""

    since_ms: int
    until_ms: int | None = None  # None: for ever.
    by: Guardian = Guardian.PLAYER
    reason: str = ""  # The house's.


class PlayerPlay(msgspec.Struct, frozen=True):
    """What a player's session of play has come to, and what protects the player. Amounts are minor units."""

    account: str
    began_ms: int | None  # None where no session is going on.
    minutes: int
    staked: int  # Stakes that were not returned undecided.
    returned: int  # What settled rounds brought, stakes that won or pushed included.
    net: int  # What was returned less what was staked; what lies undecided counts as lost.
    lying: int  # What lies undecided: without it the net is that of decided bets.
    check_minutes: int | None = None  # How often betting stops until the player has seen time and net.
    check_ms: int | None = None  # When that is due next, or was due; None without a session or an interval.
    is_check_due: bool = False
    is_limit_needed: bool = False  # The house wants a limit of the player's own before the first bet.
    limits: tuple[LimitUse, ...] = ()
    exclusion: Exclusion | None = None  # The one that lasts longest.
