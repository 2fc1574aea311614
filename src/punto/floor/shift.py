"""The shift of a cashier: what was in the drawer, what came in and went out, what is there at the end; and receipts.

A shift counts one currency. What should be there at its end follows from the cashier's own movements since the opener:
buy-ins came in, cash-outs went out; corrections move no cash, and are listed all the same. Every movement at the desk
has a receipt, whose number is its number in the ledger.
"""

from __future__ import annotations

import msgspec

from punto.floor.rack import Chips, amount_of, decode_chips, encode_chips, refuse_chips, report_difference
from punto.ledger.movement import player_account
from punto.money import Money, format_money
from punto.refusal import Reason, Refusal
from punto.store import cage
from punto.store.cage import StoredShift
from punto.store.connection import Row
from punto.store.errors import NotUnique
from punto.store.reader import Reader, posted_to
from punto.store.record import AccountOwner
from punto.store.store import Store


class Receipt(msgspec.Struct, frozen=True):
    """What the cashier moved, for whoever it was moved for. Amounts are minor units."""

    number: int  # Of the movement in the ledger.
    time: int
    kind: str
    account: str
    amount: Money  # What the account got, or gave where it is negative.
    currency: str
    by: str
    second: str | None
    reason: str | None
    balance: Money  # What was free after it.
    shift: int | None  # The number of the cashier's shift, where there was one.
    owner: AccountOwner = AccountOwner.PLAYER  # Whose the account is: bots and test accounts have no chips in a drawer.


class CashierShift(msgspec.Struct, frozen=True):
    """A shift of a cashier. Amounts are minor units."""

    number: int
    cashier: str
    currency: str
    opened_ms: int
    opener: Chips
    opened: Money
    bought: Money  # What buy-ins brought into the drawer.
    paid: Money  # What cash-outs took from it.
    expected: Money
    receipts: tuple[Receipt, ...]
    closed_ms: int | None = None
    closer: Chips = ()
    closed: Money | None = None
    difference: Money | None = None  # What was counted at the end, less what was expected.


def shift_of(reader: Reader, cashier: str) -> CashierShift | Refusal:
    """The latest shift of a cashier: as it is now, or as it ended."""
    stored = cage.last_shift(reader, cashier)
    return _told(reader, stored) if stored is not None else _no_shift(cashier)


def _no_shift(cashier: str) -> Refusal:
    return Refusal(Reason.NO_SHIFT, None, {"cashier": cashier})


def _told(reader: Reader, shift: StoredShift) -> CashierShift:
    last = shift.last if shift.last is not None else cage.last_movement(reader)
    moved = cage.cash_moved(reader, shift, last)
    expected = shift.expected if shift.expected is not None else shift.opened + sum(moved.values())
    return CashierShift(
        number=shift.number,
        cashier=shift.cashier,
        currency=shift.currency,
        opened_ms=shift.opened_ms,
        opener=decode_chips(shift.opener),
        opened=shift.opened,
        bought=sum(amount for amount in moved.values() if amount > 0),
        paid=-sum(amount for amount in moved.values() if amount < 0),
        expected=expected,
        receipts=tuple(_receipt(reader, row, shift.number) for row in cage.receipt_rows(reader, shift, last)),
        closed_ms=shift.closed_ms,
        closer=decode_chips(shift.closer) if shift.closer is not None else (),
        closed=shift.closed,
        difference=shift.closed - expected if shift.closed is not None else None,
    )


def refuse_cash(reader: Reader, cashier: str, currency: str) -> Refusal | None:
    """Why a cashier may not take or pay cash now: the house asks for a shift, and none is open in this currency."""
    shift = cage.last_shift(reader, cashier)
    is_open = shift is not None and shift.closed_ms is None and shift.currency == currency
    return None if is_open else _no_shift(cashier)


class Shifts:
    """The shifts of a house: each cashier has at most one that is open."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def begin(self, cashier: str, chips: Chips, currency: str, now: int) -> CashierShift | Refusal:
        """Begin a shift with what is in the drawer."""
        if refusal := refuse_chips(chips):
            return refusal
        try:
            with self._store.write() as transaction:
                cage.lock_cage(transaction)
                last = cage.last_shift(transaction, cashier)
                if last is not None and last.closed_ms is None:
                    return Refusal(Reason.SHIFT_OPEN, None, {"cashier": cashier})
                begun = (currency, now, encode_chips(chips), amount_of(chips), cage.last_movement(transaction))
                return _told(transaction, cage.open_shift(transaction, StoredShift(0, cashier, *begun)))
        except NotUnique:
            return Refusal(Reason.SHIFT_OPEN, None, {"cashier": cashier})

    def close(self, cashier: str, chips: Chips, now: int) -> CashierShift | Refusal:
        """End a shift with what was counted; a difference beyond what the house lets pass is a significant event."""
        if refusal := refuse_chips(chips):
            return refusal
        with self._store.write() as transaction:
            cage.lock_cage(transaction)
            # Whoever moves something at the desk holds its chain: nothing comes between the count and the ledger.
            cage.lock_desk(transaction)
            last = cage.last_shift(transaction, cashier)
            if last is None or last.closed_ms is not None:
                return _no_shift(cashier)
            now_at = cage.last_movement(transaction)
            expected, counted = _told(transaction, last).expected, amount_of(chips)
            ended = {"closed_ms": now, "closer": encode_chips(chips), "closed": counted, "expected": expected}
            shift = msgspec.structs.replace(last, **ended, last=now_at)
            cage.close_shift(transaction, shift)
            name = f"shift/{shift.number}"
            report_difference(transaction, name, counted - expected, (cashier, None), now, expected)
            return _told(transaction, shift)


def latest_receipts(reader: Reader, most: int, player: str | None = None) -> tuple[Receipt, ...]:
    """What was moved last at the cashier's desk, by whomever, the latest first; of one player, where one is named."""
    return tuple(_with_shift(reader, row) for row in cage.latest_receipt_rows(reader, most, player))


def receipt_of(reader: Reader, number: int) -> Receipt | Refusal:
    """The receipt of a movement at the cashier's desk."""
    row = cage.receipt_row(reader, number)
    if row is None:
        return Refusal(Reason.NO_RECEIPT, None, {"number": number})
    return _with_shift(reader, row)


def _with_shift(reader: Reader, row: Row) -> Receipt:
    """A receipt with the shift of its cashier, where there was one in that currency."""
    shift = cage.shift_with(reader, str(row[6]), row[0])
    return _receipt(reader, row, shift.number if shift is not None and shift.currency == row[5] else None)


def _receipt(reader: Reader, row: Row, shift: int | None) -> Receipt:
    id, time, kind, player, amount, currency, by, second, reason, owner = row
    balance = posted_to(reader, player_account(player), 0, id)
    return Receipt(id, time, kind, player, amount, currency, by, second, reason, balance, shift, AccountOwner(owner))


def receipt_rows(receipt: Receipt) -> tuple[tuple[str, str], ...]:
    """A receipt, line by line, for paper or a screen."""
    rows = (
        ("receipt", str(receipt.number)),
        ("account", receipt.account),
        (receipt.kind, f"{receipt.currency} {format_money(receipt.amount, is_signed=True)}"),
        ("free after it", f"{receipt.currency} {format_money(receipt.balance)}"),
        ("by", " and ".join(filter(None, (receipt.by, receipt.second)))),
        ("reason", receipt.reason or ""),
        ("shift", str(receipt.shift or "")),
    )
    return tuple(row for row in rows if row[1])
