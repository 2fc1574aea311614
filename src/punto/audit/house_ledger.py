"""What the ledger says for reports of the house: what everybody had at a moment, what was done at the cashier's desk,
and what should be in the drawer. The sums are made by the database; nothing is read movement by movement but the desk.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from punto.ledger.movement import AccountKind, MovementKind, play_account
from punto.store.cage import APART
from punto.store.reader import AFTER_ALL, BEFORE_ALL, Reader

_PART = 10**9
_SUM = f"sum(p.amount / {_PART}), sum(p.amount - p.amount / {_PART} * {_PART})"
"""Amounts are added up in two parts: all of them together may be more than a column holds."""
_FREE, _HELD, _CASH = (f"{kind.value}/" for kind in (AccountKind.PLAYER, AccountKind.HELD, AccountKind.CASH))


@dataclass(slots=True)
class PlayersFunds:
    """What somebody had, by where it was. Amounts are minor units."""

    free: int = 0
    held: int = 0
    at_tables: dict[str, int] = field(default_factory=dict)  # Bets on the layout, by table.

    @property
    def in_play(self) -> int:
        return sum(self.at_tables.values())

    @property
    def total(self) -> int:
        return self.free + self.held + self.in_play

    def add(self, other: PlayersFunds) -> None:
        self.free += other.free
        self.held += other.held
        for table, amount in other.at_tables.items():
            self.at_tables[table] = self.at_tables.get(table, 0) + amount


def funds_at(
    reader: Reader, end: int, places: Mapping[str, tuple[int, int]], *, is_now: bool = False
) -> dict[str, PlayersFunds]:
    """What everybody had before a moment, by handle; whoever had nothing is left out.

    `places` are the last round of each table then, and its last event. What moved since is taken from what is there
    now, so a moment that is not long ago costs little.
    """
    amounts = {name: amount for name, amount in reader.all_balances().items() if name.startswith((_FREE, _HELD))}
    if not is_now:
        for account, amount in _moved_since(reader, end):
            amounts[account] = amounts.get(account, 0) - amount
    funds: dict[str, PlayersFunds] = defaultdict(PlayersFunds)
    for account, amount in amounts.items():
        if amount and account.startswith(_FREE):
            funds[account.removeprefix(_FREE)].free += amount
        elif amount:
            funds[account.split("/", 2)[2]].held += amount
    for table, (round, last) in places.items():
        statement = (
            f"SELECT m.player, {_SUM} FROM postings p JOIN movements m ON m.id = p.movement_id "
            "WHERE p.account = ? AND m.seq <= ? GROUP BY m.player"
        )
        for player, parts, rest in reader.rows(statement, (play_account(table, round), last)):
            if lying := int(parts) * _PART + int(rest):
                funds[player].at_tables[table] = lying
    return dict(funds)


def _moved_since(reader: Reader, moment: int) -> Iterator[tuple[str, int]]:
    """What accounts of players got from a moment on, or gave, table by table and at the desk."""
    for wanted, values in _everywhere(reader):
        statement = (
            f"SELECT p.account, {_SUM} FROM movements m JOIN postings p ON p.movement_id = m.id "
            f"WHERE {wanted} AND m.time_ms >= ? AND (p.account LIKE ? OR p.account LIKE ?) GROUP BY p.account"
        )
        for account, parts, rest in reader.rows(statement, (*values, moment, f"{_FREE}%", f"{_HELD}%")):
            yield account, int(parts) * _PART + int(rest)


def _everywhere(reader: Reader) -> Iterator[tuple[str, tuple[str, ...]]]:
    """How movements are found by the index on tables and times."""
    yield "m.table_id IS NULL", ()
    for stored in reader.tables():
        yield "m.table_id = ?", (stored.id,)


@dataclass(frozen=True, slots=True)
class DeskMovement:
    """Money that moved at the cashier's desk."""

    id: int
    time: int
    kind: str
    player: str
    actor: str
    second: str | None
    reason: str | None
    amount: int  # What the player's account got, or gave where it is negative.


@dataclass(slots=True)
class CashierTally:
    """What was done at the desk, added up."""

    buy_ins: int = 0
    buy_in_count: int = 0
    cash_outs: int = 0
    cash_out_count: int = 0
    corrections: int = 0
    correction_count: int = 0

    def add(self, moved: DeskMovement) -> None:
        match moved.kind:
            case MovementKind.BUY_IN.value:
                self.buy_ins += moved.amount
                self.buy_in_count += 1
            case MovementKind.CASH_OUT.value:
                self.cash_outs -= moved.amount
                self.cash_out_count += 1
            case MovementKind.CORRECTION.value:
                self.corrections += moved.amount
                self.correction_count += 1

    @property
    def drawer_change(self) -> int:
        return self.buy_ins - self.cash_outs

    @property
    def count(self) -> int:
        return self.buy_in_count + self.cash_out_count + self.correction_count


_AT_DESK = ", ".join(
    f"'{kind.value}'" for kind in (MovementKind.BUY_IN, MovementKind.CASH_OUT, MovementKind.CORRECTION)
)


def read_cashier(reader: Reader, start: int | None, end: int, *, is_now: bool = False) -> Iterator[DeskMovement]:
    """What moved at the desk from a moment on and before another, one by one."""
    statement = (
        "SELECT m.id, m.time_ms, m.kind, m.player, m.actor, m.second, m.reason, p.amount FROM movements m "
        f"JOIN postings p ON p.movement_id = m.id AND p.account = '{_FREE}' || m.player "
        f"WHERE m.table_id IS NULL AND m.kind IN ({_AT_DESK}) AND m.time_ms >= ? AND m.time_ms < ? AND m.id > ? "
        "ORDER BY m.id LIMIT ?"
    )
    until = AFTER_ALL if is_now else end
    for id, time, kind, player, actor, *rest in reader.each_row(
        statement, (BEFORE_ALL if start is None else start, until)
    ):
        yield DeskMovement(id, time, kind, player, actor or "", *rest)


def drawers_at(reader: Reader, moment: int | None) -> dict[str, int]:
    """What should be in the cashier's drawer before a moment, or now, by currency: what came in and did not go out.

    Bots and test accounts are taken out of it, as of every other figure: nobody brought cash for their chips.
    """
    drawers = {
        name.removeprefix(_CASH): -amount for name, amount in reader.all_balances().items() if name.startswith(_CASH)
    }
    before = AFTER_ALL if moment is None else moment
    for wanted in ("m.time_ms >= ?", f"m.time_ms < ? AND {APART}"):
        statement = (
            f"SELECT p.account, {_SUM} FROM movements m JOIN postings p ON p.movement_id = m.id "
            f"WHERE m.table_id IS NULL AND {wanted} AND p.account LIKE ? GROUP BY p.account"
        )
        for account, parts, rest in reader.rows(statement, (before, f"{_CASH}%")):
            drawers[account.removeprefix(_CASH)] += int(parts) * _PART + int(rest)
    return drawers
