"""A movement: money that goes from some accounts to others, with all that it rests on.

Its postings always sum to zero: nothing comes from nowhere and nothing vanishes. Amounts are minor units; a
posting that adds to its account is positive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum

import msgspec


class MovementKind(Enum):
    """Why money moved."""

    BUY_IN = "buy-in"
    CASH_OUT = "cash-out"
    CORRECTION = "correction"
    BET = "bet"
    """A stake went into play: a bet, a wager or insurance."""
    RETURN = "return"
    """A stake, or part of it, went back before it was decided."""
    VOID = "void"
    """A stake went back because its round has no result."""
    SETTLEMENT = "settlement"
    """One bet was paid, collected or pushed; what the player gets is held."""
    REVERSAL = "reversal"
    """A settlement was taken back: the stakes are in play again."""
    RELEASE = "release"
    """What was held for the last settlement is the player's to use."""
    FILL = "fill"
    """From the bank to a table that pays more than it takes."""
    CREDIT = "credit"
    """From a table that closes to the bank."""


class Posting(msgspec.Struct, frozen=True, gc=False):
    """What one account gets, or gives where the amount is negative."""

    account: str
    amount: int


class Movement(msgspec.Struct, frozen=True, omit_defaults=True):
    """Postings that belong together, and what they are for."""

    kind: MovementKind
    postings: tuple[Posting, ...]
    table: str | None = None
    round: int | None = None
    box: int | None = None
    area: str | None = None
    player: str | None = None
    clause: str | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        assert self.postings, "something moves"
        total = 0
        for posting in self.postings:
            assert posting.amount, "no posting is empty"
            total += posting.amount
        assert not total, "postings sum to zero"


def moved(amount: int, *, source: str, target: str) -> tuple[Posting, Posting]:
    """The postings of an amount that goes from one account to another."""
    return Posting(source, -amount), Posting(target, amount)


def totals(movements: Iterable[Movement]) -> Counter[str]:
    """What movements add to each account, or take from it."""
    total: Counter[str] = Counter()
    for movement in movements:
        for posting in movement.postings:
            total[posting.account] += posting.amount
    return total
