"""What is decided about antes."""

from __future__ import annotations

from typing import ClassVar

from punto.table.header import CommandHeader


class PlaceWager(CommandHeader, frozen=True, kw_only=True):
    """Go on with an ante: the wager beside it."""

    phrase: ClassVar[str] = "wager"

    box: int
    area: str
    """The betting area of the wager."""
    amount: int
    player: str | None = None
    round: int | None = None


class GiveUpAnte(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "give up"

    box: int
    area: str
    """The betting area of the ante."""
    player: str | None = None
    round: int | None = None


class ExpireAntes(CommandHeader, frozen=True, kw_only=True):
    """The decision clock ran out: every ante not decided is given up."""

    phrase: ClassVar[str] = "time is up"


AnteCommand = PlaceWager | GiveUpAnte | ExpireAntes
