"""What is asked while bets are open: calls, bets, and what the dealer notices."""

from __future__ import annotations

from typing import ClassVar

from punto.table.header import CommandHeader


class CallBets(CommandHeader, frozen=True, kw_only=True):
    """The call that opens a round."""

    phrase: ClassVar[str] = "place your bets"


class PlaceBet(CommandHeader, frozen=True, kw_only=True):
    """Place a bet, or raise the bet that is already on the area by this amount."""

    phrase: ClassVar[str] = "bet"

    box: int
    area: str
    amount: int
    player: str | None = None
    """On whose behalf a pit employee bets."""
    round: int | None = None


class ReduceBet(CommandHeader, frozen=True, kw_only=True):
    """Take this amount off a bet."""

    phrase: ClassVar[str] = "reduce"

    box: int
    area: str
    amount: int
    player: str | None = None
    round: int | None = None


class WithdrawBet(CommandHeader, frozen=True, kw_only=True):
    """Take a bet off."""

    phrase: ClassVar[str] = "withdraw"

    box: int
    area: str
    player: str | None = None
    round: int | None = None


class RejectExcess(CommandHeader, frozen=True, kw_only=True):
    """The dealer noticed a box over its limits and pushes the excess back."""

    phrase: ClassVar[str] = "reject excess"

    box: int


class AdviseMinimum(CommandHeader, frozen=True, kw_only=True):
    """The dealer noticed a bet under the minimum and says so."""

    phrase: ClassVar[str] = "advise minimum"

    box: int
    area: str
    player: str


class CloseBets(CommandHeader, frozen=True, kw_only=True):
    """The call that closes the betting."""

    phrase: ClassVar[str] = "no more bets"


BettingCommand = CallBets | PlaceBet | ReduceBet | WithdrawBet | RejectExcess | AdviseMinimum | CloseBets
