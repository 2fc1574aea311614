"""The cashier: money that comes in, goes out, or was booked wrongly and is put right.

Each is a movement or a refusal. Only what is free can be cashed out: what is in play or held for a
settlement that can still be reversed is not. A correction takes two people and a reason; the house bears it.
"""

from __future__ import annotations

from punto.ledger.account import bank_account, cash_account, player_account
from punto.ledger.movement import Movement, MovementKind, moved
from punto.money import format_amount
from punto.refusal import Reason, Refusal
from punto.rules.role import Role
from punto.table.header import Person

MOST = 10**15
"""The greatest amount of one movement at the cashier, and the greatest balance that one may lead to."""


def buy_in(handle: str, currency: str, amount: int, *, free: int = 0) -> Movement | Refusal:
    """A player brings money; `free` is what the account has before."""
    if not 0 < amount <= MOST - free:
        return _wrong(amount, MOST - free)
    postings = moved(amount, source=cash_account(currency), target=player_account(handle))
    return Movement(MovementKind.BUY_IN, postings, player=handle)


def cash_out(handle: str, currency: str, amount: int, *, free: int, held: int = 0) -> Movement | Refusal:
    """A player takes money away."""
    if not 0 < amount <= MOST:
        return _wrong(amount, MOST)
    if refusal := refuse_funds(amount, free=free, held=held):
        return refusal
    postings = moved(amount, source=player_account(handle), target=cash_account(currency))
    return Movement(MovementKind.CASH_OUT, postings, player=handle)


def correct(
    handle: str,
    currency: str,
    amount: int,
    *,
    free: int,
    held: int = 0,
    by: Person,
    second: Person | None,
    reason: str,
) -> Movement | Refusal:
    """Put an account right by an amount, which may be negative, from or to the house bank.

    Two different people stand behind it, and neither may be the one whose account it is.
    """
    if second is None or Role.PLAYER in (by.role, second.role) or len({by.name, second.name, handle}) < 3:
        rank: dict[str, str | int] = {"command": "correct", "rank": Role.DEALER.value}
        return Refusal(Reason.SECOND_PERSON, None, rank)
    if not reason.strip():
        return Refusal(Reason.REASON_NEEDED, None)
    if amount == 0 or not -MOST <= amount <= MOST - free:
        return _wrong(amount, MOST)
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
    params: dict[str, str | int] = {
        "amount": format_amount(amount),
        "free": format_amount(free),
        "held": format_amount(held),
    }
    return Refusal(Reason.NOT_ENOUGH_FUNDS, None, params)


def _wrong(amount: int, most: int) -> Refusal:
    params: dict[str, str | int] = {"amount": format_amount(amount), "most": format_amount(most)}
    return Refusal(Reason.WRONG_AMOUNT, None, params)
