"""What is asked when something went wrong."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from punto.cards.card import Card
from punto.rules.facts import Hand
from punto.rules.text.irregularity import Irregular
from punto.table.header import CommandHeader


class Report(CommandHeader, frozen=True, kw_only=True):
    """Something is wrong. The round stands still until it is resolved."""

    phrase: ClassVar[str] = "report"

    kind: Irregular
    cards: tuple[Card, ...] = ()
    """Cards that left the shoe in error and are not yet on record, in their order where it is known."""
    placed: tuple[Hand, ...] = ()
    """Where those cards were put."""
    hand: Hand | None = None
    number: int | None = None
    """The card it is about."""
    round: int | None = None
    """The round it happened in, where it is an earlier one."""
    note: str = ""


class DismissReport(CommandHeader, frozen=True, kw_only=True):
    """The report was a mistake."""

    phrase: ClassVar[str] = "dismiss the report"

    reason: str


class JudgeReconstruction(CommandHeader, frozen=True, kw_only=True):
    """The house's word on whether the cards can be put back into their order."""

    phrase: ClassVar[str] = "reconstruction possible"

    possible: bool


class OrderCards(CommandHeader, frozen=True, kw_only=True):
    """The order of cards that were drawn together."""

    phrase: ClassVar[str] = "order cards"

    cards: tuple[Card, ...]


class VoidRound(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "void the round"

    reason: str = ""


class ReplaceCards(CommandHeader, frozen=True, kw_only=True):
    """Take the set of cards out of play; a new one is loaded before the next round."""

    phrase: ClassVar[str] = "replace the cards"


class Option(Enum):
    """What a player may choose after a dealing error."""

    CONTINUE = "continue"
    RETURN = "return"


class ChooseOption(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "choose"

    option: Option


class CloseOptions(CommandHeader, frozen=True, kw_only=True):
    """No more choices: who is away continues."""

    phrase: ClassVar[str] = "close the options"


class ReturnBets(CommandHeader, frozen=True, kw_only=True):
    """Return the original bets of players whose wish to insure was not met."""

    phrase: ClassVar[str] = "return bets"


class Effect(Enum):
    """What a ruling does."""

    CONTINUE = "continue"
    VOID = "void"
    RETURN = "return"
    """The bets of the players named go back; the round goes on."""
    STAND = "stand"
    """Bets under the minimum that were noticed stand as they lie."""


class Rule(CommandHeader, frozen=True, kw_only=True):
    """A ruling on what the rules do not cover."""

    phrase: ClassVar[str] = "rule"

    effect: Effect
    reason: str
    players: tuple[str, ...] = ()
    """Whose bets, for a ruling that returns bets."""


IrregularityCommand = (
    Report
    | DismissReport
    | JudgeReconstruction
    | OrderCards
    | VoidRound
    | ReplaceCards
    | ChooseOption
    | CloseOptions
    | ReturnBets
    | Rule
)
