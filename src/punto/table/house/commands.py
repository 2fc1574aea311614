"""What the house and its people are asked: the table, its shoe, seats."""

from __future__ import annotations

from typing import ClassVar

from punto.cards.card import Card
from punto.table.header import CommandHeader
from punto.table.terms import Terms


class OpenTable(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "open"

    terms: Terms


class ChangeTerms(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "change terms"

    terms: Terms


class PauseTable(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "pause"


class ResumeTable(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "resume"


class CloseTable(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "close the table"


FLOOR = "the floor"
"""Who opens seeds, and takes a shoe out of play that may be known; nobody logs in by this name."""


class LoadShoe(CommandHeader, frozen=True, kw_only=True):
    """Put a fresh, shuffled set of cards into play between rounds."""

    phrase: ClassVar[str] = "load the shoe"

    commitment: str = ""
    """What the house binds itself to, where the system shuffles and the shuffle can be checked."""
    algorithm: str = ""
    instead: str = ""
    """Why the shoe in play may not be dealt from any more; only the floor itself says so."""


class BurnCards(CommandHeader, frozen=True, kw_only=True):
    """Burn as the terms say; `card` is the one shown, where one is."""

    phrase: ClassVar[str] = "burn"

    card: Card | None = None


class TakeSeat(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "sit"

    box: int
    player: str | None = None
    """Whom staff seats; a player sits down for himself or herself."""


class LeaveSeat(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "leave the seat"

    player: str | None = None


class WalkAway(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "walk away"

    player: str | None = None


class ComeBack(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "come back"

    player: str | None = None


HouseCommand = (
    OpenTable
    | ChangeTerms
    | PauseTable
    | ResumeTable
    | CloseTable
    | LoadShoe
    | BurnCards
    | TakeSeat
    | LeaveSeat
    | WalkAway
    | ComeBack
)
