"""Accounts: where money can be, each in one currency, known by a name.

A player has one account; what a settlement has paid is held apart for its table until the next call there.
Stakes are in play for their round. The house has a bank for each currency and a float at each table. Cash is
the world outside: what people brought in is owed to them, so that account goes below zero. So may the bank,
since the house pays what its tables owe; nobody else's account ever does.
"""

from __future__ import annotations

from enum import Enum


class AccountKind(Enum):
    """What an account is for; the value begins its name."""

    PLAYER = "player"
    """What a player may bet or cash out: `player/Lee`."""
    HELD = "held"
    """What a table has paid a player and could still take back: `held/t1/Lee`."""
    PLAY = "play"
    """The stakes of one round: `play/t1/17`."""
    FLOAT = "float"
    """What the house has at a table: `float/t1`."""
    BANK = "bank"
    """What the house has besides: `bank/USD`."""
    CASH = "cash"
    """What came in at the cashier and went out again: `cash/USD`."""


BELOW_ZERO = frozenset({AccountKind.BANK, AccountKind.CASH})
"""Accounts whose balance may be negative."""


def player_account(handle: str) -> str:
    return f"player/{handle}"


def held_account(table: str, handle: str) -> str:
    return f"held/{table}/{handle}"


def play_account(table: str, round: int) -> str:
    return f"play/{table}/{round}"


def float_account(table: str) -> str:
    return f"float/{table}"


def bank_account(currency: str) -> str:
    return f"bank/{currency}"


def cash_account(currency: str) -> str:
    return f"cash/{currency}"


def kind_of(account: str) -> AccountKind:
    """What an account is for.

    >>> kind_of("held/t1/Lee")
    <AccountKind.HELD: 'held'>
    """
    return AccountKind(account.partition("/")[0])


def may_go_below_zero(account: str) -> bool:
    """Whether the balance of an account may be negative."""
    return kind_of(account) in BELOW_ZERO
