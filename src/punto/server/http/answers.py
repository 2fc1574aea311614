"""What the API answers: one struct per kind of answer. Amounts are minor units, times milliseconds."""

from __future__ import annotations

from typing import Any

import msgspec

from punto.rules.role import Role
from punto.server.http.rejection import RefusalText
from punto.store.access.pit_calls import PitAnswer
from punto.table.terms import Terms
from punto.views.felt.case_view import CaseView
from punto.views.history_view import RoundView
from punto.views.legal import LegalView
from punto.views.road_view import RoadView
from punto.views.seen import SeenRecord
from punto.views.statistics_view import StatisticsView
from punto.views.table_view import TableView


class SessionAnswer(msgspec.Struct, frozen=True):
    """A session, as the page that uses it needs it."""

    account: str
    roles: tuple[Role, ...]
    csrf: str
    """Browsers send it as X-CSRF-Token with everything that changes something."""
    expires: int
    authenticated: int
    """When the password was last given."""


class LoggedInAnswer(msgspec.Struct, frozen=True):
    """A new session; the token is told only here."""

    account: str
    roles: tuple[Role, ...]
    token: str
    csrf: str
    expires: int


class TicketAnswer(msgspec.Struct, frozen=True):
    """A ticket that opens one stream."""

    ticket: str
    expires: int


class TableAnswer(msgspec.Struct, frozen=True):
    """A table as the caller sees it."""

    table: str
    version: int
    terms: Terms | None
    digest: str
    view: TableView
    legal: tuple[LegalView, ...]


class TablesAnswer(msgspec.Struct, frozen=True):
    """Every table."""

    tables: tuple[TableAnswer, ...]


class OpenedAnswer(msgspec.Struct, frozen=True):
    """A table that was opened."""

    table: str
    version: int
    digest: str


class CommandAnswer(msgspec.Struct, frozen=True):
    """What came of a command that was accepted."""

    version: int
    events: tuple[SeenRecord, ...]


class WaitingAnswer(msgspec.Struct, frozen=True):
    """A command that waits for a second person."""

    approval: str
    needs: Role
    """The rank that the second person has at least."""
    expires: int


class DecidedAnswer(msgspec.Struct, frozen=True):
    """What came of a decision on something that waited: the command's answer."""

    decision: str
    version: int | None = None
    events: tuple[SeenRecord, ...] = ()


class ApprovalAnswer(msgspec.Struct, frozen=True):
    """Something that waits, or waited, for a second person."""

    approval: str
    table: str | None
    actor: str
    role: Role
    command: dict[str, Any]
    """The exact command."""
    version: int | None
    """The version of the table that it was decided on."""
    needs: Role
    asked: int
    expires: int
    yours: bool
    """Whether you may decide it."""
    decision: str | None = None
    """None while it waits, and until it is known what came of it; `approve`, `decline`, `refused` if it was
    agreed to and could not be carried out, or `expired`.
    """
    decided_by: str | None = None
    done: int | None = None
    """The version of the table after it was carried out."""
    refusal: RefusalText | None = None
    """Why it could not be carried out."""


class ApprovalsAnswer(msgspec.Struct, frozen=True):
    """Everything that waits and concerns the caller."""

    approvals: tuple[ApprovalAnswer, ...]


class PitCallAnswer(msgspec.Struct, frozen=True):
    """A call for somebody from the pit to come to a table."""

    call: str
    table: str
    caller: str
    role: Role
    reason: str | None
    """Why, in a few words, where the caller said so."""
    called: int
    answer: PitAnswer | None
    """None while nobody has answered."""
    answered_by: str | None
    answered: int | None


class PitCallsAnswer(msgspec.Struct, frozen=True):
    """Calls that nobody has answered, and those that somebody is coming to; oldest first."""

    calls: tuple[PitCallAnswer, ...]


class EventsAnswer(msgspec.Struct, frozen=True):
    """Events of a table, as the role may see them."""

    events: tuple[SeenRecord, ...]
    last: int
    """The version of the table: the number of its last event."""


class AccountAnswer(msgspec.Struct, frozen=True):
    """What the caller is and has."""

    account: str
    display: str | None
    roles: tuple[Role, ...]
    currency: str
    free: int
    """May be bet or cashed out."""
    held: dict[str, int]
    """By table: what a settlement paid, until the next call there."""


class StatementEntry(msgspec.Struct, frozen=True):
    """One movement of an account."""

    id: int
    time: int
    kind: str
    amount: int
    balance: int
    table: str | None = None
    seq: int | None = None
    round: int | None = None
    box: int | None = None
    area: str | None = None
    clause: str | None = None
    reason: str | None = None
    by: str | None = None
    second: str | None = None


class StatementAnswer(msgspec.Struct, frozen=True):
    """Movements of an account, oldest first."""

    account: str
    currency: str
    lines: tuple[StatementEntry, ...]
    last: int
    """The `id` of the last line here, for `after`."""


class CostEntry(msgspec.Struct, frozen=True):
    """What play at one table cost."""

    table: str
    book: str
    staked: int
    expected: int
    """What these stakes cost on average, with a full shoe; insurance is left out."""
    actual: int
    """What they cost in fact; negative where they won."""


class CostsAnswer(msgspec.Struct, frozen=True):
    """What play was expected to cost, beside what it did."""

    costs: tuple[CostEntry, ...]


class MovedAnswer(msgspec.Struct, frozen=True):
    """What the cashier did."""

    account: str
    kind: str
    amount: int
    free: int
    """What is free after it."""


class MemberAnswer(msgspec.Struct, frozen=True):
    """Somebody who has an account."""

    account: str
    display: str | None
    currency: str
    roles: tuple[Role, ...]
    can_log_in: bool


class PeopleAnswer(msgspec.Struct, frozen=True):
    """Everybody who has an account."""

    people: tuple[MemberAnswer, ...]


class RoadsAnswer(msgspec.Struct, frozen=True):
    """The roads of the shoe in play. They are information only, and predict nothing."""

    table: str
    version: int
    roads: RoadView


class HistoryAnswer(msgspec.Struct, frozen=True):
    """Rounds of a table, the latest first."""

    table: str
    rounds: tuple[RoundView, ...]


class StatisticsAnswer(msgspec.Struct, frozen=True):
    """The rounds of the shoe in play in numbers. Nothing here predicts a round."""

    table: str
    version: int
    statistics: StatisticsView


class CasesAnswer(msgspec.Struct, frozen=True):
    """The open case of a table, and what the last rounds' cases came to."""

    table: str
    version: int
    case: CaseView | None
    events: tuple[SeenRecord, ...]
    """Events about irregularities in the last rounds, oldest first."""


class BetOddsEntry(msgspec.Struct, frozen=True):
    """The exact odds of one bet."""

    bet: str
    ev: str
    """What a unit staked gains on average, as a fraction."""
    edge: float
    """What the house keeps of a unit staked, on average."""
    sd: float
    win: float
    push: float
    lose: float


class InsuranceEntry(msgspec.Struct, frozen=True):
    """An insurance offer."""

    window: str
    hand: str
    odds: str
    ev: str
    player_points: int | None = None
    banker_points: int | None = None
    reach: str | None = None
    """How often it comes to this offer."""


class AnteEntry(msgspec.Struct, frozen=True):
    """An ante and its wager."""

    ante: str
    wager: str
    ev: str | None = None
    """Before the deal: with optimal play."""
    play: str | None = None
    """What going on is worth, per ante; giving up is worth -1."""
    best: str | None = None


class OddsAnswer(msgspec.Struct, frozen=True):
    """Exact odds of every bet of a table."""

    table: str
    book: str
    digest: str
    decks: int
    cards: int
    """Cards that have not been seen."""
    bets: tuple[BetOddsEntry, ...]
    insurance: tuple[InsuranceEntry, ...]
    ante: tuple[AnteEntry, ...]
    stage: str | None = None
    """For advice: how far the round has come."""


class HealthAnswer(msgspec.Struct, frozen=True):
    """Whether the server runs, and whether it can take requests."""

    status: str
