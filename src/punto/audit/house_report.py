"""The reports of a house as they are sent and kept: floor, table, player, cashier, staff and alterations.

Each is one struct, which the command line, the API and files show. Amounts are minor units, times milliseconds. Bots
and test accounts stand apart: rows and totals are of players. Where a house has several currencies, money is summed
for each of them and never together.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.audit.house_alterations import AlterationRow
from punto.audit.significant_events import CashPeriod
from punto.money import Money
from punto.store.record import AccountOwner


class ReportKind(Enum):
    FLOOR = "floor"
    TABLE = "table"
    CASHIER = "cashier"
    PLAYER = "player"
    STAFF = "staff"
    ALTERATIONS = "alterations"


class PlayFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What was played for. The theoretical win is what the house keeps on average, by exact odds of a full shoe."""

    currency: str | None = None  # None where several are added up: then there are no amounts.
    rounds: int = 0
    bets: int = 0
    handle: Money | None = 0
    drop: Money | None = 0
    win: Money | None = 0
    hold: float | None = None  # Win as a part of the drop; None without a drop.
    commission: Money | None = 0
    theoretical_win: Money | None = 0  # Rounded to a minor unit.
    theoretical_exact: str | None = "0"  # The same exactly, as a fraction of minor units.
    unweighed: Money | None = 0  # Staked on bets without an exact edge, such as insurance on a hand put right since.
    least_win: Money | None = 0  # The win of an honest table lies between these, but for a chance of one per cent.
    greatest_win: Money | None = 0
    beyond_chance: bool | None = False


class TableRow(PlayFigures, frozen=True, kw_only=True):
    """A table in the report of the floor."""

    table: str
    book: str
    digest: str
    open_ms: int  # How long it was open and not paused.
    rounds_an_hour: float | None  # By that time; None where it was not open.
    voids: int
    reversals: int
    irregularities: int
    in_play: Money  # Bets on the layout when the span ended.


class FloorTotals(PlayFigures, frozen=True, kw_only=True):
    """All tables together, and what the house owes to players."""

    open_ms: int = 0
    rounds_an_hour: float | None = None
    voids: int = 0
    reversals: int = 0
    irregularities: int = 0
    free: Money | None = 0  # What players may bet or cash out, when the span ended.
    held: Money | None = 0
    in_play: Money | None = 0
    liability: Money | None = 0  # All three together.


class BetRow(PlayFigures, frozen=True, kw_only=True):
    """One betting area of one table, in the report of tables. Drop and hold are those of a whole table."""

    table: str
    area: str
    decks: int
    edge: float | None  # What the house keeps on average; of insurance, of what was taken.
    edge_exact: str | None
    hold_by_handle: float | None  # What it has kept.


class IrregularityRow(msgspec.Struct, frozen=True):
    """How often something went wrong with one dealer at one table."""

    table: str
    dealer: str
    kind: str  # What the table found, `void` for a round, `dismissed` for a report that was a mistake.
    count: int


class ApartRow(PlayFigures, frozen=True, kw_only=True):
    """What bots or test accounts did at a table, which is in no other row and in no total."""

    table: str
    accounts: AccountOwner


class RatedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """The rating of one player."""

    player: str
    accounts: AccountOwner
    currency: str
    rounds: int
    bets: int
    handle: Money
    average_bet: Money | None  # Handle by round; None without a round.
    time_ms: int  # With a seat or a bet at a table.
    net: Money  # What the player has won, less what was lost.
    theoretical_loss: Money
    theoretical_exact: str
    drop: Money
    buy_ins: Money
    cash_outs: Money
    corrections: Money
    free: Money
    held: Money
    in_play: Money


class PlayerTotals(msgspec.Struct, frozen=True, kw_only=True):
    currency: str | None = None
    players: int = 0
    rounds: int = 0  # Of each player: one round of three players counts three times.
    bets: int = 0
    time_ms: int = 0
    handle: Money | None = 0
    net: Money | None = 0
    theoretical_loss: Money | None = 0
    theoretical_exact: str | None = "0"
    drop: Money | None = 0
    buy_ins: Money | None = 0
    cash_outs: Money | None = 0
    corrections: Money | None = 0
    free: Money | None = 0
    held: Money | None = 0
    in_play: Money | None = 0
    liability: Money | None = 0


class CashierRow(msgspec.Struct, frozen=True, kw_only=True):
    """What one person did at the cashier's desk."""

    cashier: str
    accounts: AccountOwner
    currency: str
    buy_ins: Money
    buy_in_count: int
    cash_outs: Money
    cash_out_count: int
    corrections: Money  # What they came to, added up with their signs.
    correction_count: int
    drawer_change: Money  # Buy-ins less cash-outs.


class CashierTotals(msgspec.Struct, frozen=True, kw_only=True):
    currency: str | None = None
    buy_ins: Money | None = 0
    buy_in_count: int = 0
    cash_outs: Money | None = 0
    cash_out_count: int = 0
    corrections: Money | None = 0
    correction_count: int = 0
    drawer_change: Money | None = 0
    drawer_before: Money | None = 0  # What should be in the drawer; bots and test accounts bring no cash.
    drawer_after: Money | None = 0


class LargeCashRow(msgspec.Struct, frozen=True, kw_only=True):
    """A buy-in or a cash-out that was large cash by the rules of the house at that time, by itself or in its day."""

    time: int
    player: str
    accounts: AccountOwner
    act: str  # `buy-in` or `cash-out`.
    currency: str
    amount: Money
    day: str  # The gaming day.
    total: Money  # What the player had brought, or taken, in that day by then.
    threshold: Money
    why: CashPeriod
    cashier: str


class StaffRow(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who dealt at a table, from the first call to the end of the last round before anybody else called."""

    dealer: str
    role: str
    table: str
    from_: int = msgspec.field(name="from")
    to: int
    rounds: int
    rounds_an_hour: float | None
    voids: int
    irregularities: dict[str, int]  # By kind.


class StaffTotals(msgspec.Struct, frozen=True, kw_only=True):
    dealers: int = 0
    rounds: int = 0
    voids: int = 0
    irregularities: dict[str, int] = {}


class AlterationTotals(msgspec.Struct, frozen=True, kw_only=True):
    alterations: int = 0
    by_kind: dict[str, int] = {}


class FixedDay(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day that was closed, beside this report of it."""

    day: str
    closed: int
    closed_by: str
    is_same: bool | None
    """Whether the figures are those that were fixed; None where the report is of more than the day, or of less."""
    differing: tuple[str, ...] = ()  # Totals of the floor that are others now.


class ReportHead(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What stands on every report."""

    from_: int | None = msgspec.field(name="from")  # None: from the beginning.
    to: int
    made: int
    title: str
    operator: str
    version: str
    time_zone: str
    is_active: bool  # False: there was no activity.
    table: str | None = None  # Where the report is of one table, and of some of its rounds.
    rounds: tuple[int, int] | None = None
    fixed: tuple[FixedDay, ...] = ()


class FloorReport(ReportHead, frozen=True, kw_only=True, tag="floor"):
    rows: tuple[TableRow, ...]
    totals: FloorTotals
    by_currency: tuple[FloorTotals, ...] = ()  # Where there are several.
    apart: tuple[ApartRow, ...] = ()
    irregularities: tuple[IrregularityRow, ...] = ()


class TableReport(ReportHead, frozen=True, kw_only=True, tag="table"):
    rows: tuple[BetRow, ...]
    totals: FloorTotals
    by_currency: tuple[FloorTotals, ...] = ()
    apart: tuple[ApartRow, ...] = ()
    irregularities: tuple[IrregularityRow, ...] = ()


class PlayerReport(ReportHead, frozen=True, kw_only=True, tag="player"):
    rows: tuple[RatedPlayer, ...]
    totals: PlayerTotals
    by_currency: tuple[PlayerTotals, ...] = ()
    apart: tuple[RatedPlayer, ...] = ()


class CashierReport(ReportHead, frozen=True, kw_only=True, tag="cashier"):
    rows: tuple[CashierRow, ...]
    totals: CashierTotals
    by_currency: tuple[CashierTotals, ...] = ()
    apart: tuple[CashierRow, ...] = ()
    large: tuple[LargeCashRow, ...] = ()  # As it was written down then.


class StaffReport(ReportHead, frozen=True, kw_only=True, tag="staff"):
    rows: tuple[StaffRow, ...]
    totals: StaffTotals


class AlterationsReport(ReportHead, frozen=True, kw_only=True, tag="alterations"):
    rows: tuple[AlterationRow, ...]
    totals: AlterationTotals


HouseReport = FloorReport | TableReport | PlayerReport | CashierReport | StaffReport | AlterationsReport
