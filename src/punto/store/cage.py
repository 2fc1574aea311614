"""Chips that were counted, as they are stored: slips of the racks of tables, and shifts of cashiers.

A slip is never changed: a rack is what its slips since the last opener say. A shift is one row that is closed once.
Both stand in the chain of the house with who stood behind them. What should be there follows from the ledger, and
from nothing here: the win of a table, and the cash that a cashier took and paid. Bots and test accounts have no chips
and no cash that anybody could count: they are in neither, as they are in no total of a report.
"""

from __future__ import annotations

from typing import Any

import msgspec

from punto.ledger.movement import cash_account, float_account
from punto.store.chain import CASHIER, HouseCode, Subject, hold_chain
from punto.store.connection import Row
from punto.store.reader import Reader
from punto.store.record import AccountOwner
from punto.store.transaction import Transaction

OPENER, CLOSER = "open", "close"  # The kinds of a slip that begin and end a rack.
APART = f"m.player IN (SELECT handle FROM accounts WHERE kind <> '{AccountOwner.PLAYER.value}')"
"""Which movements `m` are of bots and test accounts: they move no chip and no cash that anybody counts."""


class StoredSlip(msgspec.Struct, frozen=True):
    """One slip of a rack. Amounts are minor units."""

    number: int  # Its place among all slips of the house, from 1.
    table_id: str
    kind: str
    chips: str  # JSON: how many chips there are, by their value.
    amount: int
    expected: int | None  # What should have been there, where chips were counted.
    movement: int  # The last movement of the ledger before it.
    time_ms: int
    actor: str
    role: str
    second: str
    second_role: str
    key: str | None = None

    @property
    def state(self) -> dict[str, Any]:
        """What is written down of it."""
        fields = msgspec.structs.asdict(self)
        return {name: value for name, value in fields.items() if name != "number" and value is not None}


class StoredShift(msgspec.Struct, frozen=True):
    """The shift of a cashier. Amounts are minor units."""

    number: int  # Its place among all shifts of the house, from 1.
    cashier: str
    currency: str
    opened_ms: int
    opener: str  # JSON: how many pieces there were, by their value.
    opened: int
    first: int  # The last movement of the ledger before it.
    closed_ms: int | None = None
    closer: str | None = None
    closed: int | None = None
    expected: int | None = None  # What should have been there at the end.
    last: int | None = None  # The last movement of the ledger in it.

    @property
    def state(self) -> dict[str, Any]:
        """What is written down of it."""
        fields = msgspec.structs.asdict(self)
        return {name: value for name, value in fields.items() if name != "number" and value is not None}


_SLIPS = f"SELECT {', '.join(StoredSlip.__struct_fields__)} FROM rack_slips"
_SHIFTS = f"SELECT {', '.join(StoredShift.__struct_fields__)} FROM shifts"


def stored_slips(reader: Reader) -> list[StoredSlip]:
    """Every slip there is."""
    return [StoredSlip(*row) for row in reader.rows(f"{_SLIPS} ORDER BY number")]


def slips_of(reader: Reader, table: str) -> list[StoredSlip]:
    """The slips of a table since its rack was last opened; none where it never was."""
    first = "(SELECT max(number) FROM rack_slips WHERE table_id = ? AND kind = ?)"
    statement = f"{_SLIPS} WHERE table_id = ? AND number >= {first} ORDER BY number"
    return [StoredSlip(*row) for row in reader.rows(statement, (table, table, OPENER))]


def slip_under_key(reader: Reader, actor: str, key: str) -> StoredSlip | None:
    rows = reader.rows(f"{_SLIPS} WHERE actor = ? AND key = ?", (actor, key))
    return StoredSlip(*rows[0]) if rows else None


def add_slip(transaction: Transaction, slip: StoredSlip) -> StoredSlip:
    """Keep a slip; it gets the next number."""
    slip = msgspec.structs.replace(slip, number=_next_number(transaction, "rack_slips"))
    transaction.connection.insert("rack_slips", StoredSlip.__struct_fields__, [msgspec.structs.astuple(slip)])
    details = {"second": slip.second, "after": slip.state, "table": slip.table_id}
    transaction.note(HouseCode.RACK_SLIP, Subject.RACK.of(str(slip.number)), slip.actor, slip.time_ms, **details)
    return slip


def lock_cage(transaction: Transaction) -> None:
    """Whoever else counts chips waits until this transaction ends."""
    transaction.connection.lock("cage")


def lock_desk(transaction: Transaction) -> None:
    """Whoever moves something at the cashier's desk waits until this transaction ends."""
    hold_chain(transaction.connection, CASHIER)


def last_movement(reader: Reader) -> int:
    [(last,)] = reader.rows("SELECT coalesce(max(id), 0) FROM movements")
    return int(last)


def won_since(reader: Reader, table: str, movement: int) -> int:
    """What a table has won since a movement, less what it has lost: what players brought into its float.

    What the ledger itself moves between float and bank has no player, and moves no chip; nor do bots.
    """
    [(won,)] = reader.rows(
        "SELECT coalesce(sum(p.amount), 0) FROM postings p JOIN movements m ON m.id = p.movement_id "
        f"WHERE p.account = ? AND p.movement_id > ? AND m.player IS NOT NULL AND NOT {APART}",
        (float_account(table), movement),
    )
    return int(won)


def stored_shifts(reader: Reader) -> list[StoredShift]:
    return [StoredShift(*row) for row in reader.rows(f"{_SHIFTS} ORDER BY number")]


def last_shift(reader: Reader, cashier: str) -> StoredShift | None:
    """The latest shift of a cashier, open or closed."""
    rows = reader.rows(f"{_SHIFTS} WHERE cashier = ? ORDER BY number DESC LIMIT 1", (cashier,))
    return StoredShift(*rows[0]) if rows else None


def shift_with(reader: Reader, cashier: str, movement: int) -> StoredShift | None:
    """The shift of a cashier in which something was moved."""
    rows = reader.rows(
        f"{_SHIFTS} WHERE cashier = ? AND first < ? AND (last IS NULL OR last >= ?) ORDER BY number DESC LIMIT 1",
        (cashier, movement, movement),
    )
    return StoredShift(*rows[0]) if rows else None


def open_shifts(reader: Reader) -> list[str]:
    """The cashiers whose shift is open."""
    return [str(name) for (name,) in reader.rows("SELECT cashier FROM shifts WHERE closed_ms IS NULL ORDER BY cashier")]


def open_racks(reader: Reader) -> list[str]:
    """The tables whose rack is open: no closer is later than its last opener."""
    last = "SELECT max(number) FROM rack_slips WHERE kind IN (?, ?) GROUP BY table_id"
    statement = f"SELECT table_id FROM rack_slips WHERE number IN ({last}) AND kind = ? ORDER BY table_id"
    return [str(table) for (table,) in reader.rows(statement, (OPENER, CLOSER, OPENER))]


def open_shift(transaction: Transaction, shift: StoredShift) -> StoredShift:
    """Keep a shift that begins; it gets the next number."""
    shift = msgspec.structs.replace(shift, number=_next_number(transaction, "shifts"))
    transaction.connection.insert("shifts", StoredShift.__struct_fields__, [msgspec.structs.astuple(shift)])
    subject, who = Subject.SHIFT.of(str(shift.number)), shift.cashier
    transaction.note(HouseCode.SHIFT_OPENED, subject, who, shift.opened_ms, after=shift.state)
    return shift


def close_shift(transaction: Transaction, shift: StoredShift) -> None:
    """Keep how a shift ended."""
    ended = ("closed_ms", "closer", "closed", "expected", "last")
    changes = ", ".join(f"{name} = ?" for name in ended)
    values = [getattr(shift, name) for name in ended]
    transaction.connection.run(f"UPDATE shifts SET {changes} WHERE number = ?", (*values, shift.number))
    assert shift.closed_ms is not None
    after, subject = dict(zip(ended, values, strict=True)), Subject.SHIFT.of(str(shift.number))
    transaction.note(HouseCode.SHIFT_CLOSED, subject, shift.cashier, shift.closed_ms, after=after)


def cash_moved(reader: Reader, shift: StoredShift, last: int) -> dict[str, int]:
    """What a cashier took in (positive) and paid (negative) in a shift up to a movement, by kind."""
    rows = reader.rows(
        "SELECT m.kind, -sum(p.amount) FROM postings p JOIN movements m ON m.id = p.movement_id "
        f"WHERE p.account = ? AND p.movement_id > ? AND p.movement_id <= ? AND m.actor = ? AND NOT {APART} "
        "GROUP BY m.kind ORDER BY m.kind",
        (cash_account(shift.currency), shift.first, last, shift.cashier),
    )
    return {str(kind): int(amount) for kind, amount in rows}


_RECEIPT = (
    "SELECT m.id, m.time_ms, m.kind, m.player, p.amount, a.currency, m.actor, m.second, m.reason, a.kind "
    "FROM movements m "
    "JOIN postings p ON p.movement_id = m.id AND p.account = 'player/' || m.player "
    "JOIN accounts a ON a.handle = m.player WHERE m.table_id IS NULL"
)


def receipt_row(reader: Reader, movement: int) -> Row | None:
    """A movement of the cashier: id, time, kind, player, amount, currency, who, second, reason and whose account."""
    rows = reader.rows(f"{_RECEIPT} AND m.id = ?", (movement,))
    return rows[0] if rows else None


def receipt_rows(reader: Reader, shift: StoredShift, last: int) -> list[Row]:
    """What the cashier moved in a shift up to a movement, corrections too."""
    statement = f"{_RECEIPT} AND m.id > ? AND m.id <= ? AND m.actor = ? AND a.currency = ? ORDER BY m.id"
    return reader.rows(statement, (shift.first, last, shift.cashier, shift.currency))


def latest_receipt_rows(reader: Reader, most: int, player: str | None = None) -> list[Row]:
    """What was moved last at the cashier's desk, by whomever; the latest first. Of one player, where one is named."""
    where, values = (" AND m.player = ?", (player,)) if player is not None else ("", ())
    return reader.rows(f"{_RECEIPT}{where} ORDER BY m.time_ms DESC, m.id DESC LIMIT {most:d}", values)


def last_receipt(reader: Reader, actor: str, key: str | None) -> int:
    """The number of what somebody moved last at the cashier's desk, or under a key."""
    keyed, values = (" AND key = ?", (actor, key)) if key is not None else ("", (actor,))
    [(last,)] = reader.rows(f"SELECT max(id) FROM movements WHERE table_id IS NULL AND actor = ?{keyed}", values)
    return int(last or 0)


def cash_since(reader: Reader, handle: str, kind: str, since: int) -> int:
    """What somebody has brought, or taken, at the cashier's desk from a moment on, by the kind of the movement."""
    [(amount,)] = reader.rows(
        "SELECT coalesce(sum(p.amount), 0) FROM movements m JOIN postings p ON p.movement_id = m.id "
        "AND p.account = 'player/' || m.player WHERE m.table_id IS NULL AND m.player = ? AND m.kind = ? "
        "AND m.time_ms >= ?",
        (handle, kind, since),
    )
    return abs(int(amount))


def last_of_account(reader: Reader, handle: str) -> int:
    """The number of what was moved last for somebody at the cashier's desk."""
    [(last,)] = reader.rows("SELECT max(id) FROM movements WHERE table_id IS NULL AND player = ?", (handle,))
    return int(last or 0)


def note_difference(
    transaction: Transaction, name: str, people: tuple[str, str | None], now: int, what: dict[str, int]
) -> None:
    """Write down that what was counted is not what should be there, beyond what the house lets pass."""
    who, second = people
    transaction.note(HouseCode.COUNT_DIFFERS, Subject.DIFFERENCE.of(name), who, now, second=second, after=what)


def _next_number(transaction: Transaction, table: str) -> int:
    [(number,)] = transaction.rows(f"SELECT coalesce(max(number), 0) + 1 FROM {table}")
    return int(number)
