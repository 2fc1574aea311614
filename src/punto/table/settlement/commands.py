"""What is asked when all cards are out."""

from __future__ import annotations

from typing import ClassVar

from punto.table.header import CommandHeader


class SettleRound(CommandHeader, frozen=True, kw_only=True):
    """Pay, take and return every bet."""

    phrase: ClassVar[str] = "settle"


SettlementCommand = SettleRound
