"""Accounts, the movements between them, and the cashier: money that comes in, goes out, or is put right.

Every movement adds up to nothing. Only what is free can be cashed out: what is in play or held for a
settlement that can still be reversed is not. A correction takes two people and a reason; the house bears
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum

import msgspec

from punto.money import format_amount
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.table.header import Person


class AccountKind(Enum):
    """What an account is for; the value begins its name."""

    PLAYER = "player"  # What a player may bet or cash out: `player/Lee`.
    HELD = "held"  # What a table has paid a player and could still take back: `held/t1/Lee`.
    DUE = "due"  # Commission of a player that a table has set aside and not collected yet: `due/t1/Lee`.
    PLAY = "play"  # The stakes of one round: `play/t1/17`.
    FLOAT = "float"  # What the house has at a table: `float/t1`.
    BANK = "bank"  # What the house has besides: `bank/USD`.
    CASH = "cash"  # What came in at the cashier and went out again: `cash/USD`.


BELOW_ZERO = frozenset({AccountKind.BANK, AccountKind.CASH})  # Accounts whose balance may be negative.


def player_account(handle: str) -> str:
    return f"player/{handle}"


def held_account(table: str, handle: str) -> str:
    return f"held/{table}/{handle}"


def due_account(table: str, handle: str) -> str:
    return f"due/{table}/{handle}"


def play_account(table: str, round: int) -> str:
    return f"play/{table}/{round}"


def float_account(table: str) -> str:
    return f"float/{table}"


def bank_account(currency: str) -> str:
    return f"bank/{currency}"


def cash_account(currency: str) -> str:
    return f"cash/{currency}"


def kind_of(account: str) -> AccountKind:
    """What an account is for: `held/t1/Lee` is of the kind `HELD`."""
    return AccountKind(account.partition("/")[0])


def may_go_below_zero(account: str) -> bool:
    return kind_of(account) in BELOW_ZERO


class MovementKind(Enum):
    """Why money moved."""

    BUY_IN = "buy-in"
    CASH_OUT = "cash-out"
    CORRECTION = "correction"
    BET = "bet"  # A stake went into play: a bet, a wager or insurance.
    RETURN = "return"  # A stake, or part of it, went back before it was decided.
    VOID = "void"  # A stake went back because its round has no result.
    SETTLEMENT = "settlement"  # One bet was paid, collected or pushed; what the player gets is held.
    COMMISSION = "commission"  # The commission on a bet that was paid in full is set aside.
    COLLECTION = "collection"  # Commission that was set aside goes to the float.
    REVERSAL = "reversal"  # A settlement was taken back: the stakes are in play again.
    RELEASE = "release"  # What was held for the last settlement is the player's to use.
    FILL = "fill"  # From the bank to a table that pays more than it takes.
    CREDIT = "credit"  # From a table that closes to the bank.


class Posting(msgspec.Struct, frozen=True, gc=False):
    """What one account gets, or gives where the amount is negative, in minor units."""

    account: str
    amount: int


class Movement(msgspec.Struct, frozen=True, omit_defaults=True):
    """Postings that belong together, and what they are for. They sum to zero: nothing comes from nowhere."""

    kind: MovementKind
    postings: tuple[Posting, ...]
    table: str | None = None
    round: int | None = None
    box: int | None = None
    area: str | None = None
    player: str | None = None
    clause: str | None = None
    reason: str = ""
    commission: int = 0
    """What the house keeps by it of a win, of a settlement; a reversal gives that back. A release tells it again."""

    def __post_init__(self) -> None:
        assert self.postings, "something moves"
        total = 0
        for posting in self.postings:
            assert posting.amount, "no posting is empty"
            total += posting.amount
        assert not total, "postings sum to zero"


def moved(amount: int, *, source: str, target: str) -> tuple[Posting, Posting]:
    return Posting(source, -amount), Posting(target, amount)


def totals(movements: Iterable[Movement]) -> Counter[str]:
    total: Counter[str] = Counter()
    for movement in movements:
        for posting in movement.postings:
            total[posting.account] += posting.amount
    return total


MOST_AT_CASHIER = 10**15
"""The greatest amount of one movement at the cashier, and the greatest balance that one may lead to."""


def buy_in(handle: str, currency: str, amount: int, *, free: int = 0) -> Movement | Refusal:
    """A player brings money; `free` is what the account has before."""
    if not 0 < amount <= MOST_AT_CASHIER - free:
        return _refused(Reason.WRONG_AMOUNT, amount=amount, most=MOST_AT_CASHIER - free)
    postings = moved(amount, source=cash_account(currency), target=player_account(handle))
    return Movement(MovementKind.BUY_IN, postings, player=handle)


def cash_out(handle: str, currency: str, amount: int, *, free: int, held: int = 0) -> Movement | Refusal:
    if not 0 < amount <= MOST_AT_CASHIER:
        return _refused(Reason.WRONG_AMOUNT, amount=amount, most=MOST_AT_CASHIER)
    if refusal := refuse_funds(amount, free=free, held=held):
        return refusal
    postings = moved(amount, source=player_account(handle), target=cash_account(currency))
    return Movement(MovementKind.CASH_OUT, postings, player=handle)


def correct(
    handle: str, currency: str, amount: int, *, free: int, held: int = 0, by: Person, second: Person | None, reason: str
) -> Movement | Refusal:
    """Put an account right by an amount, which may be negative, from or to the house bank.

    Two different people stand behind it, and neither may be the one whose account it is.
    """
    if second is None or Role.PLAYER in (by.role, second.role) or len({by.name, second.name, handle}) < 3:
        return Refusal(Reason.SECOND_PERSON, None, {"command": "correct", "rank": Role.DEALER.value})
    if not reason.strip():
        return Refusal(Reason.REASON_NEEDED, None)
    if amount == 0 or not -MOST_AT_CASHIER <= amount <= MOST_AT_CASHIER - free:
        return _refused(Reason.WRONG_AMOUNT, amount=amount, most=MOST_AT_CASHIER)
    if amount < 0 and (refusal := refuse_funds(-amount, free=free, held=held)):
        return refusal
    postings = moved(amount, source=bank_account(currency), target=player_account(handle))
    return Movement(MovementKind.CORRECTION, postings, player=handle, reason=reason.strip())


def refuse_funds(amount: int, *, free: int, held: int = 0) -> Refusal | None:
    """Why an amount cannot be taken from a player's account: too little of it is free.

    `held` is what tables hold of it until their next calls, which may be the reason.
    """
    if amount <= free:
        return None
    if held:
        return _refused(Reason.FUNDS_HELD, amount=amount, free=free, held=held)
    return _refused(Reason.NOT_ENOUGH_FUNDS, amount=amount, free=free)


def _refused(reason: Reason, **amounts: int) -> Refusal:
    return Refusal(reason, None, {name: format_amount(amount) for name, amount in amounts.items()})
